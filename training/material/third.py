"""
Writes pieces of a composer that shares nothing with ours: patterns typed in by hand, General MIDI, FluidSynth. What nothing was set on.

    python training/material/third.py --out FOLDER [--seeds 1-2] [--seconds 58] [--whole] [--genres pop,waltz] [--banks a.sf2,b.sf2]

A piece is FOLDER/GENRE-SEED/{mix.flac,truth.json}, as bench/beats.ts, bench/cut.ts and training/rhythm/dump.ts read it: beats and downbeats in seconds.
--whole gives each an ending and 75 to 150 s. Needs numpy, mido, soundfile, the program `fluidsynth` and Debian's fluid-soundfont-gm,
timgm6mb-soundfont and csound-soundfont, or other banks.
"""
import argparse
import json
import subprocess
from pathlib import Path

import mido
import numpy as np
import soundfile

RATE = 44_100
SF2 = "/usr/share/sounds/sf2"
KICK, SNARE, STICK, CLAP, HAT, OPEN, CRASH, RIDE, PEDAL = 36, 38, 37, 39, 42, 46, 49, 51, 44
SHAKER, CLAVES, CONGA_LOW, CONGA, CONGA_MUTE = 70, 75, 64, 63, 62
TOMS = [SNARE, 48, 45, 43]
CHORDS, BASS, TUNE, DRUMS = 0, 1, 2, 9
# Semitones above the tonic of the chords of four bars.
MAJOR = [[0, 5, 7, 0], [0, 7, 9, 5], [9, 5, 0, 7], [0, 9, 5, 7], [0, 4, 5, 7], [2, 7, 0, 9]]
MINOR = [[9, 5, 0, 7], [9, 2, 4, 9], [9, 7, 5, 4], [9, 0, 7, 2]]
TRIADS = {0: [0, 4, 7], 2: [2, 5, 9], 4: [4, 7, 11], 5: [5, 9, 12], 7: [7, 11, 14], 9: [9, 12, 16]}
FORM = ["intro", "verse", "verse", "chorus", "verse", "chorus", "bridge", "chorus"]


def every(step, note, loud, beats=4, weak=0, first=0.0):
    """Strokes at each `step` beats; every other one softer by `weak`."""
    return [(first + n * step, note, loud - weak * (n % 2)) for n in range(int(round((beats - first) / step)))]


def strokes(note, *places):
    return [(place, note, loud) for place, loud in places]


BACKBEAT = strokes(SNARE, (1, 110), (3, 112))
FOUR = every(1, KICK, 114)
# Genre: beats a minute, beats a bar, swing (0 to 0.33), human time in seconds, drums, chords, bass, instruments of the chords.
GENRES = {
    "pop": ((96, 126), 4, 0, 0, strokes(KICK, (0, 110), (2, 105), (2.5, 80)) + BACKBEAT + every(0.5, HAT, 85, weak=15), "quavers", "quavers", (0, 1, 27)),
    "rock": ((112, 150), 4, 0, 0.006, strokes(KICK, (0, 115), (1.5, 90), (2, 110)) + BACKBEAT + every(0.5, HAT, 80), "fifths", "quavers", (29, 30)),
    "house": ((118, 128), 4, 0, 0, FOUR + every(1, OPEN, 90, first=0.5) + strokes(CLAP, (1, 100), (3, 103)) + every(0.25, HAT, 45), "stabs", "off", (81, 4, 16)),
    "techno": ((128, 142), 4, 0, 0, FOUR + every(0.25, HAT, 55) + every(1, OPEN, 80, first=0.5) + strokes(STICK, (3.75, 60)), "dub", "rolling", (81, 87)),
    "hiphop": ((84, 98), 4, 0.12, 0, strokes(KICK, (0, 115), (0.75, 80), (2.5, 105)) + BACKBEAT + every(0.5, HAT, 70), "sparse", "syncopated", (4, 5, 11)),
    "dnb": ((168, 178), 4, 0, 0, strokes(KICK, (0, 115), (2.5, 110)) + BACKBEAT + strokes(SNARE, (1.75, 45), (3.5, 40)) + every(0.5, HAT, 75), "pad", "long", (89, 4)),
    "funk": ((98, 114), 4, 0.04, 0, strokes(KICK, (0, 115), (1.5, 90), (2.25, 95)) + BACKBEAT + strokes(SNARE, (1.75, 40), (2.5, 35), (3.75, 45)) + every(0.25, HAT, 80, weak=20), "scratch", "funk", (28, 7)),
    "reggae": ((70, 82), 4, 0, 0.006, strokes(KICK, (2, 112)) + strokes(STICK, (2, 100)) + every(0.5, HAT, 65, weak=-8), "skank", "reggae", (16, 26)),
    "jazz": ((120, 200), 4, 0.33, 0.008, strokes(RIDE, (0, 85), (1, 95), (1.5, 70), (2, 85), (3, 95), (3.5, 70)) + strokes(PEDAL, (1, 80), (3, 80)) + strokes(SNARE, (2.5, 35)), "charleston", "walking", (0, 26)),
    "bossa": ((116, 140), 4, 0, 0.006, strokes(KICK, (0, 90), (1.5, 80), (2, 90), (3.5, 80)) + strokes(STICK, (0, 80), (1.5, 80), (3, 80)) + every(0.5, HAT, 55), "bossa", "bossa", (24, 0)),
    "waltz": ((100, 170), 3, 0, 0.01, strokes(KICK, (0, 90)) + strokes(STICK, (1, 60), (2, 60)), "waltz", "root", (21, 0, 24)),
    "sixeight": ((50, 72), 2, 0, 0.008, strokes(KICK, (0, 105)) + strokes(SNARE, (1, 105)) + every(1 / 3, HAT, 68, beats=2), "triplets", "root", (0, 27, 24)),
    "metal": ((120, 176), 4, 0, 0.004, every(0.5, KICK, 110) + BACKBEAT + every(1, RIDE, 85), "gallop", "quavers", (30,)),
    "folk": ((92, 128), 4, 0, 0.012, [], "strum", "two", (25, 24)),
    "pianoballad": ((62, 80), 4, 0, 0.012, [], "broken", "root", (0,)),
    "rockballad": ((66, 82), 4, 0, 0.008, strokes(KICK, (0, 105), (2, 95), (2.5, 80)) + BACKBEAT + every(0.5, HAT, 65), "broken", "two", (0, 27)),
    "latin": ((92, 112), 4, 0, 0.004, strokes(KICK, (0, 100), (2, 100)) + strokes(CONGA_LOW, (0.5, 80)) + strokes(CONGA, (1.5, 85), (3.5, 75)) + strokes(CONGA_MUTE, (3, 80)) + every(0.5, SHAKER, 55) + strokes(CLAVES, (0, 75), (1.5, 80), (3, 80)), "montuno", "tumbao", (0,)),
    "disco": ((112, 126), 4, 0, 0.003, FOUR + BACKBEAT + every(1, OPEN, 85, first=0.5) + every(1, HAT, 60), "scratch", "octaves", (48, 28)),
    "country": ((100, 132), 4, 0, 0.008, strokes(KICK, (0, 100), (2, 100)) + strokes(SNARE, (1, 90), (3, 90)) + every(0.5, HAT, 55), "boom-chick", "two", (25, 105)),
    "classical": ((84, 132), 4, 0, 0.02, [], "alberti", "root", (0, 48)),
    "march": ((108, 124), 2, 0, 0.006, strokes(KICK, (0, 105)) + strokes(SNARE, (0.5, 60), (1, 95), (1.5, 60), (1.75, 50)), "march", "root", (61, 56)),
    "soul": ((74, 104), 4, 0.1, 0.006, strokes(KICK, (0, 108), (1.75, 80), (2.5, 95)) + BACKBEAT + every(0.5, HAT, 65), "stabs", "syncopated", (16, 4)),
    "synthpop": ((108, 132), 4, 0, 0, strokes(KICK, (0, 112), (2, 112)) + BACKBEAT + every(0.25, HAT, 50), "arpeggio", "rolling", (81, 90)),
    "trap": ((132, 148), 4, 0, 0, strokes(KICK, (0, 115), (1.5, 95), (2.75, 95)) + strokes(CLAP, (2, 112)) + every(0.5, HAT, 70) + strokes(HAT, (3.25, 50), (3.75, 50)), "pad", "long", (11, 89)),
}


def chords_of(figure, chord, beats):
    """(place, length, note, velocity) within a bar of `beats`."""
    above = [*chord, chord[0] + 12]
    low, fifth = chord[0] - 12, chord[0] - 5
    block = lambda places, length, loud, notes=chord: [(place, length, note, loud) for place in places for note in notes]
    line = lambda step, order, loud: [(n * step, step * 1.2, above[order[n % len(order)]], loud) for n in range(int(round(beats / step)))]
    return {
        "quavers": lambda: block(np.arange(0, beats, 0.5), 0.45, 68),
        "fifths": lambda: block(np.arange(0, beats, 0.5), 0.45, 85, [low, fifth]),
        "gallop": lambda: block([beat + part for beat in range(beats) for part in (0, 0.5, 0.75)], 0.2, 95, [low, fifth]),
        "stabs": lambda: block(np.arange(0.5, beats), 0.25, 80),
        "dub": lambda: block([0.75, 1.5, 2.25, 3], 0.15, 75),
        "sparse": lambda: block([0], 1.4, 75) + block([2.5], 1, 60),
        "pad": lambda: block([0], beats, 65),
        "scratch": lambda: block([0.75, 2, 3.75], 0.12, 55) + block([0.5, 1.5, 2.75, 3.5], 0.12, 78),
        "skank": lambda: block([1, 3], 0.25, 88),
        "charleston": lambda: block([0], 0.9, 65) + block([1.5], 0.4, 70),
        "bossa": lambda: block([0, 1, 2.5, 3.5], 0.4, 65),
        "waltz": lambda: block([1, 2], 0.5, 65),
        "march": lambda: block([0.5, 1.5], 0.3, 70),
        "triplets": lambda: line(1 / 3, [0, 1, 2, 3, 2, 1], 70),
        "broken": lambda: line(0.5, [0, 2, 1, 2, 3, 2, 1, 2], 66),
        "arpeggio": lambda: line(0.25, [0, 1, 2, 3], 70),
        "alberti": lambda: line(0.5, [0, 2, 1, 2], 62),
        "strum": lambda: [(place + 0.012 * k, 0.5, note, loud) for place, loud in ((0, 85), (1, 70), (1.5, 55), (2.5, 60), (3, 72), (3.5, 55)) for k, note in enumerate(chord)],
        "boom-chick": lambda: block([1, 3], 0.3, 72) + [(0, 0.5, low, 80), (2, 0.5, chord[2] - 12, 78)],
        "montuno": lambda: block([0, 0.5, 1.5, 2.5, 3.5], 0.25, 80),
    }[figure]()


def bass_of(figure, root, beats):
    fifth = root + 7
    return {
        "quavers": lambda: [(n / 2, 0.45, root, 95) for n in range(2 * beats)],
        "root": lambda: [(0, beats * 0.9, root, 90)],
        "two": lambda: [(0, 0.9, root, 92), (beats / 2, 0.9, fifth, 88)],
        "off": lambda: [(n + 0.5, 0.35, root, 100) for n in range(beats)],
        "rolling": lambda: [(n / 4, 0.2, root, 95 if n % 4 == 2 else 85) for n in range(4 * beats) if n % 4],
        "syncopated": lambda: [(0, 0.7, root, 98), (0.75, 0.5, root, 85), (2.5, 0.8, fifth, 92)],
        "long": lambda: [(0, beats * 0.95, root, 100)],
        "funk": lambda: [(0, 0.3, root, 105), (0.75, 0.2, root, 80), (1.5, 0.2, root + 12, 95), (2.25, 0.3, root, 92), (3.5, 0.2, fifth, 88)],
        "reggae": lambda: [(0, 0.8, root, 100), (1.5, 0.4, fifth, 90), (2, 0.8, root, 95), (3.5, 0.4, root, 85)],
        "walking": lambda: [(n, 0.9, note, 92) for n, note in enumerate([root, root + 4, fifth, root + 9])],
        "bossa": lambda: [(0, 1.3, root, 92), (1.5, 0.5, fifth, 80), (2, 1.3, fifth, 90), (3.5, 0.5, root, 80)],
        "tumbao": lambda: [(1.5, 1.4, root, 98), (3, 1, fifth, 95)],
        "octaves": lambda: [(n / 2, 0.4, root + 12 * (n % 2), 95) for n in range(2 * beats)],
    }[figure]()


class Clock:
    """Beats in seconds: a tempo that drifts by up to 4 % where people play, quavers and semiquavers that swing."""

    def __init__(self, bpm, count, swing, human, rng):
        drift = np.cumsum(rng.normal(0, 0.14 * human, count))
        drift = np.clip(drift - np.linspace(0, 1, count) * drift[-1], -0.04, 0.04)
        self.beat = 60 / bpm
        self.times = 0.4 + np.concatenate([[0], np.cumsum(self.beat * (1 + drift))])
        self.swing = swing

    def at(self, beat):
        whole = int(np.floor(beat + 1e-9))
        part = beat - whole
        if abs(part - 0.5) < 1e-6:
            part += self.swing / 2
        elif abs(part - 0.75) < 1e-6:
            part += self.swing / 4
        return self.times[whole] + part * (self.times[whole + 1] - self.times[whole])


def write(folder, genre, seed, number, bank, seconds, whole):
    (slow, fast), beats, swing, human, drums, figure, bass, programs = GENRES[genre]
    rng = np.random.default_rng([seed, number])
    bpm = rng.uniform(slow, fast)
    bars = max(16, int((rng.uniform(75, 150) if whole else seconds) / (60 / bpm * beats) / 8) * 8)
    clock = Clock(bpm, bars * beats + 2, swing, human, rng)
    key = int(rng.integers(-5, 7))
    chords = [MAJOR, MINOR][int(rng.random() < 0.4)]
    chords = chords[rng.integers(len(chords))]
    motif = [int(step) for step in rng.choice([0, 2, 4, 7, 9, 12], 8)]
    events = []

    def play(channel, place, length, note, loud):
        time = max(0, clock.at(place) + rng.normal(0, human))
        loud = int(np.clip(loud + rng.normal(0, 5), 20, 127))
        events.append((time, 1, channel, int(note), loud))
        events.append((time + max(0.05, length * clock.beat * 0.95), 0, channel, int(note), 0))

    section = max(4, bars // 8)
    for bar in range(bars):
        kind, first = FORM[min(7, bar // section)], bar * beats
        chord = [60 + key + note for note in TRIADS[chords[bar % 4]]]
        root = chord[0] - 24 if chord[0] - 24 <= 47 else chord[0] - 36
        if whole and bar == bars - 1:
            for note in chord:
                play(CHORDS, first, beats * 1.6, note, 90)
            play(BASS, first, beats * 1.6, root, 100)
            for note in [CRASH, KICK] if drums else []:
                play(DRUMS, first, 1, note, 110)
            break
        softer = 0.85 if kind == "verse" else 1
        for place, length, note, loud in chords_of(figure, chord, beats):
            play(CHORDS, first + place, length, note, loud * softer)
        if kind != "intro" or bar % section >= section // 2:
            for place, length, note, loud in bass_of(bass, root, beats):
                play(BASS, first + place, length, note, loud)
            if drums and (kind != "bridge" or bar % 2 == 0):
                for place, note, loud in drums:
                    if rng.random() < 0.97:
                        play(DRUMS, first + place, 0.2, note, loud)
                if bar % section == 0:
                    play(DRUMS, first, 1, CRASH, 105)
                if bar % section == section - 1 and beats == 4:
                    for n, note in enumerate(TOMS):
                        play(DRUMS, first + 3 + n / 4, 0.2, note, 90 + 5 * n)
        if kind in ("verse", "chorus"):
            place, lengths = 0, [1 / 3, 2 / 3, 1] if genre == "sixeight" else [0.5, 1, 1.5]
            while place < beats - 0.01:
                length = rng.choice(lengths)
                if rng.random() < 0.75:
                    play(TUNE, first + place, length * 0.9, chord[0] + 12 + motif[int(bar * 2 + place * 2) % 8] % 12, 85)
                place += length
    folder.mkdir(parents=True, exist_ok=True)
    tune = rng.choice([73, 65, 52, 71, 56, 80, 11, 64])
    bass_program = 32 if bass == "walking" else rng.choice([33, 34, 32, 38])
    sound = sounded(events, {CHORDS: rng.choice(programs), BASS: bass_program, TUNE: tune}, bank, folder)
    sound = sound[: np.nonzero(np.abs(sound).max(1) > 1e-3)[0][-1] + RATE // 2] if whole else sound[: seconds * RATE]
    soundfile.write(folder / "mix.flac", 0.9 * sound / np.abs(sound).max(), RATE, subtype="PCM_16")
    times = [round(float(time), 4) for time in clock.times[: bars * beats] if time < len(sound) / RATE]
    truth = {"genre": genre, "seed": seed, "tempo": bpm, "meter": beats, "division": 3 if genre == "sixeight" else 2, "swing": 0.5 + swing / 2}
    (folder / "truth.json").write_text(json.dumps({**truth, "beats": times, "downbeats": times[::beats], "duration": len(sound) / RATE}))


def sounded(events, programs, bank, folder):
    """[frames, 2]"""
    song = mido.MidiFile(ticks_per_beat=1000)
    track = mido.MidiTrack([mido.MetaMessage("set_tempo", tempo=1_000_000)])
    track += [mido.Message("program_change", channel=channel, program=int(program)) for channel, program in programs.items()]
    song.tracks.append(track)
    now = 0
    for time, _, channel, note, loud in sorted(events, key=lambda event: event[:2]):
        tick = int(round(time * 1000))
        track.append(mido.Message("note_on", channel=channel, note=int(np.clip(note, 0, 127)), velocity=loud, time=tick - now))
        now = tick
    notes, heard = folder / "notes.mid", folder / "mix.wav"
    song.save(notes)
    subprocess.run(["fluidsynth", "-ni", "-g", "0.5", "-r", str(RATE), "-F", heard, bank, notes], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    sound, _ = soundfile.read(heard)
    heard.unlink()
    return sound


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--seeds", default="1-2")
    options.add_argument("--seconds", type=int, default=58)
    options.add_argument("--whole", action="store_true")
    options.add_argument("--genres", default=",".join(GENRES))
    options.add_argument("--banks", default=f"{SF2}/FluidR3_GM.sf2,{SF2}/TimGM6mb.sf2,{SF2}/sf_GMbank.sf2")
    given = options.parse_args()
    first, _, last = given.seeds.partition("-")
    banks = given.banks.split(",")
    for seed in range(int(first), int(last or first) + 1):
        for number, genre in enumerate(GENRES):
            if genre in given.genres.split(","):
                bank = banks[(seed + number) % len(banks)]
                write(given.out / f"{genre}-{seed}", genre, seed, number, bank, given.seconds, given.whole)
                print(f"{genre}-{seed}", flush=True)


if __name__ == "__main__":
    main()
