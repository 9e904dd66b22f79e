"""MusicGen melody against `transformers`: the chroma of a sound, and greedy codes under guidance, decoded, with that sound and without one.

    python musicgen_melody.py [--full DIR]
    python musicgen_melody.py --checkpoint facebook/musicgen-melody --full DIR    # exports published weights

No public exporter writes it, so this one does, each part as the package computes it. `text_encoder` and `encodec_decode` are as Optimum names theirs.
`decoder_model` hears what stands before the codes, chroma frames and then the text, both projected, and gives the keys and values of it;
`decoder_with_past_model` makes every step after it.
"""

import shutil
import tempfile
from importlib.metadata import version
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from transformers import (AutoTokenizer, EncodecConfig, MusicgenMelodyConfig, MusicgenMelodyDecoderConfig, MusicgenMelodyFeatureExtractor,
                          MusicgenMelodyForConditionalGeneration, T5Config, T5TokenizerFast)

from common import beside, export, folder_of, is_wanted, options, plucks, randomise, round_to_half, write_case

PROMPT = "calm piano, 82 bpm"
FRAMES = 12
#: Samples of one frame. The rate is a label, as in musicgen.py.
HOP, RATE = 640, 44_100
#: 49 frames of chroma, the last in silence, of which the first eight come again.
MELODY, CHROMA_FRAMES = {"rate": RATE, "seconds": 4.5, "seed": 5}, 57


class TextEncoder(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.encoder = model.text_encoder

    def forward(self, tokens, mask):
        return self.encoder(input_ids=tokens, attention_mask=mask).last_hidden_state


class Layers(torch.nn.Module):
    """The decoder's layers from any position on, as MusicgenMelodyDecoder runs them."""

    def __init__(self, model):
        super().__init__()
        self.decoder = model.decoder.model.decoder

    def through(self, hidden, pasts, mask):
        before = pasts[0].shape[2] if pasts else 0
        positions = torch.arange(hidden.shape[1]) + before
        hidden = hidden + self.decoder.embed_positions.weights.index_select(0, positions)
        presents = []
        for number, layer in enumerate(self.decoder.layers):
            past = (pasts[2 * number], pasts[2 * number + 1]) if pasts else None
            hidden, present = layer(hidden, attention_mask=mask, past_key_value=past, use_cache=True)
            presents += present
        return self.decoder.layer_norm(hidden), presents


class Prefix(Layers):
    def __init__(self, model):
        super().__init__(model)
        self.text, self.chroma = model.enc_to_dec_proj, model.audio_enc_to_dec_proj

    def forward(self, chroma, text, mask):
        # Text that is masked is zeros, but stands there: nothing hides it from attention.
        hidden = torch.cat([self.chroma(chroma), self.text(text) * mask[..., None]], dim=1)
        length = hidden.shape[1]
        _, presents = self.through(hidden, [], torch.full((length, length), torch.finfo(torch.float32).min).triu(1)[None, None])
        return tuple(presents)


class Step(Layers):
    def __init__(self, model):
        super().__init__(model)
        self.heads, self.books = model.decoder.lm_heads, model.decoder.num_codebooks

    def forward(self, codes, *pasts):
        columns = codes.reshape(-1, self.books, 1)
        hidden = sum(table(columns[:, book]) for book, table in enumerate(self.decoder.embed_tokens))
        hidden, presents = self.through(hidden, pasts, None)
        logits = torch.stack([head(hidden) for head in self.heads], dim=1)
        return (logits.reshape(-1, 1, logits.shape[-1]), *presents)


class Codec(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.codec = model.audio_encoder

    def forward(self, codes):
        return self.codec.decode(codes, [None]).audio_values


def export_parts(model, folder, parts):
    """`parts`: of those by role, the ones that are wanted."""
    model.eval()
    for config in (model.text_encoder.config, model.decoder.config):
        # What the exporter knows best; the values are the same.
        config._attn_implementation = "eager"
    settings = model.decoder.config
    heads, size = settings.num_attention_heads, settings.hidden_size // settings.num_attention_heads
    names = [f"{layer}.decoder.{kind}" for layer in range(settings.num_hidden_layers) for kind in ("key", "value")]
    past, present = [f"past_key_values.{name}" for name in names], [f"present.{name}" for name in names]
    rows = {0: "batch", 1: "length"}
    mask = torch.tensor([[1] * 5, [0] * 5])
    tokens = torch.tensor([[3, 4, 5, 2, 1], [3, 4, 5, 2, 1]])
    chroma = torch.eye(model.config.num_chroma)[torch.arange(2 * model.config.chroma_length) % model.config.num_chroma].reshape(2, -1, model.config.num_chroma)
    text = torch.sin(torch.arange(2 * 5 * model.text_encoder.config.hidden_size)).reshape(2, 5, -1)
    codes = torch.arange(2 * settings.num_codebooks)[:, None] % settings.vocab_size
    caches = [torch.sin(torch.arange(2 * heads * 7 * size) + number).reshape(2, heads, 7, size) for number in range(len(names))]
    # EnCodec pads fewer frames than a few in another way, which a trace of them would hold.
    columns = (torch.arange(40 * settings.num_codebooks) % settings.vocab_size).reshape(1, 1, settings.num_codebooks, 40)
    everything = {
        "text_encoder": (TextEncoder(model), (tokens, mask | 1), ["input_ids", "attention_mask"], ["last_hidden_state"],
                         {"input_ids": rows, "attention_mask": rows, "last_hidden_state": rows}),
        "decoder_model": (Prefix(model), (chroma, text, mask), ["input_features", "encoder_hidden_states", "encoder_attention_mask"], present,
                          {"input_features": {0: "batch"}, "encoder_hidden_states": rows, "encoder_attention_mask": rows,
                           **{name: {0: "batch", 2: "positions"} for name in present}}),
        "decoder_with_past_model": (Step(model), (codes, *caches), ["input_ids", *past], ["logits", *present],
                                    {"input_ids": {0: "rows"}, "logits": {0: "rows"}, **{name: {0: "batch", 2: "past"} for name in past},
                                     **{name: {0: "batch", 2: "positions"} for name in present}}),
        "encodec_decode": (Codec(model), (columns,), ["audio_codes"], ["audio_values"], {"audio_codes": {3: "frames"}, "audio_values": {2: "samples"}}),
    }
    for name in parts:
        part, given, inputs, outputs, axes = everything[name]
        path = folder / f"{name}.onnx"
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            # Or the exporter gives the package its dropout back.
            export(part.eval(), given, Path(scratch) / path.name, input_names=inputs, output_names=outputs, dynamic_axes=axes, opset_version=17)
            # Of more than protobuf takes each tensor is a file, and those of both decoders have the same names.
            if beside(Path(scratch), path.name):
                onnx.save_model(onnx.load(Path(scratch) / path.name), path, save_as_external_data=True, location=f"{name}.onnx_data")
            else:
                shutil.move(Path(scratch) / path.name, path)
        check(part, given, inputs, path)


def check(part, given, inputs, path):
    """What was traced must not hold the sizes it was traced with: other ones give what the package gives."""
    session = onnxruntime.InferenceSession(str(path))
    # About half of a sequence, where it may have any length.
    free = {one.name: [axis for axis, dim in enumerate(one.shape) if isinstance(dim, str) and axis > 0] for one in session.get_inputs()}
    other = tuple(tensor.narrow(free[name][0], 0, tensor.shape[free[name][0]] // 2 + 1) if free[name] else tensor for name, tensor in zip(inputs, given))
    with torch.no_grad():
        for feeds in (given, other):
            made = session.run(None, {name: tensor.contiguous().numpy() for name, tensor in zip(inputs, feeds)})
            wanted = part(*feeds)
            wanted = wanted if isinstance(wanted, tuple) else (wanted,)
            worst = max(np.abs(one - other.numpy()).max() / np.abs(other.numpy()).max() for one, other in zip(made, wanted, strict=True))
            print(f"{path.name}: within {worst:.1e} of its largest value")
            assert worst < 1e-3, path


def make(full):
    names = {"musicgen_melody": MELODY, "musicgen_melody_free": None}
    if not any(is_wanted(name) for name in names):
        return
    # With three steps of delay 120.
    frames = 117 if full else FRAMES
    tokenizer = T5TokenizerFast(tokenizer_file=str(folder_of("tokenizer", full) / "tokenizer.txt"))
    tokens = tokenizer(PROMPT, return_tensors="pt").input_ids
    codes, books = (2048 if full else 64), 4
    torch.manual_seed(1)
    # Text encoder and codec of the small case are the mono model's, of the same weights.
    t5 = T5Config(vocab_size=32_128 if full else len(tokenizer), d_model=768 if full else 16, d_kv=64 if full else 8, d_ff=3072 if full else 32,
                  num_layers=12 if full else 1, num_heads=12 if full else 2)
    encodec = EncodecConfig(sampling_rate=32_000, num_filters=64 if full else 2, upsampling_ratios=[8, 5, 4, 4], codebook_size=codes,
                            codebook_dim=128 if full else 8, hidden_size=128 if full else 8, num_lstm_layers=2 if full else 1,
                            target_bandwidths=[2.0 if not full else 2.2], use_causal_conv=False, norm_type="weight_norm", normalize=False)
    decoder = MusicgenMelodyDecoderConfig(vocab_size=codes, num_hidden_layers=min(48, options().layers) if full else 2, ffn_dim=6144 if full else 48,
                                          num_attention_heads=24 if full else 3, hidden_size=1536 if full else 24,
                                          max_position_embeddings=2048 if full else 96, num_codebooks=books, audio_channels=1, pad_token_id=codes, bos_token_id=codes)
    chroma_frames = 235 if full else CHROMA_FRAMES
    model = MusicgenMelodyForConditionalGeneration(MusicgenMelodyConfig.from_sub_models_config(t5, encodec, decoder, num_chroma=12, chroma_length=chroma_frames))
    randomise(model, 23)
    randomise(model.text_encoder, 21)
    randomise(model.audio_encoder, 20)
    with torch.no_grad():
        # Positions are sines, not weights.
        positions = model.decoder.model.decoder.embed_positions
        positions.make_weights(positions.weights.shape[0], positions.embedding_dim)
        # Louder than chance has it, so that other chroma give other codes.
        model.audio_enc_to_dec_proj.weight.mul_(3)
    round_to_half(model)
    for field in ["pad_token_id", "bos_token_id", "decoder_start_token_id"]:
        setattr(model.generation_config, field, codes)
    parts = {"text_encoder": "text_encoder", "decoder": "decoder_model", "decoder_with_past": "decoder_with_past_model", "codec": "encodec_decode"}
    own = ["decoder_model", "decoder_with_past_model"]
    if full:
        own = list(parts.values())
    home = folder_of("musicgen_melody", full)
    if not options().rounds:
        export_parts(model, home, own)
    files = {role: f"../musicgen_melody/{name}.onnx" if name in own else f"../musicgen/{name}.onnx" for role, name in parts.items()}
    files["tokenizer"] = "../tokenizer/tokenizer.txt"
    manifest = {"family": "musicgen-melody", "chroma_frames": chroma_frames, "codes": codes, "top_k": 1, "sample_rate": RATE, "frame_rate": RATE / HOP}
    for name, melody in names.items():
        heard = {}
        if melody is not None:
            heard["input_features"] = chroma_of(plucks(**melody), folder_of(name, full))

        def run():
            kept = []
            decode = model.audio_encoder.decode
            model.audio_encoder.decode = lambda audio_codes, *rest, **more: kept.append(audio_codes) or decode(audio_codes, *rest, **more)
            model.generate(tokens, attention_mask=torch.ones_like(tokens), do_sample=False, guidance_scale=3.0, max_new_tokens=frames + 3, **heard)
            model.audio_encoder.decode = decode
            print(f"codes of {name}: {kept[0].flatten().tolist()}")
            return torch.stack([decode(given, [None]).audio_values[0, 0] for given in kept])

        given = {"prompt": PROMPT, "seconds": frames * HOP / RATE - 1e-6, **({} if melody is None else {"melody": melody})}
        write_case(folder_of(name, full), f"transformers {version('transformers')}", manifest, files, given, run, stride=7,
                   inside=(model.decoder, "logits", lambda made: made.logits[:, -1]), keeps_inside=True)


def chroma_of(sound, folder):
    """One-hot, as the package gives it; what it was before, of twelve parts each frame, is kept for the test."""
    extractor = MusicgenMelodyFeatureExtractor(sampling_rate=RATE)
    # Its own lines up to the largest.
    raw = torch.einsum("cf, ...ft->...ct", extractor.chroma_filters, extractor.spectrogram(torch.from_numpy(sound)[None]).squeeze(1))
    chroma = torch.nn.functional.normalize(raw, p=float("inf"), dim=-2, eps=1e-6).transpose(1, 2)
    found = extractor(sound, sampling_rate=RATE, return_tensors="pt").input_features
    assert torch.equal(found.argmax(-1), chroma.argmax(-1))
    ranked = chroma[0, chroma[0].amax(-1) > 0].sort(-1).values
    print(f"{found.shape[1]} frames of chroma: {found[0].argmax(-1).tolist()}, the largest ahead by {(ranked[:, -1] - ranked[:, -2]).min():.3f} at least")
    chroma[0].numpy().astype("<f4").tofile(folder / "chroma.f32")
    return found


def export_checkpoint(name, folder):
    folder.mkdir(parents=True, exist_ok=True)
    model = MusicgenMelodyForConditionalGeneration.from_pretrained(name, torch_dtype=torch.float32)
    AutoTokenizer.from_pretrained(name).save_pretrained(folder)
    export_parts(model, folder, ["text_encoder", "decoder_model", "decoder_with_past_model", "encodec_decode"])


if __name__ == "__main__":
    if options().checkpoint:
        export_checkpoint(options().checkpoint, options().full)
    else:
        make(options().full)
