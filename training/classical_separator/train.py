"""Trains one of the separator's networks on what facts.ts gathered; writes its sizes and its weights, base64 of little-endian float32.

    python training/classical_separator/train.py --out WEIGHTS.json [--hidden 48,24] [--epochs 12] [--seed 1] FACTS...      (needs numpy)

The loss is the sum over mixes and stems of log(noise + floor), noise being the energy of a stem's error in terms of the stem's own: mean
SI-SDR, near enough, and no mix counts for more than another.
"""

import argparse
import base64
import json

import numpy as np

parser = argparse.ArgumentParser()
parser.add_argument("facts", nargs="+")
parser.add_argument("--out", required=True)
parser.add_argument("--hidden", default="48,24")
parser.add_argument("--epochs", type=int, default=12)
parser.add_argument("--batch", type=int, default=2048)
parser.add_argument("--rate", type=float, default=3e-3)
parser.add_argument("--first", action="store_true", help="learn the first network from the second's facts")
parser.add_argument("--jitter", type=float, default=0.0, help="noise on the evidence, in terms of its spread")
parser.add_argument("--decay", type=float, default=0.0)
parser.add_argument("--singer", type=float, default=0.0, help="added to what speaks for vocals")
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--held", type=int, default=10, help="of so many pieces one is held out")
args = parser.parse_args()

SHARED, OWN = 16, 35
blocks = []
last = 0
for name in args.facts:
    raw = np.fromfile(name, dtype=np.float32)
    row, inputs, shared = (int(v) for v in raw[:3])
    block = raw[4 : 4 + (len(raw) - 4) // row * row].reshape(-1, row)
    block[:, 0] += last
    last = block[:, 0].max() + 1
    # An even number of mixes a file, so that both of a piece are held out or neither.
    last += last % 2
    blocks.append(block)
data = np.concatenate(blocks)
del blocks
mix = data[:, 0].astype(int)
columns = np.arange(1, 1 + inputs)
if args.first:
    columns = np.r_[1 : 1 + SHARED, 1 + shared : 1 + shared + OWN]
x = data[:, columns]
share = np.clip(data[:, 1 + inputs : 5 + inputs], -0.2, 1.2)
weight = data[:, 5 + inputs :].copy()
share = share.copy()
del data
inputs = len(columns)
mixes = mix.max() + 1
energy = np.zeros((mixes, 4))
for j in range(4):
    energy[:, j] = np.bincount(mix, weights=weight[:, j] * share[:, j] ** 2, minlength=mixes)
held = (mix // 2 % args.held) == args.held - 1
train, test = np.flatnonzero(~held), np.flatnonzero(held)
print(f"{len(train)} points of {mixes} mixes, {len(test)} held out, {inputs} inputs")

mean, spread = x[train].mean(0), x[train].std(0) + 1e-3
x -= mean
x /= spread
rng = np.random.default_rng(args.seed)
sizes = [inputs, *map(int, args.hidden.split(",")), 4]
params = []
for a, b in zip(sizes[:-1], sizes[1:]):
    params += [rng.normal(0, np.sqrt(2 / a), (b, a)).astype(np.float32), np.zeros(b, np.float32)]


def forward(batch):
    a = np.maximum(batch @ params[0].T + params[1], 0)
    b = np.maximum(a @ params[2].T + params[3], 0)
    z = b @ params[4].T + params[5]
    z = np.exp(z - z.max(1, keepdims=True))
    return a, b, z / z.sum(1, keepdims=True)


def noise(index):
    total = np.zeros((mixes, 4))
    for i in range(0, len(index), 100_000):
        part = index[i : i + 100_000]
        m = forward(x[part])[2]
        error = weight[part] * (m - share[part]) ** 2
        for j in range(4):
            total[:, j] += np.bincount(mix[part], weights=error[:, j], minlength=mixes)
    return total


def ratio(total, keep):
    usable = energy[keep] > 0.2
    return [float(np.mean(10 * np.log10(energy[keep][usable[:, j], j] / total[keep][usable[:, j], j]))) for j in range(4)]


def save():
    # Evidence is taken as it comes: its mean and spread go into the first layer.
    w0 = params[0] / spread
    b0 = params[1] - w0 @ mean
    b2 = params[5] + np.array([args.singer, 0, 0, 0], np.float32)
    flat = np.concatenate([v.ravel() for v in [w0, b0, *params[2:5], b2]]).astype("<f4")
    with open(args.out, "w") as file:
        json.dump({"sizes": sizes, "weights": base64.b64encode(flat.tobytes()).decode()}, file)


FLOOR = 0.03
# Brings gradients near 1, whatever the number of points.
gain = 1 / np.mean(weight[train] / (noise(train)[mix[train]] + 0.3))
lam = 1 / (noise(train) + FLOOR + 0.3)
first = [np.zeros_like(p) for p in params]
second = [np.zeros_like(p) for p in params]
step = 0
keep = np.arange(mixes) // 2 % args.held == args.held - 1
for epoch in range(args.epochs):
    order = rng.permutation(train)
    rate_epoch = args.rate * 0.5 * (1 + np.cos(np.pi * epoch / args.epochs)) + 1e-5
    for i in range(0, len(order) - args.batch + 1, args.batch):
        part = order[i : i + args.batch]
        put = x[part]
        if args.jitter > 0:
            put = put + args.jitter * rng.standard_normal(put.shape, dtype=np.float32)
        a, b, m = forward(put)
        w = weight[part] * lam[mix[part]]
        g = 2 * w * (m - share[part]) * gain / len(part)
        dz = m * (g - (m * g).sum(1, keepdims=True))
        db = (dz @ params[4]) * (b > 0)
        da = (db @ params[2]) * (a > 0)
        grads = [da.T @ put, da.sum(0), db.T @ a, db.sum(0), dz.T @ b, dz.sum(0)]
        step += 1
        for k, grad in enumerate(grads):
            first[k] = 0.9 * first[k] + 0.1 * grad
            second[k] = 0.999 * second[k] + 0.001 * grad * grad
            move = rate_epoch * (first[k] / (1 - 0.9**step)) / (np.sqrt(second[k] / (1 - 0.999**step)) + 1e-7)
            if args.decay > 0 and k % 2 == 0:
                move = move + rate_epoch * args.decay * params[k]
            params[k] -= move.astype(np.float32)
    seen = noise(train)
    lam = 1 / (seen + FLOOR)
    out = ratio(noise(test), keep)
    print(epoch, "seen", np.round(ratio(seen, ~keep), 2), "held out", np.round(out, 2), round(np.mean(out), 2), flush=True)
    save()
