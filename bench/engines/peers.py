"""
Python peers of our engines, for bench/engines.ts and bench/beats.ts: `peers.py TOOL,TOOL` reads one path of a 44.1 kHz WAV file a line and answers each
with one line of JSON, {tool: {"found": ..., "cpu": seconds}}, "error" where a tool is not there. One thread. Tools:
beats in seconds (librosa, aubio, madmom), a key as [tonic, mode] (librosa-key), nothing (htdemucs: full width, random weights, four stems).
madmom 0.16.1 needs names that Python and NumPy have dropped.
"""
import collections, collections.abc, json, os, sys, time, warnings

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[name] = "1"
warnings.filterwarnings("ignore")
for name in ("MutableSequence", "MutableMapping", "Sequence", "Mapping", "Iterable", "Callable"):
    setattr(collections, name, getattr(collections.abc, name))
import numpy as np

for name, kind in (("float", float), ("int", int), ("bool", bool), ("object", object), ("complex", complex)):
    if not hasattr(np, name):
        setattr(np, name, kind)
import soundfile

loaded = {}


def once(name, make):
    if name not in loaded:
        loaded[name] = make()
    return loaded[name]


def librosa_beats(path):
    import librosa

    samples, rate = librosa.load(path, sr=22050)
    return librosa.beat.beat_track(y=samples, sr=rate, units="time")[1].tolist()


def aubio_beats(path):
    import aubio

    samples, rate = soundfile.read(path, dtype="float32")
    tempo = aubio.tempo("default", 1024, 512, rate)
    beats = []
    for at in range(0, len(samples) - 511, 512):
        if tempo(samples[at : at + 512])[0]:
            beats.append(float(tempo.get_last_s()))
    return beats


def madmom_beats(path):
    from madmom.audio.signal import Signal
    from madmom.features.beats import DBNBeatTrackingProcessor, RNNBeatProcessor

    network = once("network", RNNBeatProcessor)
    track = once("track", lambda: DBNBeatTrackingProcessor(fps=100))
    samples, rate = soundfile.read(path, dtype="float32")
    return track(network(Signal(samples, sample_rate=rate, num_channels=1))).tolist()


# Listeners' ratings (Krumhansl & Kessler, 1982).
MAJOR = [6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88]
MINOR = [6.33, 2.68, 3.52, 5.38, 2.60, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17]


def key_of(chroma):
    mean = chroma.mean(axis=1)
    fits = [(np.corrcoef(mean, np.roll(profile, tonic))[0, 1], tonic, mode) for mode, profile in (("major", MAJOR), ("minor", MINOR)) for tonic in range(12)]
    _, tonic, mode = max(fits)
    return [int(tonic), mode]


def librosa_key(path):
    import librosa

    samples, rate = librosa.load(path, sr=22050)
    return key_of(librosa.feature.chroma_cqt(y=samples, sr=rate))


def htdemucs(path):
    import torch
    from demucs.apply import apply_model
    from demucs.htdemucs import HTDemucs

    def make():
        torch.set_num_threads(1)
        torch.manual_seed(1)
        # As the released "htdemucs" is made: 42 million parameters.
        model = HTDemucs(["drums", "bass", "other", "vocals"], bottom_channels=512, dconv_mode=3, segment=7.8)
        return model.eval()

    model = once("htdemucs", make)
    samples, _ = soundfile.read(path, dtype="float32", always_2d=True)
    both = np.repeat(samples, 2, axis=1) if samples.shape[1] == 1 else samples
    with torch.no_grad():
        apply_model(model, torch.from_numpy(both.T.copy())[None], shifts=0, split=True, overlap=0.25)
    return None


TOOLS = {
    "librosa": librosa_beats,
    "aubio": aubio_beats,
    "madmom": madmom_beats,
    "librosa-key": librosa_key,
    "htdemucs": htdemucs,
}
if __name__ == "__main__":
    for line in sys.stdin:
        answer = {}
        for name in sys.argv[1].split(","):
            try:
                began = time.process_time()
                found = TOOLS[name](line.strip())
                answer[name] = {"found": found, "cpu": time.process_time() - began}
            except Exception as error:
                answer[name] = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)
