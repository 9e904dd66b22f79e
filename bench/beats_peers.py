"""
Beats of librosa, aubio and madmom for bench/beats.ts: reads one path of a mono 44.1 kHz WAV file a line, answers each with one line of JSON,
{tool: {"beats": [...], "cpu": seconds}}, "error" where a tool is not there. madmom 0.16.1 needs names that Python and NumPy have dropped.
"""
import collections, collections.abc, json, os, sys, time, warnings

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[name] = "1"
warnings.filterwarnings("ignore")
for name in ("MutableSequence", "MutableMapping", "Sequence", "Mapping", "Iterable", "Callable"):
    setattr(collections, name, getattr(collections.abc, name))
import numpy as np

for name, kind in (("float", float), ("int", int), ("bool", bool), ("object", object), ("complex", complex)):
    if not hasattr(np, name):
        setattr(np, name, kind)
import soundfile


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


loaded = {}


def madmom_beats(path):
    from madmom.audio.signal import Signal
    from madmom.features.beats import DBNBeatTrackingProcessor, RNNBeatProcessor

    if not loaded:
        loaded["network"] = RNNBeatProcessor()
        loaded["track"] = DBNBeatTrackingProcessor(fps=100)
    samples, rate = soundfile.read(path, dtype="float32")
    return loaded["track"](loaded["network"](Signal(samples, sample_rate=rate, num_channels=1))).tolist()


TOOLS = {"librosa": librosa_beats, "aubio": aubio_beats, "madmom": madmom_beats}
for line in sys.stdin:
    answer = {}
    for name, tool in TOOLS.items():
        if len(sys.argv) > 1 and name not in sys.argv[1].split(","):
            continue
        try:
            began = time.process_time()
            beats = tool(line.strip())
            answer[name] = {"beats": beats, "cpu": time.process_time() - began}
        except Exception as error:
            answer[name] = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(answer), flush=True)
