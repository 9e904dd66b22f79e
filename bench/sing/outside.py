"""The dry voice heard by trackers of others: pitch by Praat, onsets by energy and spectral change, voice by Silero's and WebRTC's detectors.

  python bench/sing/outside.py JOBS.json          renders of `bench/sing.ts --renders pitch`: pitch and onsets of each note
  python bench/sing/outside.py FILE.wav ...       share of 30 ms frames (of sounding ones) in which each detector hears a voice

Needs numpy, scipy, soundfile, praat-parselmouth, webrtcvad-wheels, silero-vad (its ONNX file) and onnxruntime.
"""
import json, os, sys
import numpy as np, soundfile as sf
from scipy.signal import butter, resample_poly, sosfilt


def notes(path):
    import parselmouth
    voices = {}
    for job in json.load(open(path)):
        if job["kind"] != "pitch":
            continue
        x, rate = sf.read(job["file"])
        pitch = parselmouth.Sound(x, rate).to_pitch_ac(time_step=0.005, pitch_floor=70, pitch_ceiling=1100, very_accurate=True)
        t, f = pitch.xs(), pitch.selected_array["frequency"]
        # Vowels: power below 3.5 kHz, where consonants have little, in 2 ms.
        hop = int(0.002 * rate)
        low = sosfilt(butter(4, [80, 3500], "band", output="sos", fs=rate), x)
        level = 10 * np.log10(np.convolve(low ** 2, np.ones(2 * hop) / (2 * hop), "same")[::hop] + 1e-9)
        # Between voiced sounds: where the mouth opens, the level from 500 Hz to 3.5 kHz rises steepest, in 12 ms.
        upper = sosfilt(butter(4, [500, 3500], "band", output="sos", fs=rate), x)
        open_level = 10 * np.log10(np.convolve(upper ** 2, np.ones(4 * hop) / (4 * hop), "same")[::hop] + 1e-9)
        change = np.r_[np.zeros(3), open_level[6:] - open_level[:-6], np.zeros(600)]
        mine = voices.setdefault(job["voice"], {"cents": [], "within": [], "onset": []})
        for start, end, midi, voiceless, before in job["notes"]:
            core = (t > start + 0.3 * (end - start)) & (t < end - 0.25 * (end - start)) & (f > 0)
            if core.any():
                cents = 1200 * np.log2(f[core] / (440 * 2 ** ((midi - 69) / 12)))
                mine["cents"].append(abs(np.median(cents)))
                mine["within"] += list(np.abs(cents))
            # The vowel is there where its level comes within 6 dB of its own middle, coming from below; after a voiced consonant, where the mouth
            # opens fastest. After another vowel there is no onset but the pitch's.
            a, b = int((start - 0.09) / 0.002), int((start + 0.09) / 0.002)
            inside = level[int((start + 0.08) / 0.002):int((start + 0.25) / 0.002)]
            span = level[max(0, a):b]
            if voiceless and len(inside) and len(span):
                under = np.nonzero(span < np.median(inside) - 6)[0]
                if len(under):
                    mine["onset"].append((max(0, a) + under[-1] + 1) * 0.002 - start)
            elif before != "" and not voiceless:
                a, b = int((start - 0.07) / 0.002), int((start + 0.07) / 0.002)
                mine.setdefault("change", []).append((a + int(np.argmax(change[a:b]))) * 0.002 - start)
    for voice, found in voices.items():
        told = [f"{voice}: {len(found['cents'])} vowels, median {np.median(found['cents']):.1f} cents, 95 % of frames within {np.quantile(found['within'], 0.95):.1f}"]
        for kind in ("onset", "change"):
            if found.get(kind):
                ms = 1000 * np.array(found[kind])
                told.append(f"{'after voiceless' if kind == 'onset' else 'after voiced'}: {len(ms)} onsets, median {np.median(ms):+.0f} ms, within 30 ms {np.mean(np.abs(ms) <= 30):.2f}, 90 % {np.quantile(ms, 0.05):+.0f} to {np.quantile(ms, 0.95):+.0f}")
        print("; ".join(told))


def voices(paths):
    import importlib.util, webrtcvad
    found = importlib.util.find_spec("silero_vad")
    path = os.path.join(os.path.dirname(found.origin), "data", "silero_vad.onnx")
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    net = onnxruntime.InferenceSession(path, options)
    for path in paths:
        x, rate = sf.read(path)
        x = x.mean(axis=1) if x.ndim == 2 else x
        y = resample_poly(x, 160, 441) if rate == 44100 else x
        y = (y / max(1e-9, np.max(np.abs(y))) * 0.7).astype(np.float32)
        state, context, heard, loud = np.zeros((2, 1, 128), np.float32), np.zeros(64, np.float32), [], []
        for k in range(len(y) // 512):
            block = y[512 * k:512 * (k + 1)]
            out, state = net.run(None, {"input": np.r_[context, block][None], "state": state, "sr": np.array(16000, np.int64)})
            context = block[-64:]
            heard.append(out[0, 0]); loud.append(np.mean(block ** 2))
        sounding = np.array(loud) > 1e-4 * np.max(loud)
        detector = webrtcvad.Vad(3)
        frames = [(y[480 * k:480 * (k + 1)] * 32767).astype(np.int16).tobytes() for k in range(len(y) // 480)]
        other = [detector.is_speech(frame, 16000) for frame in frames]
        print(f"{os.path.basename(path):34s} Silero {np.mean((np.array(heard) > 0.5)[sounding]):.2f}, WebRTC (3) {np.mean(other):.2f}", flush=True)


if sys.argv[1].endswith(".json"):
    notes(sys.argv[1])
else:
    voices(sys.argv[1:])
