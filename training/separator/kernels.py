"""Kernels that PyTorch lacks or is slow at: rectifying, and the error of masked spectra without ever making them: |m X - S|^2 is m^2 |X|^2 - 2 m Re(S X*) + |S|^2."""

from pathlib import Path

import torch
from torch.utils.cpp_extension import load

kernel = load(
    "tonwerk_kernels",
    [str(Path(__file__).with_name("kernels.cpp"))],
    extra_cflags=["-O3", "-march=native", "-ffast-math", "-fopenmp"],
    extra_ldflags=["-lgomp", "-lmvec", "-lm"],
)


class MaskLoss(torch.autograd.Function):
    """(logits bfloat16 [B, T, 8, N], |X|^2 [B, T, 2, N], Re(S X*) [B, T, 8, N]) -> [B, 4] errors less |S|^2."""

    @staticmethod
    def forward(context, logits, power, cross):
        context.save_for_backward(logits, power, cross)
        return kernel.fwd(logits, power, cross)

    @staticmethod
    def backward(context, gradient):
        return kernel.bwd(*context.saved_tensors, gradient.contiguous().float()), None, None


class Rectify(torch.autograd.Function):
    """A rectified unit on contiguous bfloat16: PyTorch's own backward pass took a third of a step."""

    @staticmethod
    def forward(context, x):
        y = kernel.rectify(x.contiguous())
        context.save_for_backward(y)
        return y

    @staticmethod
    def backward(context, gradient):
        return kernel.rectify_back(context.saved_tensors[0], gradient.contiguous())
