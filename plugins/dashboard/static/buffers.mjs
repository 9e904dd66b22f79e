/** Tracks that sound together to the sample: decoded once and started by one clock. */

/** Stereo at 44.1 kHz in 32 bits: 350 KB a second. Together this is 420 MB; longer sets are played by their elements. */
export const SECONDS_MAX = 1200;

export class Buffers {
  #context = new AudioContext({ sampleRate: 44100 });
  #buffers = [];
  #gains = [];
  #sources = [];
  #began = 0;
  #from = 0;
  playing = false;

  /** Fetches and decodes; `said` is told how many are there. */
  async load(addresses, said) {
    let ready = 0;
    this.#buffers = await Promise.all(
      addresses.map(async (address) => {
        const response = await fetch(address);
        if (!response.ok) throw new Error("The audio is no longer there");
        const buffer = await this.#context.decodeAudioData(await response.arrayBuffer());
        said(++ready);
        return buffer;
      }),
    );
    this.#gains = this.#buffers.map(() => {
      const gain = this.#context.createGain();
      gain.connect(this.#context.destination);
      return gain;
    });
  }

  get seconds() {
    return Math.max(...this.#buffers.map(({ duration }) => duration));
  }

  get time() {
    return this.playing
      ? Math.min(this.seconds, this.#from + Math.max(0, this.#context.currentTime - this.#began))
      : this.#from;
  }

  async play() {
    if (this.playing) return;
    if (this.#from >= this.seconds - 0.01) this.#from = 0;
    await this.#context.resume();
    // A moment ahead, so that none is late.
    this.#began = this.#context.currentTime + 0.05;
    this.#sources = this.#buffers.map((buffer, index) => {
      const source = this.#context.createBufferSource();
      source.buffer = buffer;
      source.connect(this.#gains[index]);
      if (this.#from < buffer.duration) source.start(this.#began, this.#from);
      return source;
    });
    this.playing = true;
  }

  pause() {
    this.#from = this.time;
    this.#stop();
  }

  seek(seconds) {
    const playing = this.playing;
    this.#stop();
    this.#from = Math.max(0, Math.min(this.seconds, seconds));
    if (playing) void this.play();
  }

  /** Heard or not, without a click. */
  hear(index, on) {
    this.#gains[index].gain.setTargetAtTime(on ? 1 : 0, this.#context.currentTime, 0.01);
  }

  #stop() {
    for (const source of this.#sources) source.disconnect();
    this.#sources = [];
    this.playing = false;
  }
}
