"""Trains the network. Stops at a time of day and anneals towards it; goes on from its last checkpoint when started again.

    python train.py --pack FOLDER --out FOLDER --until 2026-11-22T06:50 [--batch 4] [--seconds 4.45] [--processes 2]

One process for each core, each with examples and one thread of its own; gradients are averaged after each step.
Writes FOLDER/last.pt (weights, averaged weights, optimiser, progress) every few minutes and FOLDER/log.jsonl. The loss is the mean over the
sources of minus the signal-to-distortion ratio in dB, bounded to 30 dB.
"""

import argparse
import json
import math
import time
from datetime import datetime
from pathlib import Path

import numpy as np
import torch
import torch.distributed as group
import torch.multiprocessing as processes

import model
from data import Material, batches
from kernels import MaskLoss, Rectify
from model import HOP, PAIR, RATE, Separator

TINY = 1e-3


def loss_of(logits, power, cross, stems, whole):
    """Of a batch from data.py, in terms of each mix's own energy."""
    scale = 1 / (whole + 1e-6)[:, None]
    stems = stems * scale
    error = MaskLoss.apply(logits, power, cross) * scale + stems
    total = 10 * torch.log10((error.clamp_min(0) + TINY) / (stems + TINY))
    weight = torch.where(stems > 1e-4, 1.0, 0.4)
    return (total * weight).sum() / weight.sum()


def orthogonal(g):
    """The nearest orthogonal matrix, about, by Newton and Schulz's iteration (K. Jordan's coefficients)."""
    x = g.bfloat16() / (g.norm() + 1e-7)
    turned = x.shape[0] > x.shape[1]
    if turned:
        x = x.T
    for _ in range(5):
        a = x @ x.T
        x = 3.4445 * x + (-4.775 * a + 2.0315 * a @ a) @ x
    return (x.T if turned else x).float()


class Muon(torch.optim.Optimizer):
    """Momentum whose steps are orthogonal matrices, for the blocks' own (K. Jordan 2024)."""

    def __init__(self, params, lr):
        super().__init__(params, {"lr": lr})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                state = self.state[p]
                if "momentum" not in state:
                    state["momentum"] = torch.zeros_like(p)
                momentum = state["momentum"].lerp_(p.grad, 0.05)
                g = p.grad.lerp(momentum, 0.95).reshape(p.shape[0], -1)
                p.mul_(1 - 0.02 * group["lr"])
                p.add_(orthogonal(g).reshape(p.shape), alpha=-group["lr"] * max(1, g.shape[0] / g.shape[1]) ** 0.5)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--pack", required=True)
    options.add_argument("--out", required=True)
    options.add_argument("--until", required=True)
    options.add_argument("--batch", type=int, default=4, help="excerpts a step and process")
    options.add_argument("--seconds", type=float, default=4.45)
    options.add_argument("--processes", type=int, default=2)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--begin", help="weights to begin with, as `averaged` of a checkpoint")
    options.add_argument("--peak", type=float, default=1, help="highest learning rate in terms of what is written below")
    given = options.parse_args()
    out = Path(given.out)
    out.mkdir(parents=True, exist_ok=True)
    meet = out / f"meet.{time.time()}"
    processes.spawn(train, (given, f"file://{meet.resolve()}"), given.processes)


def train(rank, given, meet):
    torch.set_num_threads(1)
    model.rectify = Rectify.apply
    group.init_process_group("gloo", init_method=meet, rank=rank, world_size=given.processes)
    out = Path(given.out)
    until = datetime.fromisoformat(given.until).timestamp()
    torch.manual_seed(given.seed)
    net = Separator()
    params = list(net.parameters())
    blocks = [p for p in net.blocks.parameters() if p.ndim >= 2 and min(p.shape[0], p.numel() // p.shape[0]) > 1]
    chosen = set(map(id, blocks))
    rest = [p for p in params if id(p) not in chosen]
    optimisers = [Muon(blocks, 0.01), torch.optim.AdamW(rest, 2e-3, betas=(0.9, 0.98), weight_decay=0.01, fused=True)]
    rates = [0.01, 2e-3]
    if given.begin:
        net.load_state_dict(torch.load(given.begin, weights_only=True)["averaged"])
    averaged = {name: value.clone() for name, value in net.state_dict().items()}
    step, began = 0, time.time()
    last = out / "last.pt"
    if last.exists():
        kept = torch.load(last, weights_only=True)
        net.load_state_dict(kept["net"])
        averaged = kept["averaged"]
        for optimiser, state in zip(optimisers, kept["optimisers"]):
            optimiser.load_state_dict(state)
        step, began = kept["step"], kept["began"]

    material = Material(given.pack)
    if rank == 0:
        print(f"{sum(p.numel() for p in params) / 1e6:.2f} M parameters; {({k: len(v) for k, v in material.pieces.items()})}, {len(material.voices)} voices", flush=True)
    rng = np.random.default_rng([given.seed, step, rank])
    # An even number of frames.
    samples = (int(given.seconds * RATE / HOP / PAIR) * PAIR - 1) * HOP
    heard = given.processes * given.batch * given.seconds
    recent, since, saved, used = [], time.time(), time.time(), time.process_time()
    # Gradients, then whether it is time, the loss, and how many processes had one.
    flat = torch.zeros(sum(p.numel() for p in params) + 3)
    examples = endless(material, given.batch, samples, rng)
    while True:
        progress = min(1, (time.time() - began) / max(1, until - began))
        told, *truth = next(examples)
        with torch.autocast("cpu", torch.bfloat16):
            logits = net(told)
        loss = loss_of(logits, *truth)
        net.zero_grad(set_to_none=True)
        loss.backward()
        torch.cat([p.grad.reshape(-1) for p in params] + [torch.tensor([float(time.time() >= until), loss.item(), progress])], out=flat)
        group.all_reduce(flat)
        flat /= given.processes
        ended, mean, progress = flat[-3:].tolist()
        if ended > 0:
            break
        step += 1
        if not math.isfinite(float(flat.sum())):
            print(f"step {step}: not finite, left out", flush=True)
            continue
        at = 0
        for p in params:
            p.grad.copy_(flat[at : at + p.numel()].reshape(p.shape))
            at += p.numel()
        torch.nn.utils.clip_grad_norm_(rest, 5.0)
        # Warm-up, then a cosine down to 2 % at the time when training ends.
        factor = given.peak * min(1, step / 80) * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * progress)))
        for optimiser, rate in zip(optimisers, rates):
            optimiser.param_groups[0]["lr"] = rate * factor
            optimiser.step()
        decay = min(0.998, (1 + step) / (10 + step))
        with torch.no_grad():
            for name, value in net.state_dict().items():
                averaged[name].lerp_(value, 1 - decay)
        recent.append(mean)
        if step % 25 == 0 and rank == 0:
            now, cpu = time.time(), time.process_time()
            row = {"step": step, "loss": round(float(np.mean(recent)), 3), "rate": round(factor, 4), "times_real_time": round(25 * heard / (now - since), 2), "of_one_core": round((cpu - used) / (now - since), 2), "at": datetime.now().isoformat(timespec="seconds")}
            print(json.dumps(row), flush=True)
            with (out / "log.jsonl").open("a") as log:
                log.write(json.dumps(row) + "\n")
            recent, since, used = [], now, cpu
        if step % 100 == 0:
            material.refresh()
        if time.time() - saved > 120:
            if rank == 0:
                save(last, net, averaged, optimisers, step, began)
            saved = time.time()
    if rank == 0:
        save(last, net, averaged, optimisers, step, began)
        print("done", step, flush=True)
    group.destroy_process_group()


def endless(material, count, samples, rng):
    while True:
        yield from batches(material, count, samples, rng)


def save(path, net, averaged, optimisers, step, began):
    part = path.with_suffix(".part")
    torch.save({"net": net.state_dict(), "averaged": averaged, "optimisers": [o.state_dict() for o in optimisers], "step": step, "began": began}, part)
    part.rename(path)


if __name__ == "__main__":
    main()
