"""The ONNX graph of the network that model.py trains, in products of eight bits.

The same function as `Exported` in export.py but for rounding, said in what a processor does fast:

- What is told of a bin comes in bytes, found where the spectrum is: a quarter of its size crosses from one process to the other.
- Products take what a layer gives in 8 bits without sign, by a scale found on `spectra`, and weights in 7 bits with sign and a scale for each
  output. 7 bits because AVX2 adds two products in 16 bits and saturates: 2 * 255 * 64 just fits, so that every processor gives the same sums.
- The channels of what runs from block to block have the mean 0, taken out of all weights that add to it, so that a norm needs no mean.
- Scales and offsets of norms, and ranges of hidden units, which a rectifier lets through, are in the weights behind them.
- Bands come first, and a band's logits become masks before the next band's are found, so that they stay near the processor. Those of `other`
  are taken off the rest, so that its exponential is 1.
"""

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from model import BANDS, BINS, DILATIONS, FEATURES, GROUPS, PAIR, SOURCES

STEMS = len(SOURCES) - 1
OPSET = 18
# Of a weight: 7 bits with their sign.
MOST = 64
# Above it a mask is 1 or 0 in 8 bits, whatever is below.
LOGIT_MAX = 40.0
# Of a bin's energy in terms of the mean: what is added to it, and what is told of it at most (a tone alone reaches 2048).
LEAST = 1e-6
MOST_LEVEL = 5000


class Graph:
    """Adds nodes; without `ranges` in single precision, and what would be rounded is an output to be looked at."""

    def __init__(self, ranges=None):
        self.nodes, self.tensors, self.ranges, self.seen = [], {}, ranges, []

    def constant(self, x, name=None):
        name = name or f"c{len(self.tensors)}"
        self.tensors[name] = np.ascontiguousarray(x)
        return name

    def add(self, operator, *inputs, outputs=None, domain=None, **attributes):
        given = [self.constant(x) if isinstance(x, (np.ndarray, np.generic)) else x for x in inputs]
        made = outputs or [f"t{len(self.nodes)}"]
        self.nodes.append(helper.make_node(operator, given, made, domain=domain, **attributes))
        return made[0] if len(made) == 1 else made

    def rounded(self, x, name, zero=128):
        """8 bits without sign of `x`, where `zero` stands for 0."""
        if self.ranges is None:
            self.seen.append((x, name))
            return (self.add("Relu", x) if zero == 0 else x, None, None)
        scale = np.float32(max(self.ranges[name], 1e-6) / (255 - zero))
        return (self.add("QuantizeLinear", x, scale, np.uint8(zero)), scale, np.uint8(zero))

    def product(self, x, weights, bias=None):
        """What was `rounded` by [inputs, outputs], in single precision."""
        x, scale, zero = x
        weights = weights.astype(np.float32)
        if scale is None:
            y = self.add("MatMul", x, weights)
            return y if bias is None else self.add("Add", y, bias.astype(np.float32))
        steps = np.maximum(np.abs(weights).max(0), 1e-12) / (MOST - 0.5)
        small = np.clip(np.round(weights / steps), -MOST, MOST - 1).astype(np.int8)
        given = [x, small, scale, steps.astype(np.float32), zero]
        if bias is not None:
            given += [np.zeros(len(steps), np.int8), bias.astype(np.float32)]
        return self.add("MatMulIntegerToFloat", *given, domain="com.microsoft")

    def across(self, weights, x):
        """[outputs, inputs] by what was `rounded`: all 8 bits without sign, which is exact everywhere as well."""
        x, scale, zero = x
        weights = weights.astype(np.float32)
        if scale is None:
            return self.add("MatMul", weights, x)
        step = np.float32(np.abs(weights).max() / 127.5)
        small = np.clip(np.round(weights / step) + 128, 0, 255).astype(np.uint8)
        return self.add("MatMulIntegerToFloat", small, x, step, scale, np.uint8(128), zero, domain="com.microsoft")

    def model(self, inputs, outputs):
        initializers = [numpy_helper.from_array(x, name) for name, x in self.tensors.items()]
        graph = helper.make_graph(self.nodes, "separator", inputs, outputs, initializers)
        opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid("com.microsoft", 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=9, producer_name="tonwerk")


def ints(*values):
    return np.array(values, np.int64)


def real(value):
    return np.float32(value)


# Natural logarithm a step of a level's byte, and the byte of 1; of balance and likeness.
STEP = (np.log(MOST_LEVEL) - np.log(LEAST)) / 255
ZERO = round(-np.log(LEAST) / STEP)
SIDE_STEP, SIDE_ZERO = 2 / 255, 128


def told(spectrum):
    """`features` of `spectrum` [1, frames, 4, BINS], as the service makes them (runners/models/families/bands/features.ts)."""
    a, b, c, d = spectrum[0].transpose(1, 0, 2)
    left, right, twice = a * a + b * b, c * c + d * d, 2 * (a * c + b * d)
    both = left + right
    mean = both.mean() + 1e-9
    some = both + 1e-4 * mean
    levels = [np.log(np.maximum(x * 0.25 / mean, 0) + LEAST) / STEP + ZERO for x in (both + twice, both - twice)]
    sides = [x / some / SIDE_STEP + SIDE_ZERO for x in (left - right, twice)]
    return np.clip(np.round(np.stack(levels + sides, 1)), 0, 255).astype(np.uint8)[None]


def features(graph, frames):
    """The input to [frames / PAIR, PAIR * FEATURES, BINS], and what a feature's step and its 128 stand for."""
    shape = ints(frames // PAIR, PAIR * FEATURES, BINS)
    if graph.ranges is not None:
        steps = np.array([0.25 * STEP, 0.25 * STEP, SIDE_STEP, SIDE_STEP])
        middles = np.array([1, 1.5, 0, 0]) + steps * (128 - np.array([ZERO, ZERO, SIDE_ZERO, SIDE_ZERO]))
        return graph.add("Reshape", "features", shape), steps, middles
    add = graph.add
    spectrum = add("Reshape", "spectrum", ints(frames, 2, 2, BINS))
    sides = add("ReduceSum", add("Mul", spectrum, spectrum), ints(2), keepdims=0)
    left, right = add("Split", spectrum, axis=1, num_outputs=2, outputs=["left", "right"])
    alike = add("ReduceSum", add("Mul", left, right), ints(1, 2), keepdims=0)
    twice = add("Mul", alike, real(2))
    ll, rr = add("Split", sides, axis=1, num_outputs=2, outputs=["ll", "rr"])
    ll, rr = (add("Reshape", x, ints(frames, BINS)) for x in (ll, rr))
    both = add("Add", ll, rr)
    mean = add("Add", add("ReduceMean", both, keepdims=1), real(1e-9))
    scale = add("Div", real(0.25), mean)
    some = add("Add", both, add("Mul", mean, real(1e-4)))

    def level(x):
        return add("Log", add("Max", add("Add", add("Mul", x, scale), real(LEAST)), real(LEAST)))

    found = [level(add("Add", both, twice)), level(add("Sub", both, twice)), add("Div", add("Sub", ll, rr), some), add("Div", twice, some)]
    planes = add("Concat", *(add("Unsqueeze", x, ints(1)) for x in found), axis=1)
    return add("Reshape", planes, shape), np.array([0.25, 0.25, 1, 1]), np.array([1, 1.5, 0, 0])


def centred(x):
    """Without its mean over the channels."""
    return x - x.mean(-1, keepdims=True)


def normed(graph, x, channels):
    """[BANDS * pairs, channels] of mean 0 to those of size 1."""
    power = graph.add("MatMul", graph.add("Mul", x, x), np.full((channels, 1), 1 / channels, np.float32))
    return graph.add("Div", x, graph.add("Sqrt", graph.add("Add", power, real(1e-5))))


def build(weights, frames, ranges=None):
    """The network of these weights, by the names of `Separator`'s parameters."""
    w = {name: x.astype(np.float64) for name, x in weights.items()}
    graph = Graph(ranges)
    add = graph.add
    pairs = frames // PAIR
    channels = w["place"].shape[1]
    widths = [(group, band, width) for group, (n, width) in enumerate(GROUPS) for band in range(n)]

    told, steps, middles = features(graph, frames)
    bands, at = [], 0
    for index, (group, band, width) in enumerate(widths):
        part = add("Slice", told, ints(at), ints(at + width), ints(2))
        part = add("Reshape", part, ints(pairs, PAIR * FEATURES * width))
        matrix = w[f"split.weights.{group}"][band].reshape(PAIR, width, FEATURES, channels).transpose(0, 2, 1, 3)
        bias = w[f"split.biases.{group}"][band, 0] + w["place"][index] + np.einsum("pfwc,f->c", matrix, middles)
        matrix = centred((matrix * steps[:, None, None]).reshape(-1, channels))
        x = (part, None, None) if ranges is None else (part, real(1), np.uint8(128))
        bands.append(graph.product(x, matrix, centred(bias)))
        at += width
    x = add("Concat", *bands, axis=0)

    for k, dilation in enumerate(DILATIONS):
        b = {name.removeprefix(f"blocks.{k}."): value for name, value in w.items() if name.startswith(f"blocks.{k}.")}
        hidden = b["out.weight"].shape[1]
        size, offset = b["along.weight"], b["along.bias"]
        told = graph.rounded(normed(graph, x, channels), f"{k}.along")
        rows = add("Reshape", told[0], ints(BANDS, pairs, channels))
        # What is nothing behind the norm.
        nothing = -offset / size
        if told[1] is not None:
            nothing = np.clip(np.round(nothing / told[1]) + 128, 0, 255).astype(np.uint8)
        edge = np.broadcast_to(nothing, (BANDS, dilation, channels)).astype(np.float32 if told[1] is None else np.uint8)
        edge = graph.constant(edge)
        wide = add("Concat", edge, rows, edge, axis=1)
        taps = [add("Slice", wide, ints(j * dilation), ints(j * dilation + pairs), ints(1)) for j in range(3)]
        near = add("Reshape", add("Concat", *taps, axis=2), ints(BANDS * pairs, 3 * channels))
        # [hidden, channels, 3, 1] to [3 * channels, hidden].
        matrix = b["taps.weight"][..., 0].transpose(2, 1, 0)
        bias = b["taps.bias"] + np.einsum("tch,c->h", matrix, offset)
        matrix = (matrix * size[:, None]).reshape(3 * channels, hidden)
        even = np.ones(hidden) if ranges is None else np.maximum(ranges[f"{k}.hidden.each"], 1e-3)
        y = graph.product((near, *told[1:]), matrix / even, bias / even)
        y = graph.rounded(y, f"{k}.hidden", 0)
        matrix, bias = centred(b["out.weight"].T * even[:, None]), centred(b["out.bias"])
        x = add("Add", x, graph.product(y, matrix, bias))

        size, offset = b["across.weight"], b["across.bias"]
        assert size.min() > 0, "the norm's sizes go through a rectifier"
        told = graph.rounded(normed(graph, x, channels), f"{k}.across")
        told = (add("Reshape", told[0], ints(BANDS, pairs * channels)), *told[1:])
        mixed = b["up"].shape[0]
        even = np.ones(mixed) if ranges is None else np.maximum(ranges[f"{k}.mixed.each"], 1e-3)
        bias = (b["up"].sum(1)[:, None] * offset + b["shift"]) / size / even[:, None]
        y = add("Reshape", graph.across(b["up"] / even[:, None], told), ints(mixed, pairs, channels))
        y = add("Add", y, bias.reshape(mixed, 1, channels).astype(np.float32))
        y = graph.rounded(y, f"{k}.mixed", 0)
        y = (add("Reshape", y[0], ints(mixed, pairs * channels)), *y[1:])
        y = add("Reshape", graph.across(b["down"] * even, y), ints(BANDS * pairs, channels))
        matrix, bias = centred(b["blend.weight"].T * size[:, None]), centred(b["blend.bias"])
        x = add("Add", x, graph.product(graph.rounded(y, f"{k}.down"), matrix, bias))

    size, offset = w["norm.weight"], w["norm.bias"]
    told = graph.rounded(normed(graph, x, channels), "norm")
    masks = []
    for index, (group, band, width) in enumerate(widths):
        rows = add("Slice", told[0], ints(index * pairs), ints((index + 1) * pairs), ints(0))
        matrix = w[f"join.weights.{group}"][band].reshape(channels, PAIR, len(SOURCES), 2 * width)
        bias = w[f"join.biases.{group}"][band].reshape(PAIR, len(SOURCES), 2 * width)
        matrix, bias = (y[..., :STEMS, :] - y[..., STEMS:, :] for y in (matrix, bias))
        bias = bias.reshape(-1) + np.einsum("cpso,c->pso", matrix, offset).reshape(-1)
        matrix = matrix.reshape(channels, -1) * size[:, None]
        y = graph.product((rows, *told[1:]), matrix, bias)
        y = add("Exp", add("Clip", y, "", real(LOGIT_MAX)))
        y = add("Reshape", y, ints(frames, STEMS, 2 * width))
        y = add("Div", y, add("Add", add("ReduceSum", y, ints(1), keepdims=1), real(1)))
        if ranges is not None:
            y = add("QuantizeLinear", y, real(1 / 255), np.uint8(0))
        masks.append(add("Reshape", y, ints(1, frames, 2 * STEMS, width)))
    add("Concat", *masks, axis=3, outputs=["masks"])
    name, element = ("spectrum", TensorProto.FLOAT) if ranges is None else ("features", TensorProto.UINT8)
    given = helper.make_tensor_value_info(name, element, [1, frames, 4, BINS])
    outputs = [helper.make_tensor_value_info("masks", element, [1, frames, 2 * STEMS, BINS])]
    outputs += [helper.make_tensor_value_info(x, TensorProto.FLOAT, None) for x, _ in graph.seen]
    return graph.model([given], outputs), graph.seen


def ranges_of(weights, frames, spectra):
    """How far what is rounded reaches on these: the best of a few bounds, by the error of rounding and cutting off."""
    model, seen = build(weights, frames)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    found = {name: [] for _, name in seen}
    each = {}
    for spectrum in spectra:
        outputs = session.run([x for x, _ in seen], {"spectrum": spectrum})
        for (_, name), x in zip(seen, outputs):
            if name.endswith(("hidden", "mixed")):
                # Units last.
                x = np.maximum(x if x.ndim == 2 else x.transpose(1, 2, 0).reshape(-1, x.shape[0]), 0)
                each.setdefault(name, []).append(np.quantile(x[::7], 0.9995, axis=0))
            found[name].append(x.reshape(-1, x.shape[-1])[::41] if x.ndim > 1 else x)
    ranges = {}
    for name, parts in found.items():
        x = np.concatenate(parts).astype(np.float64)
        if name in each:
            even = np.maximum(np.max(each[name], axis=0), 1e-3)
            ranges[f"{name}.each"] = even
            x = x / even
        ranges[name] = best(x, 255 if name in each else 127)
    return ranges


def best(x, steps):
    most = np.abs(x).max()
    bounds = most * np.geomspace(0.2, 1, 33)

    def error(bound):
        step = bound / steps
        return np.mean((np.clip(np.round(x / step), -steps, steps) * step - x) ** 2)

    return float(min(bounds, key=error))
