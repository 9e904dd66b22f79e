"""
Trains the beat network of runners/signal/analyse/rhythm on features that dump.ts wrote, and writes its weights as base64 of float16.

    python training/rhythm/train.py --train FOLDER [FOLDER ...] --check FOLDER [FOLDER ...] --out weights.json [--from weights.json] [--steps 4000] [--without genre,genre]

Each folder is drawn from as often as any other, however many pieces it holds; one named twice, twice as often. What is added to them while it runs is
learnt from after the next check.

Seeded: the same folders and steps give the same weights on the same machine. The weights written are those that did best on the pieces to check.
With --without the named styles are left out of what is learnt, for an estimate on styles never heard.

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
parser.add_argument("--steps", type=int, default=4000)
parser.add_argument("--every", type=int, default=500, help="steps between two checks")
parser.add_argument("--without", default="")
parser.add_argument("--channels", type=int, default=24)
parser.add_argument("--blocks", type=int, default=9)
parser.add_argument("--rate", type=float, default=3e-3)
parser.add_argument("--slow", type=int, default=1, help="how often pieces under 85 beats a minute are taken")
parser.add_argument("--seed", type=int, default=1)
args = parser.parse_args()
rng = np.random.default_rng(args.seed)


loaded = {}


def load(folder):
    pieces = []
    for path in sorted(pathlib.Path(folder).iterdir()):
        if not (path / "features.f32").exists() or not (path / "truth.json").exists():
            continue
        if path not in loaded:
            truth = json.loads((path / "truth.json").read_text())
            rows = np.fromfile(path / "features.f32", np.float32).reshape(-1, FEATURES).astype(np.float16)
            loaded[path] = (truth["genre"], rows, np.array(truth["beats"]), np.array(truth["downbeats"]))
        pieces.append(loaded[path])
    return pieces


def to_learn():
    """Lists of pieces, one for each folder."""
    lists = []
    for folder in args.train:
        pieces = [p for p in load(folder) if p[0] not in without]
        pieces += [p for p in pieces if np.median(np.diff(p[2])) > 60 / 85] * (args.slow - 1)
        lists += [pieces] if pieces else []
    return lists


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
    stretch = float(np.exp(rng.uniform(-0.2, 0.2)))
    need = int(length / stretch) + 2
    start = int(rng.integers(0, max(1, len(rows) - need + 1)))
    positions = start + np.arange(length) / stretch
    low = np.clip(np.floor(positions).astype(int), 0, len(rows) - 2)
    part = (positions - low)[:, None].astype(np.float32)
    x = rows[low].astype(np.float32) * (1 - part) + rows[low + 1].astype(np.float32) * part
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
    if rng.random() < 0.25:
        # Small attacks drown, as under compression, reverberation or noise.
        rises = x[:, BANDS : 2 * BANDS]
        x[:, BANDS : 2 * BANDS] = np.maximum(rises, rng.uniform(-0.4, 0.6))
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
    reach = (kernel.shape[0] // 2) * dilation
    return jax.lax.conv_general_dilated(
        x, kernel, (1,), [(reach, reach)], rhs_dilation=(dilation,), dimension_numbers=("NWC", "WIO", "NWC")
    )


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


def checked(weights):
    """Mean loss over the pieces to check, beat and downbeat, by style; in the targets' own weighting."""
    by = {}
    for genre, rows, beats, downbeats in check:
        # One length for all: each new one would be compiled anew.
        count = min(CHECKED, len(rows))
        padded = np.zeros((CHECKED, FEATURES), np.float32)
        padded[:count] = rows[:count]
        z = np.asarray(infer(weights, padded))[:count]
        y = np.stack([targets(count, beats), targets(count, downbeats)], 1)
        bce = np.maximum(z, 0) - z * y + np.log1p(np.exp(-np.abs(z)))
        by.setdefault(genre, []).append(np.mean(bce * np.where(y > 0.3, 4.0, 1.0), 0))
    return {genre: np.mean(values, 0) for genre, values in by.items()}


def save(weights, path):
    order = ["in", "in_b"]
    for n in range(args.blocks):
        order += [f"d{n}", f"d{n}_b", f"p{n}", f"p{n}_b"]
    order += ["out", "out_b"]
    flat = np.concatenate([np.asarray(weights[k]).ravel() for k in order]).astype("<f2")
    packed = {"features": FEATURES, "channels": args.channels, "blocks": args.blocks, "weights": base64.b64encode(flat.tobytes()).decode()}
    pathlib.Path(path).write_text(json.dumps(packed, indent=2) + "\n")


without = set(filter(None, args.without.split(",")))
train = to_learn()
check = [p for folder in args.check for p in load(folder)]
print([len(pieces) for pieces in train], "pieces to learn from,", len(check), "to check", flush=True)
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
LENGTH, BATCH, CHECKED = 1000, 8, 3000
key = jax.random.PRNGKey(args.seed)
infer = jax.jit(lambda w, x: network(w, x[None])[0])
began, losses, best, mean = time.time(), [], np.inf, weights
average = jax.jit(lambda a, b, keep: jax.tree.map(lambda x, y: keep * x + (1 - keep) * y, a, b))
for n in range(1, args.steps + 1):
    lists = [train[int(rng.integers(len(train)))] for _ in range(BATCH)]
    chosen = [example(pieces[int(rng.integers(len(pieces)))], LENGTH) for pieces in lists]
    key, sub = jax.random.split(key)
    rate = args.rate * min(1, n / 100) * 0.5 * (1 + np.cos(np.pi * n / args.steps)) + 2e-5
    weights, m, v, value = step(weights, m, v, np.stack([c[0] for c in chosen]), np.stack([c[1] for c in chosen]), sub, n, rate)
    # The running mean of the weights is what is kept: it wanders less than they do.
    mean = average(mean, weights, min(0.998, n / (n + 20)))
    losses.append(float(value))
    if n % args.every == 0 or n == args.steps:
        train = to_learn()
        by = checked(mean)
        score = float(np.mean([np.mean(values) for values in by.values()]))
        kept = score < best
        if kept:
            best = score
            save(mean, args.out)
        print(f"{time.time() - began:6.0f} s, step {n}: loss {np.mean(losses[-args.every:]):.4f}, on pieces to check {score:.4f}{' kept' if kept else ''}", flush=True)
for genre, values in sorted(by.items()):
    print(genre, np.round(values, 3), flush=True)
