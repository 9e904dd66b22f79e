/**
 * What the tracks of a player sound through, and the two ways to play them in step: from memory, or by their elements.
 */

/**
 * Stereo at 44.1 kHz in 32 bits: 350 KB a second. Together this is 420 MB; longer sets are played by their elements.
 */
export const SECONDS_MAX = 1200;
const RATE = 44100;
/** For the sound device. */
const WAIT_MS = 8000;
/** Of a switch that is pressed while it sounds, so that it does not click. */
const RAMP_SECONDS = 0.01;

/**
 * One strip a track, to one sum with one volume, whose level is told. A strip that nobody touched changes no sample.
 */
export class Mixer {
  context = new AudioContext({ sampleRate: RATE });
  inputs = [];
  #sum = this.context.createGain();
  #pans = [];
  #meters = [];
  #targets = new Map();
  #frame = new Float32Array(2048);

  constructor(count) {
    for (let index = 0; index < count; index++) {
      // Mono is heard on both sides as it is: a panner would take 3 dB from it.
      const input = new GainNode(this.context, { channelCount: 2, channelCountMode: "explicit" });
      input.connect(this.#sum);
      this.inputs.push(input);
    }
    const sides = this.context.createChannelSplitter(2);
    this.#sum.connect(this.context.destination);
    this.#sum.connect(sides);
    for (const side of [0, 1]) {
      const meter = this.context.createAnalyser();
      sides.connect(meter, side);
      this.#meters.push(meter);
    }
  }

  /** `gain` as a factor. */
  set(index, gain, pan = 0) {
    this.#turn(this.inputs[index].gain, gain);
    // Only where it is wanted: in the middle a panner still rounds.
    if (pan !== 0 && this.#pans[index] === undefined) {
      const panner = this.context.createStereoPanner();
      this.inputs[index].disconnect();
      this.inputs[index].connect(panner).connect(this.#sum);
      this.#pans[index] = panner;
    }
    if (this.#pans[index] !== undefined) this.#turn(this.#pans[index].pan, pan);
  }

  /** Rejects where a browser waits for a sound device that does not come. */
  async resume() {
    const given_up = new Promise((_, reject) =>
      setTimeout(() => reject(new Error("The browser finds nothing to play sound on")), WAIT_MS),
    );
    await Promise.race([this.context.resume(), given_up]);
  }

  volume(gain) {
    this.#turn(this.#sum.gain, gain);
  }

  /** Of the last 46 ms, left and right, as factors. */
  peaks() {
    return this.#meters.map((meter) => {
      meter.getFloatTimeDomainData(this.#frame);
      return this.#frame.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
    });
  }

  /** A ramp of known length ends on the value; an exponential one only nears it. */
  #turn(param, value) {
    // The parameter itself still tells the old value while nothing runs.
    if ((this.#targets.get(param) ?? param.value) === value) return;
    this.#targets.set(param, value);
    const now = this.context.currentTime;
    param.cancelScheduledValues(now);
    param.setValueAtTime(param.value, now);
    param.linearRampToValueAtTime(value, now + RAMP_SECONDS);
  }
}

/** Decoded once and started by one clock: in phase to the sample, also around a loop. */
export class Buffers {
  speed = 1;
  playing = false;
  #mixer;
  #buffers;
  #sources = [];
  #began = 0;
  #from = 0;
  #run = 0;
  #loop;

  constructor(mixer, buffers) {
    this.#mixer = mixer;
    this.#buffers = buffers;
  }

  /**
   * Fetches and decodes; `say` is told how many are there. Shorter ones are filled up with silence: a loop is one for
   * all.
   */
  static async load(mixer, addresses, say) {
    let count = 0;
    const decoded = await Promise.all(
      addresses.map(async (address) => {
        const response = await fetch(address);
        if (!response.ok) throw new Error("The audio is no longer there");
        const buffer = await mixer.context.decodeAudioData(await response.arrayBuffer());
        say(++count);
        return buffer;
      }),
    );
    const length = Math.max(...decoded.map((buffer) => buffer.length));
    const filled = decoded.map((buffer) => {
      if (buffer.length === length) return buffer;
      const whole = mixer.context.createBuffer(buffer.numberOfChannels, length, RATE);
      for (let channel = 0; channel < buffer.numberOfChannels; channel++)
        whole.copyToChannel(buffer.getChannelData(channel), channel);
      return whole;
    });
    return new Buffers(mixer, filled);
  }

  get seconds() {
    return this.#buffers[0].duration;
  }

  get time() {
    if (!this.playing) return this.#from;
    const now = this.#from + Math.max(0, this.#mixer.context.currentTime - this.#began);
    if (this.#loop === undefined || now < this.#loop.to) return Math.min(this.seconds, now);
    return this.#loop.from + ((now - this.#loop.from) % (this.#loop.to - this.#loop.from));
  }

  /** Once the last sample has sounded, and not a moment before. */
  get ended() {
    return this.#mixer.context.currentTime >= this.#began + this.seconds - this.#from;
  }

  async play() {
    if (this.playing) return;
    if (this.#from >= this.seconds - 0.01) this.#from = 0;
    if (this.#loop !== undefined && (this.#from < this.#loop.from || this.#from >= this.#loop.to))
      this.#from = this.#loop.from;
    this.playing = true;
    this.#began = Number.POSITIVE_INFINITY;
    const run = ++this.#run;
    await this.#mixer.resume();
    // Paused or sought meanwhile.
    if (run !== this.#run) return;
    // A moment ahead, so that none is late.
    this.#began = this.#mixer.context.currentTime + 0.05;
    this.#sources = this.#buffers.map((buffer, index) => {
      const source = this.#mixer.context.createBufferSource();
      source.buffer = buffer;
      if (this.#loop !== undefined)
        Object.assign(source, { loop: true, loopStart: this.#loop.from, loopEnd: this.#loop.to });
      source.connect(this.#mixer.inputs[index]);
      source.start(this.#began, this.#from);
      return source;
    });
  }

  pause() {
    this.#from = this.time;
    this.#run++;
    for (const source of this.#sources) source.disconnect();
    this.#sources = [];
    this.playing = false;
  }

  seek(seconds) {
    const playing = this.playing;
    this.pause();
    this.#from = Math.max(0, Math.min(this.seconds, seconds));
    if (playing) void this.play();
  }

  /** `{ from, to }` in seconds, or undefined. */
  loop(region) {
    const { time } = this;
    this.#loop = region;
    this.seek(time);
  }

  step() {}
}

/**
 * Elements that are pulled back into step where they drift: for what is too long for memory, for one alone, and at
 * other speeds with their pitch kept.
 */
export class Elements {
  playing = false;
  #mixer;
  #players;
  #speed = 1;
  #loop;

  constructor(mixer, players) {
    this.#mixer = mixer;
    this.#players = players;
    for (const [index, player] of players.entries()) {
      // An element gives its sound away once and for all.
      player.sounds ??= mixer.context.createMediaElementSource(player);
      player.sounds.connect(mixer.inputs[index]);
    }
  }
  get #longest() {
    return this.#players.reduce((one, other) => ((other.duration || 0) > (one.duration || 0) ? other : one));
  }
  get time() {
    return this.#longest.currentTime;
  }
  get ended() {
    return this.#longest.ended;
  }
  set speed(factor) {
    this.#speed = factor;
    for (const player of this.#players) player.playbackRate = factor;
  }
  async play() {
    const from = this.time;
    this.playing = true;
    await this.#mixer.resume();
    for (const player of this.#players) {
      player.currentTime = from;
      player.playbackRate = this.#speed;
    }
    await Promise.all(this.#players.map((player) => player.play()));
  }
  pause() {
    for (const player of this.#players) player.pause();
    this.playing = false;
  }
  seek(seconds) {
    for (const player of this.#players) player.currentTime = Math.min(seconds, player.duration || seconds);
  }
  loop(region) {
    this.#loop = region;
  }
  step() {
    if (!this.playing) return;
    const first = this.#longest;
    if (this.#loop !== undefined && (this.time >= this.#loop.to - 0.02 || first.ended)) {
      this.seek(this.#loop.from);
      void first.play();
    }
    for (const player of this.#players) {
      if (player === first || player.ended || player.seeking || player.duration <= first.currentTime) continue;
      const late = first.currentTime - player.currentTime;
      if (Math.abs(late) > 0.25) player.currentTime = first.currentTime;
      else player.playbackRate = this.#speed * (Math.abs(late) < 0.01 ? 1 : 1 + Math.max(-0.03, Math.min(0.03, late)));
    }
  }
}
