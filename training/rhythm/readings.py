"""
Teaches runners/signal/analyse/rhythm/readings.ts what is beat and what off-beat, and bars of three from bars of two in three: two logistic regressions
over what training/rhythm/readings.ts wrote.

    python training/rhythm/readings.py readings.jsonl ... --out runners/signal/analyse/rhythm/reading_weights.json [--without J,H]

Tells for each set, with the weights learnt from all other sets, how many readings are wrong. --without leaves sets out of the weights that are
written. Needs numpy and scikit-learn.
"""
import argparse, json, os

os.environ.setdefault("OMP_NUM_THREADS", "1")
import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

parser = argparse.ArgumentParser()
parser.add_argument("lines", nargs="+")
parser.add_argument("--out")
parser.add_argument("--without", default="")
args = parser.parse_args()
rows = [json.loads(line) for path in args.lines for line in open(path)]


def phase(chosen):
    """Beats, and the same with beat and off-beat exchanged: no bias, no mean."""
    x = np.array([row["phase"] for row in chosen])
    size = np.sqrt((x**2).mean(0))
    both, truth = np.concatenate([x, -x]) / size, np.repeat([1, 0], len(x))
    model = LogisticRegression(C=0.3, fit_intercept=False, max_iter=5000).fit(both, truth)
    return model.coef_[0] / size, 0.0


def bar(chosen):
    x, y = np.array([row["bar"] for row in chosen]), np.array([row["three"] for row in chosen])
    scale = StandardScaler().fit(x)
    model = LogisticRegression(C=0.2, class_weight="balanced", max_iter=5000).fit(scale.transform(x), y)
    weights = model.coef_[0] / scale.scale_
    return weights, float(model.intercept_[0] - weights @ scale.mean_)


def likely(values, learnt):
    return 1 / (1 + np.exp(-(np.array(values) @ learnt[0] + learnt[1])))


out = {}
for name, teach in (("phase", phase), ("bar", bar)):
    known = [row for row in rows if row.get(name)]
    for left in dict.fromkeys(row["set"] for row in known):
        learnt = teach([row for row in known if row["set"] != left])
        held = [row for row in known if row["set"] == left]
        p = likely([row[name] for row in held], learnt)
        right = np.array([row.get("three", True) if name == "bar" else True for row in held])
        wrong = [f"{row['piece']} {q:.2f}" for row, q, r in zip(held, p, right) if (q > 0.5) != r]
        print(name, left, len(held), "wrong", len(wrong), *wrong[:12])
    weights, bias = teach([row for row in known if row["set"] not in args.without.split(",")])
    out[name] = {"bias": round(bias, 4), "weights": [float(f"{value:.4g}") for value in weights]}
if args.out:
    json.dump(out, open(args.out, "w"))
    open(args.out, "a").write("\n")
