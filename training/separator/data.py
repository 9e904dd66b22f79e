"""Examples for training: stems of packed pieces, as they belong together or mixed across pieces, and treated at random."""

from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from kernels import kernel
from model import BINS, RATE, SOURCES, stft

# How often a renderer's pieces are drawn, whatever their number.
WEIGHTS = {"studio": 0.15, "gm": 0.12, "csound": 0.09, "freepats": 0.06, "kits": 0.08, "patches": 0.12, "chips": 0.15, "opl": 0.23}


class Material:
    """What pack.py made; `refresh` finds what was rendered meanwhile."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.refresh()

    def refresh(self):
        self.pieces = {}
        self.voices = []
        for renderer in sorted(path for path in self.folder.iterdir() if path.is_dir()):
            pieces = {}
            for file in sorted(renderer.glob("*.npy")):
                piece, source, _ = file.name.rsplit(".", 2)
                pieces.setdefault(piece, {})[source] = np.load(file, mmap_mode="r")
            if renderer.name.startswith("voices"):
                self.voices += [stems["vocals"] for stems in pieces.values()]
            else:
                self.pieces[renderer.name] = [p for p in pieces.values() if len(p) >= 2]
        names = [name for name in self.pieces if name in WEIGHTS and self.pieces[name]]
        self.names = names
        self.chances = np.array([WEIGHTS[name] for name in names]) / sum(WEIGHTS[name] for name in names)

    def piece(self, rng):
        pieces = self.pieces[rng.choice(self.names, p=self.chances)]
        return pieces[rng.integers(len(pieces))]

    def voice(self, rng):
        """A file of vocals: mostly voices rendered alone, else those of the studio and of the other pieces."""
        kind = rng.random()
        if self.voices and kind < 0.6:
            return self.voices[rng.integers(len(self.voices))]
        pool = self.pieces.get("studio") if kind < 0.85 else None
        for _ in range(8):
            piece = pool[rng.integers(len(pool))] if pool else self.piece(rng)
            if "vocals" in piece:
                return piece["vocals"]
        return self.voices[rng.integers(len(self.voices))]


def cut(file, at, samples, speed):
    """[2, samples] float32 of a packed file, read `speed` times as fast."""
    need = int(samples * speed) + 2
    x = np.asarray(file[at : at + need], dtype=np.float32).T * (1 / 32768)
    if speed != 1 and x.shape[1] > 1:
        places = np.arange(samples, dtype=np.float32) * np.float32(speed)
        left = places.astype(np.int32)
        part = places - left
        left = np.minimum(left, x.shape[1] - 2)
        x = x[:, left] * (1 - part) + x[:, left + 1] * part
    out = np.zeros((2, samples), np.float32)
    out[:, : min(samples, x.shape[1])] = x[:, :samples]
    return out


def place(file, samples, speed, rng):
    return int(rng.integers(0, max(1, len(file) - int(samples * speed) - 2)))


def sounding(file, samples, speed, rng):
    """A cut in which there is something to hear, if three tries find one."""
    for _ in range(3):
        x = cut(file, place(file, samples, speed, rng), samples, speed)
        if np.abs(x[:, ::64]).mean() > 1e-3:
            break
    return x


def semitones(rng, share, most):
    return 2 ** (rng.uniform(-most, most) / 12) if rng.random() < share else 1


def register(k, rng):
    """Speed at which to read source `k` for itself: basses up to an octave and more above where they were played, drums tuned far apart."""
    if k == 2 and rng.random() < 0.4:
        return 2 ** (rng.uniform(-3, 15) / 12)
    if k == 1 and rng.random() < 0.4:
        return 2 ** (rng.uniform(-7, 7) / 12)
    return semitones(rng, 0.4, 4 if k else 2)


def driven(x, rng):
    """An overdriven bass: harmonics that the instrument did not have."""
    peak = np.abs(x).max() + 1e-6
    return np.tanh(x * (rng.uniform(1.5, 8) / peak)) * peak


def deep(samples, rng):
    """[samples]: a sub-bass hit, drop or drone, as transitions have them; belongs to what is neither drums nor bass."""
    t = np.arange(samples) / RATE
    begins, falls = rng.uniform(0, samples / RATE), rng.uniform(0.2, 4)
    since = np.maximum(0, t - begins)
    pitch = rng.uniform(28, 70) * 2 ** (-rng.uniform(0, 1.5) * np.minimum(1, since / falls))
    shape = np.exp(-since / falls) if rng.random() < 0.6 else np.minimum(1, since / falls)
    return (np.sin(2 * np.pi * np.cumsum(pitch) / RATE) * shape * (t >= begins)).astype(np.float32)


def example(material, samples, rng):
    """[4, 2, samples] float32."""
    out = np.zeros((4, 2, samples), np.float32)
    together = rng.random() < 0.55
    if together:
        piece, speed = material.piece(rng), semitones(rng, 0.35, 3)
        longest = max(piece.values(), key=len)
        at = place(longest, samples, speed, rng)
        own = "vocals" in piece and rng.random() < 0.45
        for k, source in enumerate(SOURCES):
            if source in piece and (k > 0 or own):
                own_speed = speed * 2 if k == 2 and rng.random() < 0.12 else speed
                out[k] = cut(piece[source], at, samples, own_speed) * 10 ** (rng.normal(0, 3) / 20)
        if not own:
            level = np.sqrt(np.mean(out[1:].sum(0) ** 2)) + 1e-4
            voice = sounding(material.voice(rng), samples, semitones(rng, 0.3, 2), rng)
            out[0] = voice * level / (np.sqrt(np.mean(voice**2)) + 1e-3) * 10 ** (rng.normal(-5, 4) / 20)
    else:
        for k, source in enumerate(SOURCES):
            for _ in range(2 if source == "other" and rng.random() < 0.3 else 1):
                speed = register(k, rng)
                file = material.voice(rng) if k == 0 else material.piece(rng).get(source)
                if file is None:
                    continue
                x = sounding(file, samples, speed, rng)
                out[k] += x / (np.sqrt(np.mean(x**2)) + 1e-3)
            out[k] *= 0.1 * 10 ** (rng.normal((-1, 0, -1, 1)[k], 5) / 20)
    for k, share in enumerate((0.14, 0.1, 0.1, 0.05)):
        if rng.random() < share:
            out[k] = 0
    if rng.random() < 0.2:
        out[2] = driven(out[2], rng)
    if rng.random() < 0.06:
        out[3] += deep(samples, rng) * np.abs(out).max() * 10 ** (rng.uniform(-20, 0) / 20)
    for k in range(4):
        if rng.random() < 0.5:
            out[k] = out[k, ::-1]
        middle, side = out[k].mean(0), (out[k, 0] - out[k, 1]) / 2
        side = side * rng.choice([0, 1, 1, rng.uniform(0.3, 1.6)])
        left, right = middle + side, middle - side
        if k == 3 and rng.random() < 0.5 or rng.random() < 0.12:
            pan = rng.uniform(-0.7, 0.7)
            left, right = left * np.sqrt(1 - pan), right * np.sqrt(1 + pan)
        out[k, 0], out[k, 1] = left, right
    return out


def mastered(x, rng):
    """[4, 2, samples] tensor made loud: the gain that saturating, clipping or limiting the sum takes is given to every stem."""
    mix = x.sum(0)
    peak = mix.abs().max() + 1e-6
    drive = 10 ** (rng.uniform(3, 16) / 20) / peak
    y = mix * drive
    kind = rng.integers(3)
    if kind == 0:
        gain = torch.tanh(y) / torch.where(y.abs() < 1e-4, torch.ones_like(y), y)
        gain = torch.where(y.abs() < 1e-4, torch.ones_like(y), gain)
    elif kind == 1:
        gain = 1 / y.abs().clamp_min(1)
    else:
        high = y.abs().amax(0)[None, None]
        wide = int(RATE * rng.uniform(0.002, 0.05)) | 1
        high = F.max_pool1d(high, 441, 1, 220)
        gain = 1 / F.avg_pool1d(F.pad(high.clamp_min(1), (wide // 2, wide // 2), mode="replicate"), wide, 1)[0]
    return x * (gain * drive)


# Bin of each of BINS + 1 in terms of eight points on a logarithmic axis, for curves of equalisers.
_axis = torch.log2(torch.arange(BINS + 1).clamp_min(2) / 2.0)
_axis = _axis / _axis[-1] * 6.999
_low = _axis.floor().long()
_part = (_axis - _low).to(torch.float32)


def spectra_of(material, count, samples, rng):
    """Spectra of the stems of `count` examples: complex [count x 4 x 2, T, BINS + 1]."""
    x = torch.stack([torch.from_numpy(example(material, samples, rng)) for _ in range(count)])
    for k in range(count):
        if rng.random() < 0.35:
            x[k] = mastered(x[k], rng)
        if rng.random() < 0.2:
            x[k, 3] += torch.from_numpy(rng.normal(0, 1, (2, samples)).astype(np.float32)) * x[k].std() * 10 ** (rng.uniform(-50, -22) / 20)
    return stft(x).reshape(count * 8, -1, BINS + 1).contiguous()


def curves(count, rng):
    """Gains of equalisers [count, 4, BINS], half of them flat; a few examples have nothing above some frequency, as after MP3."""
    points = torch.from_numpy(rng.normal(0, 4, (count, 4, 8)).astype(np.float32)) * torch.from_numpy((rng.random((count, 4, 1)) < 0.5).astype(np.float32))
    curve = 10 ** ((points[..., _low] * (1 - _part) + points[..., (_low + 1).clamp_max(7)] * _part) / 20)
    for k in range(count):
        if rng.random() < 0.15:
            curve[k, :, int(rng.uniform(9000, 17000) / RATE * 4096) :] = 0.003
    return curve[..., :BINS]


def batches(material, count, samples, rng, times=2):
    """Yields `times` batches from the same stems: as they are, then exchanged between the examples, at other levels, sides and colours.

    A batch: features [B, T, BINS, 4], |X|^2 [B, T, 2, BINS], Re(S X*) [B, T, 8, BINS], energies of the stems [B, 4] and the mixes [B].
    """
    spectra = spectra_of(material, count, samples, rng)
    straight = np.arange(count * 4).reshape(count, 4)
    for time in range(times):
        pick, curve, turned = straight, curves(count, rng), np.zeros((count, 4))
        if time > 0:
            # Drums and bass stay together in half of the examples, as do the others: what belongs together is in time and in tune.
            pick = np.stack([np.roll(straight[:, k], (0, time, time * int(rng.random() < 0.5), 2 * time * int(rng.random() < 0.5))[k]) for k in range(4)], 1)
            curve = curve * torch.from_numpy((10 ** (rng.normal(0, 3, (count, 4, 1)) / 20)).astype(np.float32))
            turned = rng.random((count, 4)) < 0.5
        yield kernel.mixed(spectra, torch.from_numpy(pick.astype(np.int32)), torch.from_numpy(turned.astype(np.int32)), curve.contiguous())
