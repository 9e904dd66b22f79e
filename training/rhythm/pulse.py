"""
Teaches runners/signal/analyse/rhythm/pulse.ts which pulse is the beat: logistic regression over what training/rhythm/pulse.ts wrote.

    python training/rhythm/pulse.py pulses.jsonl ... --out runners/signal/analyse/rhythm/pulse_weights.json [--without J,H] [--strength 0.2]

Tells for each set, with the weights learnt from all other sets, how many wrong pulses would be put right and how many right ones put wrong, at
several degrees of sureness. --without leaves sets out of the weights that are written. Needs numpy and scikit-learn.
"""
import argparse, json, os

# One thread: on a busy machine those of the linear algebra would wait for each other.
os.environ.setdefault("OMP_NUM_THREADS", "1")
import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

parser = argparse.ArgumentParser()
parser.add_argument("lines", nargs="+")
parser.add_argument("--out")
parser.add_argument("--without", default="")
parser.add_argument("--strength", type=float, default=0.2, help="inverse of the regularisation")
args = parser.parse_args()
rows = [json.loads(line) for path in args.lines for line in open(path)]
x = np.array([row["values"] for row in rows])
y = np.array([row["every_other"] for row in rows])
sets = np.array([row["set"] for row in rows])
found = np.array([row["found"] for row in rows])


def learnt(chosen):
    scale = StandardScaler().fit(x[chosen])
    model = LogisticRegression(C=args.strength, max_iter=5000).fit(scale.transform(x[chosen]), y[chosen])
    weights = model.coef_[0] / scale.scale_
    return weights, float(model.intercept_[0] - weights @ scale.mean_)


# The tracker's pulse is to be halved where it is not each stroke, and doubled where the doubled one is.
wrong = (found == 1) & y | (found == 2) & ~y
print("set, pulses, wrong | put right / put wrong at 0.5 0.7 0.8 0.9 | halved right, doubled right at 0.8")
for name in dict.fromkeys(sets):
    inside = sets == name
    weights, bias = learnt(~inside)
    p = 1 / (1 + np.exp(-(x[inside] @ weights + bias)))
    w, f = wrong[inside], found[inside]
    cells = []
    for sure in (0.5, 0.7, 0.8, 0.9):
        acts = np.where(f == 1, p > sure, p < 1 - sure)
        cells.append(f"{(acts & w).sum()}/{(acts & ~w).sum()}")
        if sure == 0.8:
            split = [f"{(acts & w & (f == k)).sum()} of {(w & (f == k)).sum()}" for k in (1, 2)]
    print(name, inside.sum(), w.sum(), "|", " ".join(cells), "|", ", ".join(split))
if args.out:
    weights, bias = learnt(~np.isin(sets, args.without.split(",")))
    json.dump({"bias": round(bias, 4), "weights": [float(f"{value:.4g}") for value in weights]}, open(args.out, "w"))
    open(args.out, "a").write("\n")
