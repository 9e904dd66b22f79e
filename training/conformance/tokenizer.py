"""T5's tokenizer against `sentencepiece`: a model trained here with T5's normalisation (nmt_nfkc), its tokenizer.json as `transformers` converts it.

    python tokenizer.py [--full DIR]     # 400 strings, or 10,000
"""

import json
import random
import tempfile
from importlib.metadata import version
from pathlib import Path

import sentencepiece
from transformers import T5TokenizerFast

from common import SMALL, folder_of, options

ROOT = Path(__file__).resolve().parents[2]
PIECES = 2000
#: What tokenizers differ in: widths, ligatures, marks that combine, spaces of any kind, controls, signs of their own, other scripts.
ODD = [
    "\u200b", "\u200d", "\ufeff", "\u00ad", "\u2060", "\u00a0", "\u3000", "\u2003", "\u0085", "\t", "\n", "\r\n", "\u0000", "\u0007", "\u001f", "\u007f",
    "ﬁ", "ﬀ", "①", "½", "㎏", "Ａｂｃ", "ｶﾞ", "e\u0301", "é", "ñ", "n\u0303", "İ", "ß", "Ω", "K", "\u0301", "\u0323\u0307", "\u0e33", "각", "가\u11a8",
    "▁", "▁▁", "</s>", "<pad>", "<unk>", "<s>", "<extra_id_0>", "\U0001f3b5", "\U0001f469\u200d\U0001f3a4", "\U0001f1e9\U0001f1ea", "\ufffd", "\ue000",
    "音楽", "ピアノ", "음악", "موسيقى", "музыка", "ดนตรี", "संगीत", "…", "—", "“", "”", "’", "™", "…", "～", "〜", "\u3099", "ﷺ", "\u1e9b\u0323",
]


def strings(count, words):
    draw = random.Random(5)
    for piece in ODD:
        yield piece
        yield f"a{piece}b"
        yield f" {piece} {piece} piano"
    for _ in range(count - 3 * len(ODD)):
        parts = [draw.choice(words) if draw.random() < 0.7 else draw.choice(ODD) for _ in range(draw.randint(1, 14))]
        yield "".join(part + draw.choice([" ", " ", " ", "", ", ", "  "]) for part in parts)


def make(full):
    folder = folder_of("tokenizer", full)
    lines = [line for path in sorted((ROOT / "docs").glob("*.md")) for line in path.read_text().splitlines() if line]
    with tempfile.TemporaryDirectory() as scratch:
        text = Path(scratch) / "text"
        # Characters of other scripts get pieces, too; some stay unknown.
        text.write_text("\n".join(lines + [" ".join(ODD[40:60])] * 3))
        sentencepiece.SentencePieceTrainer.train(
            input=str(text), model_prefix=f"{scratch}/t5", vocab_size=PIECES, model_type="unigram", character_coverage=0.9995,
            normalization_rule_name="nmt_nfkc", pad_id=0, eos_id=1, unk_id=2, bos_id=-1, minloglevel=2, num_threads=1)
        original = sentencepiece.SentencePieceProcessor(model_file=f"{scratch}/t5.model")
        T5TokenizerFast(vocab_file=f"{scratch}/t5.model", add_prefix_space=True).save_pretrained(scratch)
        converted = json.loads(Path(f"{scratch}/tokenizer.json").read_text())
    (folder / "tokenizer.txt").write_text(json.dumps(converted, ensure_ascii=False, separators=(",", ":")))
    words = [word for line in lines for word in line.split()]
    pairs = [[text, original.encode(text) + [1]] for text in strings(10_000 if full else 400, words)]
    (folder / "strings.txt").write_text("".join(json.dumps(pair, separators=(",", ":")) + "\n" for pair in pairs))
    print(f"sentencepiece {version('sentencepiece')}: {len(pairs)} strings, {sum(2 in ids for _, ids in pairs)} with something unknown")


if __name__ == "__main__":
    make(options().full)
