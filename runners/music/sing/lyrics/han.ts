/** Han characters as they are read: Mandarin in pinyin without tones (a tune has its own), and in Japanese the readings that songs use most. */
import { type Phoneme, phonemes } from "../phonemes.ts";

/**
 * Syllable and the characters read so, 3,300 of the commonest in both scripts; for each the commonest reading (Unihan's kMandarin, chosen with pypinyin
 * 0.55; frequencies of wordfreq 3.1). `v` is ü.
 */
const PINYIN = `
a啊阿 ai爱埃艾碍癌哀哎唉愛礙 an安案按暗岸俺 ang昂 ao奥澳傲奧 ba把吧巴八爸罢拔霸坝罷壩 bai白百败拜摆柏敗擺 ban办版半班般板伴颁搬扮斑辦頒 bang帮邦棒绑榜镑膀幫綁鎊 bao保报包宝暴爆抱胞堡薄饱鲍報寶飽鮑
bei被北备背贝杯倍悲辈碑卑備貝輩 ben本奔笨 beng崩 bi比必毕币避笔闭逼彼壁鼻臂弊蔽庇畢幣筆閉 bian变边便编遍辩辨贬變邊編辯貶 biao表标標 bie别別 bin宾滨賓濱 bing并病兵冰饼並餅
bo播博波伯剥玻拨勃驳卜剝撥駁 bu不部布步补捕怖補 ca擦 cai才采财材彩裁菜猜蔡踩採財 can参餐残惨參殘慘 cang藏仓苍舱倉蒼艙 cao操草曹槽 ce策测册侧厕測冊側廁 ceng曾层層 cha查察差茶插叉 chai拆柴
chan产阐缠產闡纏 chang长场常厂唱尝偿昌倡畅肠長場廠嘗償暢腸 chao超朝潮吵炒嘲抄 che车彻撤扯車徹 chen陈沉晨臣尘趁陳塵 cheng成程城称承诚乘呈惩撑稱誠懲撐 chi持吃迟尺池赤耻齿斥痴驰喫遲恥齒癡馳
chong充冲虫崇宠衝蟲寵 chou抽筹丑仇臭酬籌醜 chu出处除初础楚触储厨畜處礎觸儲廚 chuan传穿船川串傳 chuang创床窗闯創牀闖 chui吹垂 chun春纯蠢唇純脣 ci此次词刺辞慈磁茨赐瓷詞辭賜 cong从聪丛從聰叢
cou凑湊 cu促粗 cui粹摧脆催 cun存村寸 cuo错措挫錯 da大打达答搭達 dai代带待贷戴袋逮呆帶貸 dan但单担弹蛋丹旦胆诞淡單擔彈膽誕 dang当党档荡挡當黨檔蕩擋 dao到道导岛倒刀盗蹈祷稻導島盜禱 de的得德
deng等登灯邓燈鄧 di地第低底帝弟敌抵迪递蒂滴缔敵遞締 dian电点店典殿甸颠垫電點顛墊 diao调掉雕吊钓調釣 die跌爹谍叠諜疊 ding定顶订丁钉盯頂訂釘 diu丢丟 dong动东懂洞董冬冻栋動東凍棟 dou都斗豆抖鬥
du度独读毒督赌渡杜肚堵獨讀賭 duan断段短端锻斷鍛 dui对队堆兑對隊兌 dun顿敦吨盾頓噸 duo多夺躲朵堕奪墮 e俄恶额饿厄鹅惡額餓鵝 en恩 er而二尔儿耳爾兒 fa发法罚乏伐阀發罰閥髮 fan反范犯翻饭泛烦繁返凡番贩範飯煩販
fang方放房防访仿纺坊妨訪紡 fei非费飞废菲肥啡肺匪妃費飛廢 fen分份粉纷奋愤氛芬焚紛奮憤 feng风封丰疯峰奉锋凤讽缝蜂逢風豐瘋峯鋒鳳諷縫 fou否
fu府服复负夫福父富副付妇附佛符幅腐覆肤弗辅赋扶赴抚浮伏腹辐傅俘復負婦膚輔賦撫輻 ga尬 gai该改概盖該蓋 gan感干敢赶甘杆肝尴幹趕尷 gang港刚钢岗纲冈剛鋼崗綱岡 gao高告搞糕稿 ge个各格革哥歌隔阁割戈葛個閣 gei给給
gen根跟 geng更耕 gong公工共供功攻宫贡恭巩宮貢鞏 gou构够购狗沟勾钩構夠購溝鉤 gu故古股顾固估鼓谷骨姑孤雇辜顧僱 gua挂瓜寡掛 guai怪乖 guan关管官观馆冠惯贯灌罐關觀館慣貫 guang广光廣
gui规贵归鬼轨柜跪龟瑰桂規貴歸軌櫃龜 gun滚棍滾 guo国过果锅郭裹國過鍋 ha哈 hai还海孩害還 han韩汉含喊翰汗涵憾函罕寒韓漢 hang航杭 hao好号毫豪耗浩號 he和合何河核喝荷赫贺盒呵賀 hei黑嘿 hen很恨狠痕
heng衡横恒亨哼橫恆 hong红轰洪宏虹鸿紅轟鴻 hou后候厚侯猴後 hu护户乎互湖呼胡忽虎糊狐護戶 hua化话划华花画滑話劃華畫 huai坏怀淮壞懷 huan欢环换患缓幻唤歡環換緩喚 huang黄皇荒谎慌凰煌黃謊
hui会回挥汇毁恢惠绘灰慧徽辉悔贿會揮匯毀繪輝賄 hun婚混魂昏 huo活或获火货伙霍惑祸獲貨夥禍 ji机及计己记基际几级集技济即击纪极继积激辑季急吉既绩鸡籍迹疾剂寄圾祭挤藉肌矶忌寂妓饥暨機計記際幾級濟擊紀極繼積輯績雞跡劑擠磯飢
jia家加价假架佳甲驾嘉嫁夹贾價駕夾賈 jian间建见件简监检坚减健渐键兼舰荐剑践鉴奸尖箭艰剪肩贱柬間見簡監檢堅減漸鍵艦薦劍踐鑑艱賤 jiang将江讲奖降疆蒋僵酱將講獎蔣醬 jiao教交较叫角脚焦胶骄郊缴較腳膠驕繳
jie结解接界节介街阶姐届借截杰揭皆洁戒捷劫竭結節階屆傑潔 jin进金今近仅尽紧禁津锦晋劲斤谨巾筋進僅盡緊錦晉勁謹 jing经京境警精景竟竞惊静镜径净敬睛井晶颈經競驚靜鏡徑淨頸 jiu就究久救酒九旧纠舊糾
ju据举具局居剧巨句聚距拒俱惧拘矩據舉劇懼 juan卷捐 jue决觉绝爵掘決覺絕 jun军均君菌郡俊軍 ka卡咖喀 kai开凯慨開凱 kan看刊堪砍 kang抗康 kao考靠烤 ke可科克客刻课颗壳渴柯課顆殼 ken肯 keng坑
kong空控恐孔 kou口扣 ku苦库哭酷裤庫褲 kua跨夸誇 kuai快块塊 kuan款宽寬 kuang况狂矿框況礦 kui亏溃愧馈虧潰饋 kun困昆 kuo括扩阔擴闊 la拉啦腊垃辣蜡喇臘蠟 lai来莱赖來萊賴
lan兰蓝览篮烂栏滥拦懒蘭藍覽籃爛欄濫攔懶 lang浪朗郎狼廊 lao老劳牢勞 le了乐樂 lei类雷勒累泪蕾垒類淚壘 leng冷 li里理力利立历离例礼李丽励黎隶厉莉璃粒厘裏歷離禮麗勵隸厲釐裡 lia俩倆
lian联连练脸链恋炼廉怜莲聯連練臉鏈戀煉憐蓮 liang两量亮良辆粮梁凉谅兩輛糧涼諒 liao料疗聊辽瞭僚療遼 lie列烈裂猎劣獵 lin林临邻琳淋臨鄰 ling领另令灵零龄凌陵岭铃領靈齡嶺鈴 liu流留六刘浏柳瘤劉瀏
long龙隆笼垄龍籠壟 lou楼漏樓 lu路录陆露鲁卢炉鹿錄陸魯盧爐 luan乱亂 lun论伦轮沦論倫輪淪 luo罗落络洛逻裸萝螺羅絡邏蘿 lv律率旅虑绿侣履滤屡吕慮綠侶濾屢呂 lve略掠 ma吗马妈码嘛麻玛骂嗎馬媽碼瑪罵
mai买卖麦脉迈埋買賣麥脈邁 man满慢漫曼蛮瞒滿蠻瞞 mang忙盲芒 mao毛贸冒猫貌矛帽貿貓 me么麼 mei没美每媒妹梅煤枚魅玫眉沒 men们门闷們門悶 meng盟梦蒙猛孟夢 mi米密秘迷蜜弥咪谜祕彌謎 mian面免缅棉眠绵緬綿
miao描秒妙庙苗瞄廟 mie灭滅 min民敏 ming名明命鸣鳴 miu谬謬 mo模魔末莫摩默墨摸磨漠膜陌抹寞 mou某谋謀 mu目母木幕姆穆墓牧慕募亩畝 na那哪拿纳娜呐納吶 nai奶耐乃奈 nan南难男難 nang囊
nao脑闹恼腦鬧惱 ne呢 nei内內 nen嫩 neng能 ni你尼拟泥逆妮匿妳擬 nian年念 niang娘 niao鸟尿鳥 nin您 ning宁凝寧 niu牛纽扭紐 nong农弄浓農濃 nu努奴怒 nuan暖 nuo诺挪諾 nv女
nve虐 o哦喔 ou欧偶歐 pa怕帕爬啪 pai派排拍牌 pan判盘叛攀盼盤 pang旁胖庞龐 pao跑炮泡抛拋 pei配培陪赔佩賠 pen喷盆噴 peng朋碰膨彭 pi批皮屁匹披辟疲脾啤闢 pian片骗篇偏騙 piao票漂飘飄
pin品频贫拼聘頻貧 ping平评苹凭屏瓶評蘋憑 po破迫婆坡泊颇頗 pu普谱葡铺浦曝扑埔仆朴譜鋪撲僕樸 qi其起期气器企奇七汽弃妻启旗齐骑歧欺棋祈契戚漆氣棄啓齊騎 qia恰 qian前钱千签潜迁歉牵遣欠浅谴錢籤潛遷牽淺譴
qiang强枪抢墙腔強槍搶牆 qiao桥巧乔瞧敲侨悄橋喬僑 qie且切窃竊 qin亲侵琴勤秦親 qing情请清轻青庆倾擎卿顷請輕慶傾頃 qiong穷窮 qiu求球秋丘囚 qu去区取曲趣趋驱屈渠娶區趨驅 quan全权圈券泉拳劝犬權勸
que确却缺確卻 qun群裙羣 ran然染燃 rang让壤讓 rao扰绕饶擾繞饒 re热惹熱 ren人任认忍仁認 reng仍扔 ri日 rong容融荣溶榮 rou肉柔 ru如入乳辱儒 ruan软軟 rui瑞锐銳 run润潤 ruo若弱
sa萨撒薩 sai赛塞賽 san三散伞傘 sang丧桑喪 sao骚扫騷掃 se色瑟 sen森 seng僧 sha杀沙啥傻厦莎纱殺廈紗 shai晒曬 shan山善闪陕删杉擅扇珊閃陝刪 shang上商伤尚赏傷賞 shao少绍烧稍紹燒
she社设射摄涉舍蛇舌設攝 shei谁誰 shen什身神深审甚申伸沈慎渗肾審滲腎 sheng生省声升胜圣盛剩牲绳聲勝聖繩 shi是时事实市世使式视始十师史示士失识试势施食室石适似释诗饰驶尸湿氏狮逝誓拾侍蚀時實視師識試勢適釋詩飾駛屍溼獅蝕
shou手受收首售授守兽寿瘦獸壽 shu数术书属述输束树熟署殊舒叔鼠疏蔬數術書屬輸樹 shua刷 shuai帅衰摔帥 shuang双爽雙 shui水睡税稅 shun顺瞬順 shuo说硕說碩 si斯司死四思私丝寺饲肆撕絲飼
song送松宋讼訟 sou搜艘 su速苏诉素俗肃塑宿稣蘇訴肅穌 suan算酸 sui岁随虽碎遂歲隨雖 sun损孙損孫 suo所索缩锁縮鎖 ta他她它塔踏塌祂牠 tai台太态泰胎抬汰臺態 tan谈探坦坛贪滩碳叹炭摊談壇貪灘嘆攤
tang堂唐糖汤躺湯 tao讨套逃萄桃淘陶涛討濤 te特 teng腾疼藤騰 ti体题提替梯踢體題 tian天田甜填添舔 tiao条挑跳條 tie铁贴帖鐵貼 ting听停庭厅挺廷艇聽廳 tong同通统童痛铜桶筒統銅 tou头投透偷頭
tu图土突途徒屠吐涂兔圖塗 tuan团團 tui推退腿 tun吞 tuo托脱拖拓妥託脫 wa瓦娃挖哇袜襪 wai外 wan万完玩晚湾弯碗挽顽萬灣彎頑 wang网望王往亡忘旺網
wei为位委未维围卫威微危味违谓唯伟尾伪慰韦喂胃薇畏魏爲維圍衛違謂偉僞韋 wen文问闻温稳吻纹問聞溫穩紋 weng翁 wo我握沃窝卧窩臥 wu无物务五武误舞午屋乌污伍吴雾吾悟巫坞無務誤烏吳霧塢
xi西系息喜希戏习席细析吸洗袭悉惜牺锡稀夕溪媳晰熙戲習細襲犧錫 xia下夏辖吓峡侠狭瞎虾轄嚇峽俠狹蝦 xian现先线县显限险鲜献宪陷闲嫌仙纤衔咸贤弦現線縣顯險鮮獻憲閒纖銜鹹賢 xiang想相向像香项象响乡享详箱祥厢翔項響鄉詳廂
xiao小校消效笑销晓肖孝銷曉 xie些写协谢胁械鞋邪泄谐携斜歇卸寫協謝脅諧攜 xin新心信辛欣薪芯 xing行性形型星兴幸刑醒姓興 xiong兄雄胸凶熊匈兇 xiu修休秀袖羞 xu需许续须序虚绪叙吁徐蓄許續須虛緒敘籲
xuan选宣旋悬選懸 xue学血雪削穴學 xun训讯寻询迅巡循逊旬勋訓訊尋詢遜勳 ya亚压牙雅呀押涯鸭讶鸦亞壓鴨訝鴉 yan言研演验严眼延烟沿颜厌岩盐掩炎宴艳燕衍驗嚴煙顏厭巖鹽豔 yang样阳养央洋扬仰杨羊氧樣陽養揚楊
yao要药邀摇遥耀妖腰咬谣钥藥搖遙謠鑰 ye也业夜页野叶爷液耶業頁葉爺 yi一以意已议义医易艺依移亿益伊异疑遗亦衣译仪忆宜役疫翼裔抑谊姨椅乙夷議義醫藝億異遺譯儀憶誼 yin因音引印银隐阴饮姻淫銀隱陰飲
ying应影英营迎赢映硬婴盈鹰樱應營贏嬰鷹櫻 yo哟喲 yong用拥永勇泳涌佣庸擁湧傭 you有由又游友优油右尤邮犹幼忧诱幽悠遊優郵猶憂誘 yu于与语育预域遇余鱼予雨狱欲娱誉玉宇愈御渔舆寓愚屿浴逾愉郁羽裕豫喻於與語預餘魚獄娛譽漁輿嶼鬱
yuan员原院元源远愿园援缘圆怨袁員遠願園緣圓 yue月约越阅跃曰悦岳粤約閱躍悅嶽粵 yun运云允孕晕運雲暈 za杂砸咋雜 zai在再载灾仔宰載災 zan赞暂咱贊暫 zang脏葬髒 zao造早遭糟澡 ze则责择泽則責擇澤 zei贼賊
zen怎 zeng增赠贈 zha炸扎诈詐 zhai债宅寨摘債 zhan展战站占詹斩粘戰佔斬 zhang张章障掌涨账帐丈胀彰仗張漲賬帳脹 zhao照找招召赵罩兆趙 zhe这着者折哲浙遮這 zhen真镇针震阵圳珍诊振侦鎮針陣診偵
zheng政正证争整征症郑挣拯蒸證爭徵鄭掙 zhi之只制知治至直指支质织职值致止志置执址智纸植殖旨秩芝脂枝帜滞肢汁質織職執紙幟滯 zhong中种重众终钟忠肿衷種衆終鍾腫鐘 zhou州周洲宙轴骤咒軸驟
zhu主注助住著筑逐驻祝诸猪珠朱竹柱煮築駐諸豬 zhua抓 zhuan专转赚撰砖專轉賺磚 zhuang装状庄撞壮妆裝狀莊壯妝 zhui追坠墜 zhun准準 zhuo桌卓捉 zi自子资字咨兹姿紫滋姊資諮茲 zong总宗综踪纵總綜蹤縱
zou走奏 zu组族足阻祖租組 zuan钻鑽 zui最罪嘴醉 zun尊遵 zuo作做座左坐昨佐`;

/** Kanji and what they are sung as, in romaji; longer ones count first. */
const KANJI = `
永遠eien 未来mirai 明日ashita 今日kyou 昨日kinou 一人hitori 二人futari 世界sekai 名前namae 言葉kotoba 気持kimochi 自分jibun 大切taisetsu 大丈夫daijoubu 部屋heya
季節kisetsu 場所basho 約束yakusoku 記憶kioku 時間jikan 人生jinsei 運命unmei 奇跡kiseki 幸shiawa 今夜konya 毎日mainichi 何度nando 本当hontou 心kokoro 夢yume 桜sakura
花hana 君kimi 僕boku 私watashi 俺ore 愛ai 空sora 夜yoru 風kaze 星hoshi 海umi 月tsuki 日hi 涙namida 光hikari 今ima 人hito 手te 目me 声koe 時toki 道michi 雨ame 恋koi 好su
見mi 行i 来ki 言i 思omo 知shi 生i 死shi 会a 泣na 笑wara 歌uta 街machi 町machi 朝asa 春haru 夏natsu 秋aki 冬fuyu 雪yuki 火hi 水mizu 木ki 森mori 山yama 川kawa 鳥tori 翼tsubasa
中naka 上ue 下shita 前mae 後ato 何nani 誰dare 色iro 白shiro 黒kuro 赤aka 青ao 遠too 近chika 長naga 高taka 強tsuyo 優yasa 美utsuku 悲kana 嬉ure 寂sabi 忘wasu 信shin 走hashi 歩aru
飛to 抱da 咲sa 散chi 消ki 出de 入hai 待ma 止to 続tsuzu 始haji 終owa 変ka 瞳hitomi 胸mune 腕ude 影kage 窓mado 友tomo 達dachi 家ie 母haha 父chichi 子ko 女onna 男otoko 大oo 小chii 少suko
話hana 聞ki 呼yo 叫sake 探saga 守mamo 願nega 祈ino 信shin 流naga 揺yu 輝kagaya 照te 落o 上a 開a 閉to 別waka 離hana 側soba 隣tonari 誓chika 届todo 音oto 闇yami 雲kumo 虹niji 波nami 島shima
`;

const FINALS = soundsBy(
  "a=A;o=AO;e=AH;ai=AY;ei=EY;ao=AW;ou=OW;an=A N;en=AX N;ang=A NG;eng=AX NG;ong=UH NG;er=ER;i=IY;ia=Y A;io=Y AO;ie=Y EH;iao=Y AW;iu=Y OW;ian=Y EH N;in=IH N;iang=Y A NG;ing=IY NG;iong=Y UH NG;u=UW;ua=W A;uo=W AO;uai=W AY;ui=W EY;uan=W A N;un=W AX N;uang=W A NG;ueng=W AX NG;v=UE;ve=Y EH;vn=UE N;van=Y EH N",
);
const INITIALS = soundsBy(
  "b=B;p=P;m=M;f=F;d=D;t=T;n=N;l=L;g=G;k=K;h=HH;j=JH;q=CH;x=SH;zh=JH;ch=CH;sh=SH;r=R;z=D Z;c=T S;s=S",
);

function soundsBy(table: string): ReadonlyMap<string, readonly Phoneme[]> {
  return new Map(table.split(";").map((pair) => [pair.split("=")[0]!, phonemes(pair.split("=")[1]!)] as const));
}

/** Sounds of a syllable of pinyin; empty for what is none. */
export function pinyin(syllable: string): Phoneme[] {
  // y and w only stand where a syllable begins with i, u or ü.
  const whole = syllable
    .replace(/^yu(?=$|e|a|n)/u, "v")
    .replace(/^yi/u, "i")
    .replace(/^y/u, "i")
    .replace(/^wu/u, "u")
    .replace(/^w/u, "u")
    .replace(/^([jqx])u/u, "$1v")
    .replace(/^iou$/u, "iu")
    .replace(/^uei$/u, "ui")
    .replace(/^uen$/u, "un");
  const [, initial = "", final = ""] = /^(zh|ch|sh|[bpmfdtnlgkhjqxrzcs])?(.*)$/u.exec(whole) ?? [];
  // The i of zhi or si is no i but what the tongue's place leaves.
  if (final === "i" && /^(?:[zcs]|zh|ch|sh|r)$/u.test(initial)) return [...(INITIALS.get(initial) ?? []), "IH"];
  const held = FINALS.get(final);
  return held === undefined ? [] : [...(INITIALS.get(initial) ?? []), ...held];
}

let mandarin: ReadonlyMap<string, string> | undefined;
let japanese: ReadonlyMap<string, string> | undefined;

/** Parts a table of "signs" and "letters" joined, such as `爱ai` or `ai爱`. */
function readings(table: string, each: boolean): Map<string, string> {
  const found = new Map<string, string>();
  for (const entry of table.trim().split(/\s+/u)) {
    const letters = entry.replace(/[^a-z]/gu, "");
    const signs = entry.replace(/[a-z]/gu, "");
    for (const sign of each ? signs : [signs]) if (!found.has(sign)) found.set(sign, letters);
  }
  return found;
}

/** Sounds of a character in Mandarin; empty where it is none of the table's. */
export function mandarinOf(sign: string): Phoneme[] {
  mandarin ??= readings(PINYIN, true);
  return pinyin(mandarin.get(sign) ?? "");
}

/** What a Japanese song has for the signs from `at` on: how many signs, and their reading in romaji; null where the table has none. */
export function kanjiAt(
  signs: readonly string[],
  at: number,
): { readonly count: number; readonly romaji: string } | null {
  japanese ??= readings(KANJI, false);
  for (let count = Math.min(3, signs.length - at); count > 0; count--) {
    const romaji = japanese.get(signs.slice(at, at + count).join(""));
    if (romaji !== undefined) return { count, romaji };
  }
  return null;
}
