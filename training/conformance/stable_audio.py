"""Stable Audio Open against `diffusers`' pipeline, and its small one's transformer and sampler against `stable_audio_tools`; noise is Tonwerk's own on both sides.

    python stable_audio.py [--full DIR]
"""

import logging
import sys
from importlib.metadata import version
from types import SimpleNamespace

import diffusers.schedulers.scheduling_cosine_dpmsolver_multistep as scheduling
import numpy as np
import torch
from diffusers import AutoencoderOobleck, CosineDPMSolverMultistepScheduler, StableAudioDiTModel, StableAudioPipeline
from diffusers.models.embeddings import get_1d_rotary_pos_embed
from diffusers.pipelines.stable_audio import StableAudioProjectionModel
from torch import nn
from transformers import T5Config, T5EncoderModel, T5TokenizerFast

# Of solvers that neither case uses.
sys.modules["k_diffusion"] = SimpleNamespace()
from stable_audio_tools.inference import sampling  # noqa: E402
from stable_audio_tools.models.conditioners import NumberConditioner  # noqa: E402
from stable_audio_tools.models.dit import DiffusionTransformer  # noqa: E402

from common import export, folder_of, is_wanted, options, randomise, write_case  # noqa: E402

PROMPT = "rain on a tin roof, and thunder"
RATE, SEED = 44_100, 1
#: Of the decoder's layers.
GAIN = 0.7


class Noise:
    """As runners/models/normals.ts: splitmix32, then Box and Muller."""

    def __init__(self, seed):
        self.seed, self.at = seed, 0

    def uniform(self, count):
        index = np.arange(self.at + 1, self.at + count + 1, dtype=np.uint64)
        self.at += count
        z = ((self.seed + index * 0x9E3779B9) & 0xFFFFFFFF).astype(np.uint64)
        for shift, factor in ((16, 0x7FEB352D), (15, 0x846CA68B)):
            z = ((z ^ (z >> np.uint64(shift))) * np.uint64(factor)) & np.uint64(0xFFFFFFFF)
        return (z ^ (z >> np.uint64(16))) / 2**32

    def like(self, tensor):
        count = tensor.numel()
        pairs = self.uniform(2 * ((count + 1) // 2)).reshape(-1, 2)
        radius, angle = np.sqrt(-2 * np.log(1 - pairs[:, 0])), 2 * np.pi * pairs[:, 1]
        both = np.stack([radius * np.cos(angle), radius * np.sin(angle)], -1).reshape(-1)[:count]
        return torch.from_numpy(both.astype(np.float32)).reshape(tensor.shape)


class WithPositions(nn.Module):
    """The transformer as one graph: its rotary positions do not change."""

    def __init__(self, transformer, frames):
        super().__init__()
        self.transformer = transformer
        width = transformer.config.attention_head_dim // 2
        self.rotary = get_1d_rotary_pos_embed(width, frames + 1, use_real=True, repeat_interleave_real=False)

    def forward(self, hidden_states, timestep, encoder_hidden_states, global_hidden_states):
        return self.transformer(hidden_states, timestep, encoder_hidden_states=encoder_hidden_states, global_hidden_states=global_hidden_states,
                                rotary_embedding=self.rotary, return_dict=False)[0]


class Encoder(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, input_ids, attention_mask):
        return self.model(input_ids, attention_mask=attention_mask)[0]


class Projection(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, text_hidden_states, start_seconds, end_seconds):
        made = self.model(text_hidden_states, start_seconds, end_seconds)
        return made.text_hidden_states, made.seconds_start_hidden_states, made.seconds_end_hidden_states


class Conditions(nn.Module):
    """Of the small one: T5's states as they are, and where the piece ends."""

    def __init__(self, total):
        super().__init__()
        self.total = total

    def forward(self, text_hidden_states, seconds_total):
        share = (seconds_total.clamp(self.total.min_val, self.total.max_val) - self.total.min_val) / (self.total.max_val - self.total.min_val)
        return 1 * text_hidden_states, self.total.embedder(share).unsqueeze(1)


class Small(nn.Module):
    """Exporting drops what is None between others."""

    def __init__(self, transformer):
        super().__init__()
        self.transformer = transformer

    def forward(self, x, t, cross_attn_cond, global_embed):
        return self.transformer(x, t, cross_attn_cond=cross_attn_cond, global_embed=global_embed)


class Decoder(nn.Module):
    def __init__(self, vae):
        super().__init__()
        self.vae = vae

    def forward(self, latents):
        return self.vae.decode(latents).sample


def frames_of(most):
    """Of `--seconds`, as many as the published model has at most."""
    return min(most, int(options().seconds * RATE / 2048))


def parts(full, frames, length):
    """What both share: tokenizer, T5 and the autoencoder."""
    tokenizer = T5TokenizerFast(tokenizer_file=str(folder_of("tokenizer", full) / "tokenizer.txt"), model_max_length=length)
    torch.manual_seed(1)
    t5 = randomise(T5EncoderModel(T5Config(vocab_size=32_128 if full else len(tokenizer), d_model=768 if full else 16, d_kv=64 if full else 8, d_ff=3072 if full else 32,
                                           num_layers=12 if full else 1, num_heads=12 if full else 2)), 41)
    wide = dict(encoder_hidden_size=128, decoder_channels=128) if full else dict(encoder_hidden_size=4, decoder_channels=2)
    vae = randomise(AutoencoderOobleck(downsampling_ratios=[2, 4, 4, 8, 8], channel_multiples=[1, 2, 4, 8, 16], audio_channels=2,
                                       decoder_input_channels=64 if full else 8, sampling_rate=RATE, **wide), 42)
    # Sound decoders are smooth: with steep layers single precision alone leaves 45 dB of the package's own output.
    with torch.no_grad():
        for name, parameter in vae.decoder.named_parameters():
            if name.endswith("weight_g") or name.endswith("original0"):
                parameter.mul_(GAIN)
    return tokenizer, t5, vae


def export_shared(folder, t5, vae, width, frames, length, latents):
    names = ["input_ids", "attention_mask"]
    export(Encoder(t5), (torch.ones(1, length, dtype=torch.long), torch.ones(1, length, dtype=torch.long)), folder / "text_encoder.onnx",
           input_names=names, output_names=["last_hidden_state"])
    export(Decoder(vae), torch.rand(1, latents, frames), folder / "decoder.onnx", input_names=["latents"], output_names=["audio"])


def make_open(full):
    frames, length, steps, layers = (frames_of(1024), 128, 2, min(24, options().layers)) if full else (32, 20, 6, 2)
    tokenizer, t5, vae = parts(full, frames, length)
    latents, width = (64, 768) if full else (8, 12)
    heads = dict(attention_head_dim=64, num_attention_heads=24, num_key_value_attention_heads=12) if full else \
        dict(attention_head_dim=8, num_attention_heads=2, num_key_value_attention_heads=1)
    cross = heads["attention_head_dim"] * heads["num_key_value_attention_heads"]
    transformer = randomise(StableAudioDiTModel(sample_size=frames, in_channels=latents, out_channels=latents, num_layers=layers, cross_attention_dim=cross,
                                                cross_attention_input_dim=width, global_states_input_dim=2 * width, time_proj_dim=256 if full else 16, **heads), 43)
    projection = randomise(StableAudioProjectionModel(t5.config.d_model, width, 0, 512), 44)
    # As the published model's scheduler is set.
    scheduler = CosineDPMSolverMultistepScheduler(sigma_min=0.3, sigma_max=500, sigma_data=1.0, sigma_schedule="exponential", solver_order=2,
                                                  prediction_type="v_prediction", solver_type="midpoint")
    pipeline = StableAudioPipeline(vae, t5, projection, tokenizer, transformer, scheduler)
    pipeline.set_progress_bar_config(disable=True)
    # The package cuts off a part of a sample, Tonwerk rounds it.
    seconds = (round(0.9 * frames * vae.hop_length) + 0.4) / RATE

    def run():
        noise = Noise(SEED)
        first = noise.like(torch.empty(1, latents, frames))
        # Of Brownian motion over one step and the next nothing is shared, so that it is fresh noise for each.
        scheduling.BrownianTreeNoiseSampler = lambda x, **more: lambda sigma, sigma_next: noise.like(x) if sigma_next > 0 else torch.zeros_like(x)
        return pipeline(PROMPT, audio_end_in_s=seconds, num_inference_steps=steps, guidance_scale=3.0, latents=first).audios[0][:, : round(seconds * RATE)]

    folder = folder_of("stable_audio", full)
    export_shared(folder, t5, vae, width, frames, length, latents)
    export(Projection(projection), (torch.rand(1, length, t5.config.d_model), torch.zeros(1), torch.ones(1)), folder / "conditioner.onnx",
           input_names=["text_hidden_states", "start_seconds", "end_seconds"],
           output_names=["text_states", "seconds_start_hidden_states", "seconds_end_hidden_states"])
    rows = (torch.rand(2, latents, frames), torch.rand(1), torch.rand(2, length + 2, width), torch.rand(2, 1, 2 * width))
    export(WithPositions(transformer, frames), rows, folder / "transformer.onnx", output_names=["sample"],
           input_names=["hidden_states", "timestep", "encoder_hidden_states", "global_hidden_states"])
    graphs = ("text_encoder", "conditioner", "transformer", "decoder")
    manifest = {"family": "latent-diffusion", "steps": steps, "guidance": 3, "tokens_max": length, "frames": frames}
    write_case(folder, f"diffusers {version('diffusers')}", manifest, {**{name: f"{name}.onnx" for name in graphs}, "tokenizer": "../tokenizer/tokenizer.txt"},
               {"prompt": PROMPT, "seconds": seconds}, run, inside=(transformer, "velocity", lambda made: made[0]))


def make_small(full):
    frames, length, steps = (frames_of(256), 64, 8) if full else (32, 20, 6)
    tokenizer, t5, vae = parts(full, frames, length)
    latents, width = (64, 768) if full else (8, t5.config.d_model)
    # Not all zeros, as the positions of both sides would then be untested.
    transformer = randomise(DiffusionTransformer(io_channels=latents, embed_dim=1024 if full else 64, depth=min(16, options().layers) if full else 2,
                                                 num_heads=8 if full else 2, cond_token_dim=width, global_cond_dim=width, project_cond_tokens=not full,
                                                 diffusion_objective="rf_denoiser", attn_kwargs={"qk_norm": "ln"}), 45)
    total = randomise(NumberConditioner(width, 0, 256), 46)
    seconds = 0.9 * frames * vae.hop_length / RATE

    def run():
        noise = Noise(SEED)
        first = noise.like(torch.empty(1, latents, frames))
        tokens = tokenizer(PROMPT, padding="max_length", max_length=length, truncation=True, return_tensors="pt")
        text = t5(tokens.input_ids, attention_mask=tokens.attention_mask)[0] * tokens.attention_mask[..., None]
        end = total([seconds])[0]
        torch.randn_like = noise.like
        made = sampling.sample_rf(transformer, first, steps=steps, sampler_type="pingpong", device="cpu",
                                  cross_attn_cond=torch.cat([text, end], 1), global_embed=end[:, 0])
        return vae.decode(made).sample[0][:, : round(seconds * RATE)]

    folder = folder_of("stable_audio_small", full)
    if full:
        export_shared(folder, t5, vae, width, frames, length, latents)
    export(Conditions(total), (torch.rand(1, length, width), torch.ones(1)), folder / "conditioner.onnx",
           input_names=["text_hidden_states", "seconds_total"], output_names=["text_states", "seconds_total_hidden_states"])
    export(Small(transformer), (torch.rand(1, latents, frames), torch.rand(1), torch.rand(1, length + 1, width), torch.rand(1, width)),
           folder / "transformer.onnx", input_names=["x", "t", "cross_attn_cond", "global_embed"], output_names=["output"])
    shared = {name: f"{name}.onnx" if full else f"../stable_audio/{name}.onnx" for name in ("text_encoder", "decoder")}
    manifest = {"family": "latent-diffusion", "sampler": "ping-pong", "steps": steps, "tokens_max": length, "frames": frames}
    write_case(folder, f"stable-audio-tools {version('stable-audio-tools')}", manifest,
               {**shared, "conditioner": "conditioner.onnx", "transformer": "transformer.onnx", "tokenizer": "../tokenizer/tokenizer.txt"},
               {"prompt": PROMPT, "seconds": seconds}, run)


if __name__ == "__main__":
    logging.disable(logging.WARNING)
    if is_wanted("stable_audio"):
        make_open(options().full)
    if is_wanted("stable_audio_small"):
        make_small(options().full)
