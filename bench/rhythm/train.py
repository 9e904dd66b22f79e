"""
Trains the beat network of runners/analyse/rhythm on features that dump.ts wrote, and writes its weights as base64 of float16.

    python bench/rhythm/train.py --train FOLDER [FOLDER ...] --check FOLDER [FOLDER ...] --out weights.json [--minutes 8] [--without genre,genre]

Needs numpy and jax (CPU is enough). The layers are those of network.ts: one convolution over three rows, residual blocks of dilated
convolutions over five rows, and two outputs, beat and downbeat, from the sum of the blocks.
"""
import argparse, base64, json, pathlib, time
import numpy as np, jax, jax.numpy as jnp

FEATURES, BANDS, RATE = 70, 32, 22050 / 440
parser = argparse.ArgumentParser()
parser.add_argument("--train", nargs="+", required=True)
parser.add_argument("--check", nargs="+", required=True)
parser.add_argument("--out", required=True)
parser.add_argument("--from", dest="start")
parser.add_argument("--minutes", type=float, default=8)
parser.add_argument("--without", default="")
parser.add_argument("--channels", type=int, default=24)
parser.add_argument("--blocks", type=int, default=9)
parser.add_argument("--rate", type=float, default=4e-3)
parser.add_argument("--slow", type=int, default=1, help="how often pieces under 85 beats a minute are taken")
parser.add_argument("--seed", type=int, default=1)
args = parser.parse_args()
rng = np.random.default_rng(args.seed)


def load(folders):
    pieces = []
    for folder in folders:
        for path in sorted(pathlib.Path(folder).iterdir()):
            if not (path / "features.f32").exists():
                continue
            truth = json.loads((path / "truth.json").read_text())
            rows = np.fromfile(path / "features.f32", np.float32).reshape(-1, FEATURES)
            pieces.append((truth["genre"], rows, np.array(truth["beats"]), np.array(truth["downbeats"])))
    return pieces


def targets(count, beats, stretch=1.0):
    out = np.zeros(count, np.float32)
    at = beats * RATE * stretch - 0.25
    for shift, value in ((-1, 0.4), (1, 0.4), (0, 1.0)):
        index = np.round(at).astype(int) + shift
        index = index[(index >= 0) & (index < count)]
        out[index] = np.maximum(out[index], value)
    return out


def example(piece, length):
    """A crop, stretched in time, with bands shifted, coloured, silenced; now and then cut to shreds that have no beat."""
    _, rows, beats, downbeats = piece
    stretch = float(np.exp(rng.uniform(-0.22, 0.22)))
    need = int(length / stretch) + 2
    start = int(rng.integers(0, max(1, len(rows) - need + 1)))
    positions = start + np.arange(length) / stretch
    low = np.clip(np.floor(positions).astype(int), 0, len(rows) - 2)
    part = (positions - low)[:, None].astype(np.float32)
    x = rows[low] * (1 - part) + rows[low + 1] * part
    offset = start / RATE
    y = np.stack([targets(length, beats - offset, stretch), targets(length, downbeats - offset, stretch)], 1)
    inside = positions < len(rows) - 1
    x = np.where(inside[:, None], x, 0)
    y = np.where(inside[:, None], y, 0)
    if rng.random() < 0.07:
        order, at = [], 0
        while at < length:
            piece_length = int(rng.integers(6, 28))
            begin = int(rng.integers(0, length - piece_length))
            order.append(np.arange(begin, begin + piece_length))
            at += piece_length
        x, y = x[np.concatenate(order)[:length]], np.zeros_like(y)
    shift = int(rng.integers(-2, 3))
    if shift:
        for base in (0, BANDS):
            block = x[:, base : base + BANDS]
            x[:, base : base + BANDS] = np.roll(block, shift, 1)
            if shift > 0:
                x[:, base : base + shift] = block[:, :1]
            else:
                x[:, base + BANDS + shift : base + BANDS] = block[:, -1:]
    x = x * np.exp(rng.normal(0, 0.15, (1, FEATURES))).astype(np.float32)
    x = x + rng.normal(0, 0.1, (1, FEATURES)).astype(np.float32)
    if rng.random() < 0.5:
        width = int(rng.integers(2, 14))
        begin = int(rng.integers(0, BANDS - width))
        x[:, begin : begin + width] = 0
        x[:, BANDS + begin : BANDS + begin + width] = 0
    if rng.random() < 0.2:
        x[:, 2 * BANDS :] = 0
    if rng.random() < 0.3:
        x = x + rng.normal(0, rng.uniform(0.1, 0.5), x.shape).astype(np.float32)
    return x.astype(np.float32), y


def initial(channels, blocks):
    key = np.random.default_rng(args.seed + 100)
    he = lambda *shape: key.normal(0, np.sqrt(1.6 / np.prod(shape[:-1])), shape).astype(np.float32)
    weights = {"in": he(3, FEATURES, channels), "in_b": np.zeros(channels, np.float32)}
    for n in range(blocks):
        weights[f"d{n}"] = he(5, channels, channels)
        weights[f"d{n}_b"] = np.zeros(channels, np.float32)
        weights[f"p{n}"] = he(channels, channels) * 0.5
        weights[f"p{n}_b"] = np.zeros(channels, np.float32)
    weights["out"] = he(channels, 2)
    weights["out_b"] = np.full(2, -2.0, np.float32)
    return weights


def convolve(x, kernel, dilation):
    taps = kernel.shape[0]
    reach = (taps // 2) * dilation
    padded = jnp.pad(x, ((0, 0), (reach, reach), (0, 0)))
    count = x.shape[1]
    columns = jnp.concatenate([padded[:, k * dilation : k * dilation + count] for k in range(taps)], -1)
    return columns @ kernel.reshape(-1, kernel.shape[-1])


def network(weights, x, key=None):
    """Logits [batch, rows, 2]."""
    h = jax.nn.elu(convolve(x, weights["in"], 1) + weights["in_b"])
    total = 0
    for n in range(args.blocks):
        if key is not None:
            key, sub = jax.random.split(key)
            keep = jax.random.bernoulli(sub, 0.9, (h.shape[0], 1, h.shape[2])) / 0.9
        d = jax.nn.elu(convolve(h, weights[f"d{n}"], 2**n) + weights[f"d{n}_b"])
        if key is not None:
            d = d * keep
        d = d @ weights[f"p{n}"] + weights[f"p{n}_b"]
        h = h + d
        total = total + d
    return jax.nn.elu(total) @ weights["out"] + weights["out_b"]


def loss(weights, x, y, key):
    z = network(weights, x, key)
    weight = jnp.where(y > 0.3, 4.0, 1.0) * jnp.array([1.0, 1.0])
    bce = jnp.maximum(z, 0) - z * y + jnp.log1p(jnp.exp(-jnp.abs(z)))
    return jnp.mean(bce * weight)


@jax.jit
def step(weights, m, v, x, y, key, n, rate):
    value, grad = jax.value_and_grad(loss)(weights, x, y, key)
    norm = jnp.sqrt(sum(jnp.sum(g**2) for g in jax.tree.leaves(grad)))
    grad = jax.tree.map(lambda g: g * jnp.minimum(1, 1 / (norm + 1e-6)), grad)
    m = jax.tree.map(lambda a, g: 0.9 * a + 0.1 * g, m, grad)
    v = jax.tree.map(lambda a, g: 0.999 * a + 0.001 * g * g, v, grad)
    weights = jax.tree.map(
        lambda w, a, b: w - rate * (a / (1 - 0.9**n)) / (jnp.sqrt(b / (1 - 0.999**n)) + 1e-8) - rate * 1e-3 * w, weights, m, v
    )
    return weights, m, v, value


def peaks_f(logits, times, base):
    """F at 70 ms of simply picked peaks above 0.3: a lower bound of what decoding gives."""
    p = 1 / (1 + np.exp(-logits))
    index = [i for i in range(1, len(p) - 1) if p[i] > 0.3 and p[i] >= p[i - 1] and p[i] > p[i + 1]]
    found = (np.array(index) + 0.25) / RATE
    hit = sum(1 for t in times if len(found) and np.min(np.abs(found - t)) < 0.07)
    return 2 * hit / max(1, len(found) + len(times))


def save(weights, path):
    order = ["in", "in_b"]
    for n in range(args.blocks):
        order += [f"d{n}", f"d{n}_b", f"p{n}", f"p{n}_b"]
    order += ["out", "out_b"]
    flat = np.concatenate([np.asarray(weights[k]).ravel() for k in order]).astype("<f2")
    json.dump({"features": FEATURES, "channels": args.channels, "blocks": args.blocks, "weights": base64.b64encode(flat.tobytes()).decode()}, open(path, "w"), indent=2)


without = set(filter(None, args.without.split(",")))
train = [p for p in load(args.train) if p[0] not in without]
train += [p for p in train if np.median(np.diff(p[2])) > 60 / 85] * (args.slow - 1)
check = load(args.check)
print(len(train), "pieces to learn from,", len(check), "to check", flush=True)
weights = initial(args.channels, args.blocks)
if args.start:
    stored = json.load(open(args.start))
    flat = np.frombuffer(base64.b64decode(stored["weights"]), "<f2").astype(np.float32)
    at = 0
    for k in list(weights):
        size = weights[k].size
        weights[k] = flat[at : at + size].reshape(weights[k].shape)
        at += size
weights = {k: jnp.array(v) for k, v in weights.items()}
m = jax.tree.map(jnp.zeros_like, weights)
v = jax.tree.map(jnp.zeros_like, weights)
mean = weights
LENGTH, BATCH = 1000, 8
key = jax.random.PRNGKey(args.seed)
infer = jax.jit(lambda w, x: network(w, x[None])[0])
began, n, losses = time.time(), 0, []
limit = args.minutes * 60
while time.time() - began < limit:
    n += 1
    chosen = [example(train[int(rng.integers(len(train)))], LENGTH) for _ in range(BATCH)]
    key, sub = jax.random.split(key)
    done = (time.time() - began) / limit
    rate = args.rate * min(1, n / 50) * 0.5 * (1 + np.cos(np.pi * done)) + 2e-5
    weights, m, v, value = step(weights, m, v, np.stack([c[0] for c in chosen]), np.stack([c[1] for c in chosen]), sub, n, rate)
    losses.append(float(value))
    if n % 100 == 0:
        print(f"{time.time() - began:6.0f} s, step {n}: loss {np.mean(losses[-100:]):.4f}", flush=True)
        save(weights, args.out)
save(weights, args.out)
by = {}
for genre, rows, beats, downbeats in check:
    padded = np.zeros((-(-len(rows) // 500) * 500, FEATURES), np.float32)
    padded[: len(rows)] = rows
    z = np.asarray(infer(weights, padded))[: len(rows)]
    by.setdefault(genre, []).append((peaks_f(z[:, 0], beats, 0), peaks_f(z[:, 1], downbeats, 0)))
for genre, values in sorted(by.items()):
    print(genre, np.round(np.mean(values, 0), 3), len(values))
print("mean", np.round(np.mean([np.mean(v, 0) for v in by.values()], 0), 3), flush=True)
