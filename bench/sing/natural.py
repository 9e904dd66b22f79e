"""How natural held vowels are, against the vowels of the speaker whose sounds are sung: measures that were named before anything was tuned on them.

  python bench/sing/natural.py PLOT.png LABEL=GLOB ...      wave files; LABEL=GLOB of a speaker's own recordings as well

Of vowels (voiced stretches of at least 60 ms without their ends): spectral flux (mean distance of one 5 ms frame's mel bands to the next one's,
dB), jitter and shimmer (local, per cent) and harmonics-to-noise ratio (dB), all but the flux by Praat. Needs numpy, soundfile, praat-parselmouth
and matplotlib; with librosa and onnxruntime beside speechmos, DNSMOS as well (C. K. A. Reddy et al., ICASSP 2022), which was learnt on speech.
"""
import glob, sys
import numpy as np, parselmouth, soundfile as sf
from parselmouth.praat import call

NAMES = ["flux dB", "jitter %", "shimmer %", "HNR dB", "DNSMOS overall"]


def mel_bands(x, rate):
    size, hop = round(0.025 * rate), round(0.005 * rate)
    frames = np.lib.stride_tricks.sliding_window_view(x, size)[::hop] * np.hanning(size)
    power = np.abs(np.fft.rfft(frames, 2048 if rate <= 48000 else 4096)) ** 2
    hertz = np.linspace(0, rate / 2, power.shape[1])
    edges = 700 * (np.exp(np.linspace(np.log(1 + 100 / 700), np.log(1 + 7000 / 700), 26)) - 1)
    bank = np.array([np.maximum(0, np.minimum((hertz - a) / (b - a), (c - hertz) / (c - b))) for a, b, c in zip(edges, edges[1:], edges[2:])])
    return 10 * np.log10(power @ bank.T + 1e-10)


def measure(path):
    x, rate = sf.read(path)
    x = x if x.ndim == 1 else x.mean(axis=1)
    x = x / max(1e-9, np.abs(x).max()) * 0.7
    sound = parselmouth.Sound(x, rate)
    pitch = sound.to_pitch_ac(time_step=0.005, pitch_floor=70, pitch_ceiling=700)
    f0, t = pitch.selected_array["frequency"], pitch.xs()
    harmonic = sound.to_harmonicity_cc(time_step=0.005, minimum_pitch=70)
    points = call(sound, "To PointProcess (periodic, cc)", 70, 700)
    bands = mel_bands(x, rate)
    found = {name: [] for name in NAMES[:4]}
    voiced = np.r_[0, (f0 > 0).astype(int), 0]
    for a, b in zip(np.where(np.diff(voiced) == 1)[0], np.where(np.diff(voiced) == -1)[0] - 1):
        # Steady where bands move little for 60 ms; consonants and glides between vowels fall out.
        for first in range(a + 4, b - 16, 12):
            begin, end = t[first], t[first + 12]
            k = round(begin / 0.005)
            part = bands[k:k + 12]
            if len(part) < 12 or np.sqrt(np.mean((part[-1] - part[0]) ** 2)) > 4:
                continue
            found["flux dB"].append(np.sqrt(np.mean(np.diff(part, axis=0) ** 2)))
            found["jitter %"].append(100 * call(points, "Get jitter (local)", begin, end, 0.0001, 0.02, 1.3))
            found["shimmer %"].append(100 * call([sound, points], "Get shimmer (local)", begin, end, 0.0001, 0.02, 1.3, 1.6))
            found["HNR dB"].append(call(harmonic, "Get mean", begin, end))
    return found


def main():
    plot, *groups = sys.argv[1:]
    try:
        from speechmos import dnsmos
        import librosa
    except ImportError:
        dnsmos = None
    rows = {}
    for group in groups:
        label, pattern = group.split("=", 1)
        all_ = {name: [] for name in NAMES}
        for path in sorted(glob.glob(pattern)):
            for name, some in measure(path).items():
                all_[name] += [value for value in some if np.isfinite(value)]
            if dnsmos is not None:
                x, rate = sf.read(path)
                y = librosa.resample(x if x.ndim == 1 else x.mean(axis=1), orig_sr=rate, target_sr=16000)
                all_["DNSMOS overall"].append(float(dnsmos.run(np.clip(y / np.abs(y).max() * 0.5, -1, 1), 16000)["ovrl_mos"]))
        rows[label] = all_
        print(label, "; ".join(f"{name} {np.median(some):.2f} ({np.quantile(some, 0.25):.2f} to {np.quantile(some, 0.75):.2f})"
                               for name, some in all_.items() if some), f"n {len(all_['flux dB'])}", flush=True)
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    names = [name for name in NAMES if any(row[name] for row in rows.values())]
    figure, axes = plt.subplots(1, len(names), figsize=(3.6 * len(names), 4))
    for axis, name in zip(axes, names):
        axis.boxplot([row[name] or [np.nan] for row in rows.values()], showfliers=False)
        axis.set_xticklabels(list(rows), rotation=60, ha="right", fontsize=8)
        axis.set_title(name)
    figure.tight_layout()
    figure.savefig(plot, dpi=80)


main()
