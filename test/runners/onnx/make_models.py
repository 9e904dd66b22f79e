"""Makes the miniature models that the tests run: true shapes, answers known in closed form, some hundred bytes each.

    python make_models.py        # needs the package onnx; writes beside this file, into models/
"""

from pathlib import Path

import numpy as np
from onnx import TensorProto, checker, helper, numpy_helper, save

FLOAT, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL
FOLDER = Path(__file__).parent / "models"


def port(name, dims, kind=FLOAT):
    return helper.make_tensor_value_info(name, kind, dims)


def value(name, array):
    return numpy_helper.from_array(np.asarray(array), name)


def write(name, nodes, inputs, outputs, values=()):
    graph = helper.make_graph(nodes, name, inputs, outputs, list(values))
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], producer_name="tonwerk tests")
    model.ir_version = 8
    checker.check_model(model)
    save(model, FOLDER / f"{name}.onnx")


def node(kind, inputs, outputs, **attributes):
    return helper.make_node(kind, inputs, outputs, **attributes)


def gain(name, dims, factor, source="input", target="output"):
    """output = factor · input"""
    write(name, [node("Mul", [source, "factor"], [target])], [port(source, dims)], [port(target, dims)],
          [value("factor", np.float32(factor))])


def mdx():
    for dim_f, dim_t in [(3072, 256), (2048, 256)]:
        gain(f"mdx_{dim_f}", ["batch", 4, dim_f, dim_t], 0.5)
    gain("mdx_fixed", [1, 4, 2048, 256], 0.5)
    # Gives values that are no numbers: 0 / 0 wherever it is silent.
    write("mdx_nan", [node("Div", ["input", "input"], ["output"])],
          [port("input", ["batch", 4, 2048, 256])], [port("output", ["batch", 4, 2048, 256])])
    # Promises nothing of its output and gives half of the bins.
    write("mdx_liar",
          [node("Slice", ["input", "from", "to", "axis"], ["output"])],
          [port("input", ["batch", 4, 2048, 256])], [port("output", ["a", "b", "c", "d"])],
          [value("from", np.int64([0])), value("to", np.int64([1024])), value("axis", np.int64([2]))])


def htdemucs():
    """Stem k is gain k of the mix; in the core, three quarters of it by the spectrum and the rest by the waveform."""
    gains = np.float32([0.4, 0.3, 0.2, 0.1])
    segment = 343980
    batch = "batch"
    spread = gains.reshape(1, 4, 1, 1)
    nodes = [node("Unsqueeze", ["mix", "axis"], ["wide"]), node("Mul", ["wide", "gains"], ["stems"])]
    write("htdemucs_e2e", nodes, [port("mix", [batch, 2, segment])], [port("stems", [batch, 4, 2, segment])],
          [value("axis", np.int64([1])), value("gains", spread)])
    nodes = [
        node("Unsqueeze", ["input", "axis"], ["wide"]),
        node("Mul", ["wide", "time_gains"], ["time"]),
        node("Unsqueeze", ["x", "axis"], ["spread"]),
        node("Mul", ["spread", "frequency_gains"], ["output"]),
    ]
    write("htdemucs_core", nodes,
          [port("input", [batch, 2, segment]), port("x", [batch, 4, 2048, 336])],
          [port("output", [batch, 4, 4, 2048, 336]), port("time", [batch, 4, 2, segment])],
          [value("axis", np.int64([1])), value("time_gains", spread * np.float32(0.25)),
           value("frequency_gains", (spread * np.float32(0.75)).reshape(1, 4, 1, 1, 1))])


def umx():
    for stem, factor in [("vocals", 0.4), ("drums", 0.3), ("bass", 0.2), ("other", 0.1)]:
        gain(f"umx_{stem}", ["batch", 2, 2049, "frames"], factor, "magnitude", "estimate")


def faults():
    """Graphs that misbehave once they are asked to: by the first sample of their input."""
    dims = ["batch", 4, 2048, 256]
    first = [
        node("Slice", ["input", "from", "to", "axes"], ["corner"]),
        node("ReduceMax", ["corner"], ["most"], keepdims=0),
    ]
    corner = [
        value("from", np.int64([0, 3, 0])), value("to", np.int64([4, 2048, 256])), value("axes", np.int64([1, 2, 3])),
    ]
    # Loops for as long as the loudest bin says, which is for ever where there is any sound at all.
    body = helper.make_graph(
        [node("Identity", ["going"], ["still"]), node("Cos", ["state"], ["next"])], "body",
        [port("turn", [], INT64), port("going", [], BOOL), port("state", dims)],
        [port("still", [], BOOL), port("next", dims)])
    write("mdx_hang",
          first + [
              node("Greater", ["most", "nothing"], ["sounding"]),
              node("Loop", ["for_ever", "sounding", "input"], ["output"], body=body),
          ],
          [port("input", dims)], [port("output", dims)],
          corner + [value("nothing", np.float32(0)), value("for_ever", np.int64(2**62))])
    # Tiles its input by the square of ten thousand times the loudest bin.
    write("mdx_glutton",
          first + [
              node("Greater", ["most", "nothing"], ["sounding"]),
              node("Cast", ["sounding"], ["one"], to=INT64),
              node("Mul", ["one", "times"], ["more"]),
              node("Add", ["more", "once"], ["size"]),
              node("Expand", ["little", "size"], ["huge"]),
              node("CumSum", ["huge", "axis"], ["sums"]),
              node("ReduceMin", ["sums"], ["least"], keepdims=0),
              node("Mul", ["input", "least"], ["output"]),
          ],
          [port("input", dims)], [port("output", dims)],
          corner + [value("nothing", np.float32(0)), value("times", np.int64([1_000_000_000])),
                    value("once", np.int64([1])), value("little", np.float32([1])), value("axis", np.int64(0))])


def voice():
    """Speech wherever a window's mean square is above a hundredth. The state counts windows, so that a lost one shows."""
    def detector(name, window, states, frame):
        nodes = [
            node("Mul", ["input", "input"], ["square"]),
            node("ReduceMean", ["square"], ["power"], axes=[1], keepdims=1),
            node("Greater", ["power", "threshold"], ["loud"]),
            node("Cast", ["loud"], ["output"], to=FLOAT),
        ]
        outputs = [port("output", ["batch", 1])]
        inputs = [port("input", ["batch", window])]
        if frame:
            inputs.append(port("sr", [], INT64))
        for given, made, dims in states:
            nodes.append(node("Add", [given, "one"], [made]))
            inputs.append(port(given, dims))
            outputs.append(port(made, dims))
        write(name, nodes, inputs, outputs, [value("threshold", np.float32(0.01)), value("one", np.float32(1))])

    detector("vad_v5", 576, [("state", "stateN", [2, "batch", 128])], True)
    detector("vad_legacy", 1536, [("h", "hn", [2, "batch", 64]), ("c", "cn", [2, "batch", 64])], True)


def notes():
    """Activation of every key at a frame is the input's level there: frames of 255 samples of the window, the first 172 of them."""
    window, frames = 43844, 172
    nodes = [
        node("Abs", ["serving_default_input_2:0"], ["level"]),
        node("Slice", ["level", "from", "to", "axis"], ["part"]),
        node("Reshape", ["part", "rows"], ["framed"]),
        node("ReduceMax", ["framed"], ["frame"], axes=[2], keepdims=1),
        node("Mul", ["frame", "keys"], ["StatefulPartitionedCall:1"]),
        node("Mul", ["frame", "onset_keys"], ["StatefulPartitionedCall:2"]),
        node("Mul", ["frame", "bends"], ["StatefulPartitionedCall:0"]),
    ]
    keys = np.zeros((1, 1, 88), np.float32)
    keys[0, 0, 60 - 21] = 1
    write("notes", nodes,
          [port("serving_default_input_2:0", ["batch", window, 1])],
          [port("StatefulPartitionedCall:0", ["batch", frames, 264]),
           port("StatefulPartitionedCall:1", ["batch", frames, 88]),
           port("StatefulPartitionedCall:2", ["batch", frames, 88])],
          [value("from", np.int64([0])), value("to", np.int64([frames * 254])), value("axis", np.int64([1])),
           value("rows", np.int64([-1, frames, 254])), value("keys", keys), value("onset_keys", keys),
           value("bends", np.zeros((1, 1, 264), np.float32))])


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    mdx()
    htdemucs()
    umx()
    faults()
    voice()
    notes()
