"""MusicGen against `transformers`: greedy codes under guidance, decoded; mono in the two decoders that Optimum writes, stereo in one that is merged of them.

    python musicgen.py [--full DIR]
"""

import shutil
import tempfile
from importlib.metadata import version
from pathlib import Path

import torch
from optimum.exporters.onnx import main_export
from optimum.onnx import merge_decoders
from transformers import (EncodecConfig, MusicgenConfig, MusicgenDecoderConfig, MusicgenForConditionalGeneration, T5Config, T5TokenizerFast)
from transformers.models.encodec.modeling_encodec import EncodecResidualVectorQuantizer

from common import folder_of, is_wanted, options, randomise, round_to_half, write_case

PROMPT = "calm piano, 82 bpm"
FRAMES = 40
#: Samples of one frame. The rate is a label: at the output's own nothing is resampled, and samples can be compared.
HOP, RATE = 640, 44_100


def make(full, channels):
    name = "musicgen_stereo" if channels == 2 else "musicgen"
    if not is_wanted(name):
        return
    # With three steps of delay 120.
    frames = 117 if full else FRAMES
    # The tokenizer's case is made first.
    tokenizer = T5TokenizerFast(tokenizer_file=str(folder_of("tokenizer", full) / "tokenizer.txt"))
    tokens = tokenizer(PROMPT, return_tensors="pt").input_ids
    codes, books = (2048 if full else 64), 4 * channels
    torch.manual_seed(channels)
    t5 = T5Config(vocab_size=32_128 if full else len(tokenizer), d_model=768 if full else 16, d_kv=64 if full else 8, d_ff=3072 if full else 32,
                  num_layers=12 if full else 1, num_heads=12 if full else 2)
    encodec = EncodecConfig(sampling_rate=32_000, num_filters=64 if full else 2, upsampling_ratios=[8, 5, 4, 4], codebook_size=codes,
                            codebook_dim=128 if full else 8, hidden_size=128 if full else 8, num_lstm_layers=2 if full else 1,
                            target_bandwidths=[2.0 if not full else 2.2], use_causal_conv=False, norm_type="weight_norm", normalize=False)
    decoder = MusicgenDecoderConfig(vocab_size=codes, num_hidden_layers=min(24, options().layers) if full else 2, ffn_dim=4096 if full else 48,
                                    num_attention_heads=16 if full else 3, hidden_size=1024 if full else 24, max_position_embeddings=2048 if full else 128, num_codebooks=books,
                                    audio_channels=channels, pad_token_id=codes, bos_token_id=codes)
    model = MusicgenForConditionalGeneration(MusicgenConfig.from_sub_models_config(t5, encodec, decoder))
    randomise(model, 20 + channels)
    randomise(model.audio_encoder, 20)
    # Positions are sines, not weights.
    with torch.no_grad():
        for part in model.modules():
            if type(part).__name__ == "MusicgenSinusoidalPositionalEmbedding":
                part.make_weights(part.weights.shape[0], part.embedding_dim)
    round_to_half(model)
    for field in ["pad_token_id", "bos_token_id", "decoder_start_token_id"]:
        setattr(model.generation_config, field, codes)

    def run():
        kept = []
        decode = model.audio_encoder.decode
        model.audio_encoder.decode = lambda audio_codes, *rest, **more: kept.append(audio_codes) or decode(audio_codes, *rest, **more)
        model.generate(tokens, attention_mask=torch.ones_like(tokens), do_sample=False, guidance_scale=3.0, max_new_tokens=frames + 3)
        model.audio_encoder.decode = decode
        return torch.stack([decode(given, [None]).audio_values[0, 0] for given in kept])

    names = {"text_encoder": "text_encoder", "decoder": "decoder_model", "decoder_with_past": "decoder_with_past_model", "codec": "encodec_decode"}
    if channels == 2:
        names = {"text_encoder": "text_encoder", "decoder": "merged"}
    folder = folder_of(name, full)
    if not options().rounds:
        export_parts(model, folder, names, books // channels)
    files = {role: f"{name}.onnx" for role, name in names.items()}
    files.setdefault("codec", "../musicgen/encodec_decode.onnx")
    files["tokenizer"] = "../tokenizer/tokenizer.txt"
    manifest = {"family": "musicgen", "channels": channels, "codes": codes, "top_k": 1, "sample_rate": RATE, "frame_rate": RATE / HOP}
    write_case(folder, f"transformers {version('transformers')}, optimum-onnx {version('optimum-onnx')}", manifest, files,
               {"prompt": PROMPT, "seconds": frames * HOP / RATE - 1e-6}, run, stride=7,
               inside=(model.decoder, "logits", lambda made: made.logits[:, -1]))


def export_parts(model, folder, names, own):
    """As Optimum writes them. `own`: codebooks of one channel."""
    with tempfile.TemporaryDirectory() as scratch:
        model.save_pretrained(f"{scratch}/model")
        # Optimum traces a stereo model's codec with the codebooks of both channels, which it does not have: the mono model's is the same.
        whole = EncodecResidualVectorQuantizer.decode
        EncodecResidualVectorQuantizer.decode = lambda self, given: whole(self, given[:own])
        dtype = {None: "fp32", "float16": "fp16", "bfloat16": "bf16"}[options().half]
        main_export(f"{scratch}/model", output=f"{scratch}/onnx", task="text-to-audio", do_validation=False, dtype=dtype)
        EncodecResidualVectorQuantizer.decode = whole
        made = Path(scratch) / "onnx"
        if "merged" in names.values():
            merge_decoders(made / "decoder_model.onnx", made / "decoder_with_past_model.onnx", save_path=made / "merged.onnx", strict=False)
        for name in names.values():
            shutil.move(made / f"{name}.onnx", folder / f"{name}.onnx")


if __name__ == "__main__":
    for channels in (1, 2):
        make(options().full, channels)
