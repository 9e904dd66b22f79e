"""Makes the miniature models that the tests run: true shapes, answers known in closed form, some hundred bytes each.

    python make_models.py        # needs the package onnx; writes beside this file, into models/
"""

import json
from pathlib import Path

import numpy as np
from onnx import TensorProto, checker, helper, load, numpy_helper, save
from onnx.external_data_helper import convert_model_to_external_data

FLOAT, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL
FOLDER = Path(__file__).parent / "models"


def port(name, dims, kind=FLOAT):
    return helper.make_tensor_value_info(name, kind, dims)


def value(name, array):
    return numpy_helper.from_array(np.asarray(array), name)


def write(name, nodes, inputs, outputs, values=(), opset=17):
    graph = helper.make_graph(nodes, name, inputs, outputs, list(values))
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], producer_name="tonwerk tests")
    model.ir_version = 8
    checker.check_model(model)
    save(model, FOLDER / f"{name}.onnx")


def node(kind, inputs, outputs, **attributes):
    return helper.make_node(kind, inputs, outputs, **attributes)


def gain(name, dims, factor, source="input", target="output"):
    """output = factor · input"""
    write(name, [node("Mul", [source, "factor"], [target])], [port(source, dims)], [port(target, dims)],
          [value("factor", np.float32(factor))])


def half_precision(name, kind, half, one):
    """Half of what it hears, in half precision wherever a graph can have it: a weight in a file beside it, constants (packed and raw), a cast, a branch."""
    dims = ["batch", 4, 2048, 256]
    packed = helper.make_tensor("", kind, [1], one, raw=False)
    packed.ClearField("int32_data")
    packed.int32_data.extend(one)
    raw = helper.make_tensor("", kind, [1], np.uint16(one).tobytes(), raw=True)
    branch = [
        helper.make_graph([node("Constant", [], [f"{side}_one"], value=raw), node("Mul", ["kept", f"{side}_one"], [side])], side, [], [port(side, None, kind)])
        for side in ("yes", "no")
    ]
    path = FOLDER / f"mdx_{name}.onnx"
    factor = helper.make_tensor("factor", kind, [1], np.uint16(half).tobytes(), raw=True)
    graph = helper.make_graph(
        [
            node("Constant", [], ["one"], value=packed), node("Mul", ["input", "factor"], ["soft"]), node("Mul", ["soft", "one"], ["same"]),
            node("Cast", ["same"], ["wide"], to=FLOAT), node("Cast", ["wide"], ["kept"], to=kind),
            node("Size", ["input"], ["size"]), node("Cast", ["size"], ["always"], to=BOOL),
            node("If", ["always"], ["output"], then_branch=branch[0], else_branch=branch[1]),
        ],
        name, [port("input", dims, kind)], [port("output", dims, kind)], [factor],
        value_info=[port("soft", dims, kind)])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], producer_name="tonwerk tests")
    model.ir_version = 8
    checker.check_model(model)
    convert_model_to_external_data(model, location=f"{path.name}_data", size_threshold=0)
    (FOLDER / f"{path.name}_data").unlink(missing_ok=True)
    save(model, path)


def mdx():
    for dim_f, dim_t in [(3072, 256), (2048, 256)]:
        gain(f"mdx_{dim_f}", ["batch", 4, dim_f, dim_t], 0.5)
    gain("mdx_fixed", [1, 4, 2048, 256], 0.5)
    # Its gain lies in a file beside it, as exporters put large weights.
    gain("mdx_outside", ["batch", 4, 2048, 256], 0.5)
    model = load(FOLDER / "mdx_outside.onnx")
    convert_model_to_external_data(model, location="mdx_outside.onnx_data", size_threshold=0)
    (FOLDER / "mdx_outside.onnx_data").unlink(missing_ok=True)
    save(model, FOLDER / "mdx_outside.onnx")
    half_precision("float16", TensorProto.FLOAT16, [0x3800], [0x3C00])
    half_precision("bfloat16", TensorProto.BFLOAT16, [0x3F00], [0x3F80])
    # Draws at random, of which nothing is heard.
    write("mdx_random",
          [
              node("RandomNormalLike", ["input"], ["noise"]), node("Mul", ["noise", "nothing"], ["hushed"]),
              node("Mul", ["input", "factor"], ["soft"]), node("Add", ["soft", "hushed"], ["output"]),
          ],
          [port("input", ["batch", 4, 2048, 256])], [port("output", ["batch", 4, 2048, 256])],
          [value("factor", np.float32(0.5)), value("nothing", np.float32(0))])
    # Gives values that are no numbers: 0 / 0 wherever it is silent.
    write("mdx_nan", [node("Div", ["input", "input"], ["output"])],
          [port("input", ["batch", 4, 2048, 256])], [port("output", ["batch", 4, 2048, 256])])
    # Promises nothing of its output and gives half of the bins.
    write("mdx_liar",
          [
              node("ReduceMax", ["input"], ["most"], keepdims=0),
              node("Cast", ["most"], ["whole"], to=INT64),
              node("Add", ["whole", "half"], ["to"]),
              node("Slice", ["input", "from", "to", "axis"], ["output"]),
          ],
          [port("input", ["batch", 4, 2048, 256])], [port("output", ["a", "b", "c", "d"])],
          [value("from", np.int64([0])), value("half", np.int64([1024])), value("axis", np.int64([2]))])


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


def bands():
    """Masks that are the same everywhere: one gain for each stem and side, whatever the spectrum."""
    gains = np.float32([0.4, 0.4, 0.3, 0.3, 0.2, 0.1]).reshape(1, 1, 6, 1)
    nodes = [
        node("Slice", ["spectrum", "from", "to", "axis"], ["one"]),
        node("Mul", ["one", "nothing"], ["blank"]),
        node("Add", ["blank", "gains"], ["masks"]),
    ]
    cut = [value("from", np.int64([0])), value("to", np.int64([1])), value("axis", np.int64([2])),
           value("nothing", np.float32(0))]
    spectrum = [port("spectrum", [1, "frames", 4, 2048])]
    write("bands", nodes, spectrum, [port("masks", [1, "frames", 6, 2048])], [*cut, value("gains", gains)])
    # In bytes, 255 for all of a bin.
    nodes = [*nodes[:2], node("Add", ["blank", "gains"], ["whole"]), node("Cast", ["whole"], ["masks"], to=TensorProto.UINT8)]
    write("bands_bytes", nodes, spectrum, [port("masks", [1, "frames", 6, 2048], TensorProto.UINT8)],
          [*cut, value("gains", 255 * np.float32([0.4, 0.4, 0.2, 0.2, 0.6, 0.8]).reshape(1, 1, 6, 1))])


def norms():
    """One instance normalisation of two channels, with and without its epsilon: the oldest operators that are taken, and those before and after reductions took
    axes as an input."""
    for opset, more in [(12, {}), (17, {"epsilon": 1e-3}), (18, {})]:
        write(f"norm_{opset}", [node("InstanceNormalization", ["input", "scale", "bias"], ["output"], **more)],
              [port("input", ["batch", 2, "rows", "columns"])], [port("output", ["batch", 2, "rows", "columns"])],
              [value("scale", np.float32([2, -0.5])), value("bias", np.float32([0.25, 1]))], opset)
    # As a group norm of two groups is exported, all sizes fixed.
    dims = [1, 4, 8, 16]
    write("norm_group",
          [node("Reshape", ["input", "groups"], ["grouped"]), node("InstanceNormalization", ["grouped", "scale", "bias"], ["normal"]),
           node("Reshape", ["normal", "shape"], ["output"])],
          [port("input", dims)], [port("output", dims)],
          [value("groups", np.int64([0, 2, -1])), value("shape", np.int64(dims)), value("scale", np.float32([1, 1])), value("bias", np.float32([0, 0]))])


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


def hoarder():
    """Twelve constants of 100 MB, each needed for a moment: computed and kept when it is loaded, or in turns when it is run."""
    nodes = [node("Expand", ["little", "many"], ["huge"])]
    for n in range(12):
        nodes += [node("Add", ["huge", f"step{n}"], [f"made{n}"]), node("ReduceMax", [f"made{n}"], [f"most{n}"], keepdims=0)]
    nodes += [node("Max", [f"most{n}" for n in range(12)], ["factor"]), node("Mul", ["input", "factor"], ["output"])]
    write("mdx_hoarder", nodes, [port("input", ["batch", 4, 2048, 256])], [port("output", ["batch", 4, 2048, 256])],
          [value("little", np.float32(0)), value("many", np.int64([25_000_000]))] +
          [value(f"step{n}", np.float32((n + 1) / 24)) for n in range(12)])


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
    """Middle C sounds in a frame of 256 samples as loud as its largest sample, and begins where that rises."""
    window, frames = 43844, 172
    nodes = [
        node("Abs", ["serving_default_input_2:0"], ["level"]),
        node("Pad", ["level", "rest"], ["part"]),
        node("Reshape", ["part", "rows"], ["framed"]),
        node("ReduceMax", ["framed"], ["frame"], axes=[2], keepdims=1),
        node("Mul", ["frame", "keys"], ["StatefulPartitionedCall:1"]),
        node("Pad", ["frame", "one_later"], ["delayed"]),
        node("Slice", ["delayed", "from", "to", "axis"], ["before"]),
        node("Sub", ["frame", "before"], ["change"]),
        node("Relu", ["change"], ["rise"]),
        node("Mul", ["rise", "keys"], ["StatefulPartitionedCall:2"]),
        node("Mul", ["frame", "bends"], ["StatefulPartitionedCall:0"]),
    ]
    keys = np.zeros((1, 1, 88), np.float32)
    keys[0, 0, 60 - 21] = 1
    write("notes", nodes,
          [port("serving_default_input_2:0", ["batch", window, 1])],
          [port("StatefulPartitionedCall:0", ["batch", frames, 264]),
           port("StatefulPartitionedCall:1", ["batch", frames, 88]),
           port("StatefulPartitionedCall:2", ["batch", frames, 88])],
          [value("rest", np.int64([0, 0, 0, 0, frames * 256 - window, 0])), value("rows", np.int64([-1, frames, 256])),
           value("one_later", np.int64([0, 1, 0, 0, 0, 0])), value("from", np.int64([0])),
           value("to", np.int64([frames])), value("axis", np.int64([1])), value("keys", keys),
           value("bends", np.zeros((1, 1, 264), np.float32))])


def musicgen():
    """
    The likeliest code of a row is 3·t + p + 7k + 3o under guidance 3: t the largest token of the text, p the steps in the cache,
    k the codebook, o whether the row's last code was none of the pauses. Row by row the logits are -(c - m)² / 4 with m = t + p + 7k + 3o,
    and t = 0 without the text.
    """
    write("musicgen_text",
          [
              node("Cast", ["input_ids"], ["numbers"], to=FLOAT), node("Cast", ["attention_mask"], ["heard"], to=FLOAT),
              node("Mul", ["numbers", "heard"], ["level"]), node("Unsqueeze", ["level", "last"], ["tall"]),
              node("Mul", ["tall", "width"], ["last_hidden_state"]),
          ],
          [port("input_ids", ["batch", "length"], INT64), port("attention_mask", ["batch", "length"], INT64)],
          [port("last_hidden_state", ["batch", "length", 768])],
          [value("last", np.int64([2])), value("width", np.ones((1, 1, 768), np.float32))])

    layers, heads, size, books, codes = 2, 16, 64, 4, 2048
    encoder = ["batch", heads, "encoder_length", size]
    decoder = ["batch", heads, "past_length", size]
    inputs = [
        port("encoder_attention_mask", ["batch", "length"], INT64), port("input_ids", ["rows", "steps"], INT64),
        port("encoder_hidden_states", ["batch", "length", 768]),
    ]
    outputs = [port("logits", ["rows", "steps", codes])]
    nodes, values = [], []

    def constant(name, array):
        values.append(value(name, array))
        return name

    fresh = [
        node("Slice", ["encoder_hidden_states", constant("from", np.int64([0])), constant("to", np.int64([size])), constant("on_two", np.int64([2]))], ["narrow"]),
        node("Unsqueeze", ["narrow", constant("on_one", np.int64([1]))], ["one_head"]),
        node("Expand", ["one_head", constant("heads", np.int64([1, heads, 1, 1]))], ["text_cache"]),
    ]
    nodes += fresh
    # As in the published decoder: with the cache in use the encoder's part comes out as a stand-in of no length.
    empty = constant("empty", np.int64([0]))
    for layer in range(layers):
        for kind in ["key", "value"]:
            past, present = f"past_key_values.{layer}.encoder.{kind}", f"present.{layer}.encoder.{kind}"
            inputs.append(port(past, encoder))
            outputs.append(port(present, ["batch", heads, "encoder_present", size]))
            nothing = f"nothing_{layer}_{kind}"
            then = helper.make_graph(
                [node("Identity", [past], [f"kept_{nothing}"]), node("Slice", [past, empty, empty, "on_two"], [nothing])],
                f"then_{nothing}", [], [port(f"kept_{nothing}", None), port(nothing, None)])
            otherwise = helper.make_graph(
                [node("Identity", ["text_cache"], [f"new_{nothing}"]), node("Identity", ["text_cache"], [f"again_{nothing}"])],
                f"else_{nothing}", [], [port(f"new_{nothing}", None), port(f"again_{nothing}", None)])
            nodes.append(node("If", ["use_cache_branch"], [f"used_{layer}_{kind}", present], then_branch=then, else_branch=otherwise))
            past, present = f"past_key_values.{layer}.decoder.{kind}", f"present.{layer}.decoder.{kind}"
            inputs.append(port(past, decoder))
            outputs.append(port(present, ["batch", heads, "present_length", size]))
            nodes.append(node("Concat", [past, "step_cache"], [present], axis=2))
    inputs.append(port("use_cache_branch", [1], BOOL))
    nodes[3:3] = [
        node("Shape", ["encoder_hidden_states"], ["batch_dims"], end=1),
        node("Concat", ["batch_dims", constant("step_dims", np.int64([heads, 1, size]))], ["cache_dims"], axis=0),
        node("Expand", [constant("one", np.float32(1)), "cache_dims"], ["step_cache"]),
    ]
    nodes += [
        # t: the largest value of the text's cache that the mask lets through.
        node("ReduceMax", ["used_1_value"], ["by_token"], axes=[1, 3], keepdims=0),
        node("Cast", ["encoder_attention_mask"], ["heard"], to=FLOAT),
        node("Mul", ["by_token", "heard"], ["heard_tokens"]),
        node("ReduceMax", ["heard_tokens"], ["t"], axes=[1], keepdims=1),
        # p: what the cache holds, all of it ones.
        node("ReduceSum", ["past_key_values.0.decoder.value", constant("all_but_batch", np.int64([1, 2, 3]))], ["held"], keepdims=0),
        node("Div", ["held", constant("cells", np.float32(heads * size))], ["p"]),
        node("Unsqueeze", ["p", "on_one"], ["p_column"]),
        node("Add", ["t", "p_column"], ["t_and_p"]),
        node("Add", ["t_and_p", constant("sevens", np.float32([[7 * k for k in range(books)]]))], ["m_books"]),
        node("Reshape", ["m_books", constant("column", np.int64([-1, 1]))], ["m_rows"]),
        node("Less", ["input_ids", constant("pause", np.int64(codes))], ["is_code"]),
        node("Cast", ["is_code"], ["o"], to=FLOAT),
        node("Mul", ["o", constant("three", np.float32(3))], ["o_three"]),
        node("Add", ["m_rows", "o_three"], ["m"]),
        node("Unsqueeze", ["m", "on_two"], ["m_wide"]),
        node("Sub", [constant("numbers", np.arange(codes, dtype=np.float32).reshape(1, 1, codes)), "m_wide"], ["off"]),
        node("Mul", ["off", "off"], ["square"]),
        node("Mul", ["square", constant("steepness", np.float32(-0.25))], ["logits"]),
    ]
    write("musicgen_decoder", nodes, inputs, outputs, values)
    # Each code frame is 640 samples of its four codes' weighted sum.
    write("musicgen_codec",
          [
              node("Cast", ["audio_codes"], ["numbers"], to=FLOAT), node("Mul", ["numbers", "weights"], ["weighted"]),
              node("ReduceSum", ["weighted", "books"], ["level"], keepdims=0), node("Unsqueeze", ["level", "last"], ["tall"]),
              node("Expand", ["tall", "hold"], ["held"]), node("Reshape", ["held", "flat"], ["audio_values"]),
          ],
          [port("audio_codes", [1, "batch", 4, "frames"], INT64)], [port("audio_values", ["batch", 1, "samples"])],
          [value("weights", (np.float32([8, 4, 2, 1]) / 16384).reshape(1, 1, 4, 1)), value("books", np.int64([2])),
           value("last", np.int64([3])), value("hold", np.int64([1, 1, 1, 640])), value("flat", np.int64([1, 1, -1]))])
    pieces = ["<pad>", "</s>", "<unk>", "\u2581", "\u2581calm", "\u2581piano", "\u2581pi", "ano", "a", "n", "o", "s", "l"]
    scores = [0, 0, 0, -2, -6, -7, -5, -4, -3.5, -3.5, -3.5, -3.5, -3.5]
    vocabulary = {"version": "1.0", "model": {"type": "Unigram", "unk_id": 2, "vocab": [list(pair) for pair in zip(pieces, scores)]}}
    (FOLDER / "musicgen_tokenizer.txt").write_text(json.dumps(vocabulary) + "\n")


def diffsinger():
    """
    Mel bin 0 of a frame is the number of its phoneme, bin 1 a hundredth of its f0; a sample is bin 0 of its frame / 64 + bin 1 / 64, and f0 / 102400 more, so
    that what either graph is given shows. The speaker's first value is added to bin 0. As in the published exports number 0 pads: it takes no frames,
    and neither graph runs on none. In `diffsinger_variances` bin 0 is instead the curve that `steps` counts to: energy, breathiness, voicing, tension.
    """
    bins, hop = 128, 512
    spot = np.zeros((1, 1, bins), np.float32)
    zero, one = spot.copy(), spot.copy()
    zero[0, 0, 0] = 1
    one[0, 0, 1] = 0.01
    for name, kind in [("diffsinger_acoustic", "plain"), ("diffsinger_speaker", "speaker"), ("diffsinger_variances", "variances")]:
        inputs = [port("tokens", [1, "n_tokens"], INT64), port("durations", [1, "n_tokens"], INT64), port("f0", [1, "n_frames"])]
        nodes = [
            # Frame t belongs to the phoneme whose number is that of the ends that lie at or before t.
            node("Greater", ["tokens", "nothing"], ["sounds"]),
            node("Cast", ["sounds"], ["sounding"], to=INT64),
            node("Mul", ["durations", "sounding"], ["lengths"]),
            node("CumSum", ["lengths", "axis"], ["ends"]),
            node("ReduceMax", ["ends"], ["count"], keepdims=0),
            node("Range", ["nothing", "count", "step"], ["t"]),
            node("Unsqueeze", ["t", "last"], ["column"]),
            node("GreaterOrEqual", ["column", "ends"], ["past"]),
            node("Cast", ["past"], ["passed"], to=INT64),
            node("ReduceSum", ["passed", "last"], ["index"], keepdims=0),
            node("Squeeze", ["tokens", "first"], ["row"]),
            node("Gather", ["row", "index"], ["spoken"]),
            node("Cast", ["spoken"], ["number"], to=FLOAT),
            node("Unsqueeze", ["number", "around"], ["number_cell"]),
            node("Mul", ["number_cell", "zero"], ["phoneme_bin"]),
            node("Unsqueeze", ["f0", "behind"], ["f0_cell"]),
            node("Mul", ["f0_cell", "one"], ["pitch_bin"]),
            # One frame for each of f0's, else this fails, as the published ones do.
            node("Add", ["phoneme_bin", "pitch_bin"], ["mel" if kind == "plain" else "plain"]),
        ]
        values = [value("axis", np.int64(1)), value("nothing", np.int64(0)), value("step", np.int64(1)), value("last", np.int64([1])),
                  value("first", np.int64([0])), value("around", np.int64([0, 2])), value("behind", np.int64([2])),
                  value("zero", zero), value("one", one)]
        if kind == "variances":
            curves = ["energy", "breathiness", "voicing", "tension"]
            inputs += [port(curve, [1, "n_frames"]) for curve in curves] + [port("steps", [], INT64)]
            nodes += [
                *[node("Unsqueeze", [curve, "behind"], [f"{curve}_cell"]) for curve in curves],
                node("Concat", [f"{curve}_cell" for curve in curves], ["all"], axis=2),
                node("Sub", ["steps", "step"], ["index_of_curve"]),
                node("Unsqueeze", ["index_of_curve", "first"], ["which"]),
                node("Gather", ["all", "which"], ["curve"], axis=2),
                node("Mul", ["curve", "zero"], ["curve_bin"]),
                node("Mul", ["plain", "other"], ["rest"]),
                node("Add", ["rest", "curve_bin"], ["mel"]),
            ]
            values.append(value("other", 1 - zero))
        if kind == "speaker":
            inputs.append(port("spk_embed", [1, "n_frames", 4]))
            inputs.append(port("steps", [], INT64))
            nodes += [
                node("Slice", ["spk_embed", "from", "to", "behind"], ["colour"]),
                node("Mul", ["colour", "zero"], ["colour_bin"]),
                node("Add", ["plain", "colour_bin"], ["mel"]),
            ]
            values += [value("from", np.int64([0])), value("to", np.int64([1]))]
        write(name, nodes, inputs, [port("mel", [1, "n_frames", bins])], values)
    write("diffsinger_vocoder",
          [
              node("Slice", ["mel", "from", "to", "behind"], ["two"]),
              node("ReduceSum", ["two", "behind"], ["level"], keepdims=1),
              node("Mul", ["level", "scale"], ["quiet"]),
              node("Unsqueeze", ["f0", "behind"], ["f0_cell"]),
              node("Mul", ["f0_cell", "tiny"], ["pitched"]),
              node("Add", ["quiet", "pitched"], ["sample"]),
              node("Expand", ["sample", "hold"], ["held"]),
              node("Reshape", ["held", "flat"], ["waveform"]),
          ],
          [port("mel", [1, "n_frames", bins]), port("f0", [1, "n_frames"])], [port("waveform", [1, "n_samples"])],
          [value("from", np.int64([0])), value("to", np.int64([2])), value("behind", np.int64([2])),
           value("scale", np.float32(1 / 64)), value("tiny", np.float32(1 / 102400)), value("hold", np.int64([1, 1, hop])), value("flat", np.int64([1, -1]))])
    names = ["<PAD>", "SP", "AP"] + "aa ae ah ao aw ay eh er ey ih iy ow oy uh uw b ch d dh f g hh jh k l m n ng p r s sh t th v w y z zh".split()
    (FOLDER / "diffsinger_phonemes.txt").write_text("\n".join(names) + "\n")


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    mdx()
    htdemucs()
    umx()
    bands()
    norms()
    faults()
    hoarder()
    voice()
    notes()
    musicgen()
    diffsinger()
