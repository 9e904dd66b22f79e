"""The network: masks for four sources from the spectrum of a stereo mix, in bands, by dilated convolutions over time.

Shapes are [batch, frames, bands, channels] throughout, so that the heavy work is a few large matrix products a block, which is what bfloat16
units of a CPU are good at. `Separator` is what is trained, `Exported` what goes into the ONNX file.
"""

import torch
from torch import nn

RATE = 44_100
SIZE = 4096
HOP = 1024
# Bins that are judged; the one at half the rate gets no mask of its own.
BINS = SIZE // 2
SOURCES = ("vocals", "drums", "bass", "other")

# (how many bands, bins of each): 43 Hz wide where bass and kick meet, wider with frequency as hearing is. They sum to BINS.
GROUPS = ((12, 4), (8, 8), (8, 20), (9, 52), (6, 218))
BANDS = sum(n for n, _ in GROUPS)
assert sum(n * width for n, width in GROUPS) == BINS

# What is told of a bin: level in the middle and at the sides, balance between left and right, how alike they are.
FEATURES = 4
OUTPUTS = len(SOURCES) * 2

# Frames that are worked on together: half the work, and masks for each all the same.
PAIR = 2

# Training puts a faster one here.
rectify = torch.relu


def features(left_re, left_im, right_re, right_im):
    """Four times [batch, frames, BINS] -> [batch, frames, BINS, FEATURES]. Levels are logarithms in terms of the excerpt's own mean."""
    ll, rr = left_re.square() + left_im.square(), right_re.square() + right_im.square()
    lr = left_re * right_re + left_im * right_im
    both = ll + rr
    mean = both.mean(dim=(1, 2), keepdim=True) + 1e-9
    some = both + 1e-4 * mean
    return torch.stack(
        [
            0.25 * torch.log((0.25 * both + 0.5 * lr).clamp_min(0) / mean + 1e-6) + 1,
            0.25 * torch.log((0.25 * both - 0.5 * lr).clamp_min(0) / mean + 1e-6) + 1.5,
            (ll - rr) / some,
            2 * lr / some,
        ],
        dim=-1,
    )


class Grouped(nn.Module):
    """A linear layer for each band; bands of one width are worked on together."""

    def __init__(self, inputs, outputs):
        super().__init__()
        self.weights = nn.ParameterList(nn.Parameter(torch.randn(n, inputs(w), outputs(w)) * inputs(w) ** -0.5) for n, w in GROUPS)
        self.biases = nn.ParameterList(nn.Parameter(torch.zeros(n, 1, outputs(w))) for n, w in GROUPS)


class Split(Grouped):
    """Features of a band's bins in PAIR frames to its channels: from here on time is counted in pairs."""

    def __init__(self, channels):
        super().__init__(lambda width: PAIR * width * FEATURES, lambda width: channels)

    def forward(self, x):
        batch, frames = x.shape[0], x.shape[1] // PAIR
        out, at = [], 0
        for (n, width), weight, bias in zip(GROUPS, self.weights, self.biases):
            part = x[:, :, at : at + n * width].reshape(batch * frames, PAIR, n, width * FEATURES).permute(2, 0, 1, 3).reshape(n, batch * frames, -1)
            out.append(torch.baddbmm(bias.to(part.dtype), part, weight.to(part.dtype)))
            at += n * width
        return torch.cat(out).reshape(BANDS, batch, frames, -1).permute(1, 2, 0, 3).contiguous()


class Join(Grouped):
    """A band's channels to the logits of its bins' masks: [batch, frames, 4 sources x 2 sides, BINS]."""

    def __init__(self, channels):
        super().__init__(lambda width: channels, lambda width: PAIR * width * OUTPUTS)

    def forward(self, x):
        batch, frames, _, channels = x.shape
        out, at = [], 0
        for (n, width), weight, bias in zip(GROUPS, self.weights, self.biases):
            part = x[:, :, at : at + n].reshape(batch * frames, n, channels).transpose(0, 1)
            y = torch.baddbmm(bias.to(part.dtype), part, weight.to(part.dtype))
            y = y.reshape(n, batch, frames, PAIR, OUTPUTS, width).permute(1, 2, 3, 4, 0, 5)
            out.append(y.reshape(batch, frames * PAIR, OUTPUTS, n * width))
            at += n
        return torch.cat(out, -1)


class Block(nn.Module):
    """Looks along time, then across bands."""

    def __init__(self, channels, hidden, dilation, mixed=64):
        super().__init__()
        self.along = nn.LayerNorm(channels)
        self.taps = nn.Conv2d(channels, hidden, (3, 1), dilation=(dilation, 1), padding=(dilation, 0))
        self.out = nn.Linear(hidden, channels)
        self.across = nn.LayerNorm(channels)
        self.up = nn.Parameter(torch.randn(mixed, BANDS) * BANDS**-0.5)
        self.shift = nn.Parameter(torch.zeros(mixed, 1))
        self.down = nn.Parameter(torch.randn(BANDS, mixed) * 0.3 * mixed**-0.5)
        self.blend = nn.Linear(channels, channels)

    def forward(self, x):
        batch, frames, bands, channels = x.shape
        y = self.taps(self.along(x).permute(0, 3, 1, 2)).permute(0, 2, 3, 1)
        x = x + self.out(rectify(y))
        y = self.across(x).reshape(batch * frames, bands, channels)
        y = rectify(torch.matmul(self.up.to(y.dtype), y) + self.shift.to(y.dtype))
        return x + self.blend(torch.matmul(self.down.to(y.dtype), y).reshape(batch, frames, bands, channels))


# In pairs of frames: 1.1 s to either side.
DILATIONS = (1, 1, 2, 4, 8, 1, 2, 4)


class Separator(nn.Module):
    def __init__(self, channels=96, hidden=192):
        super().__init__()
        self.split = Split(channels)
        self.place = nn.Parameter(torch.randn(BANDS, channels) * 0.1)
        self.blocks = nn.ModuleList(Block(channels, hidden, dilation) for dilation in DILATIONS)
        self.norm = nn.LayerNorm(channels)
        self.join = Join(channels)

    def forward(self, x):
        """`features()` -> logits; the softmax over the sources makes masks of them."""
        x = self.split(x) + self.place.to(x.dtype)
        for block in self.blocks:
            x = block(x)
        return self.join(self.norm(x))


def stft(audio):
    """[..., samples] -> complex [..., frames, BINS + 1], frames centred on multiples of HOP."""
    shape = audio.shape[:-1]
    out = torch.stft(audio.reshape(-1, audio.shape[-1]), SIZE, HOP, window=torch.hann_window(SIZE), center=True, pad_mode="reflect", return_complex=True)
    return out.transpose(-1, -2).reshape(*shape, -1, BINS + 1)


def istft(spectrum, samples):
    shape = spectrum.shape[:-2]
    flat = spectrum.reshape(-1, *spectrum.shape[-2:]).transpose(-1, -2)
    return torch.istft(flat, SIZE, HOP, window=torch.hann_window(SIZE), center=True, length=samples).reshape(*shape, samples)
