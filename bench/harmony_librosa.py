"""What librosa makes of one piece: chords by triad templates on beat-synchronous chroma_cqt, key by Krumhansl's profiles, sections by
agglomerative clustering into as many as there are. Called by harmony.ts: FOLDER of a piece; prints JSON."""

import json
import sys
import time

from engines.peers import key_of
import librosa
import numpy as np

folder = sys.argv[1]
with open(f"{folder}/truth.json") as file:
    truth = json.load(file)
began = time.process_time()
samples, rate = librosa.load(f"{folder}/mix.flac", sr=22050)
chroma = librosa.feature.chroma_cqt(y=samples, sr=rate)
frames = librosa.time_to_frames(truth["beats"], sr=rate)
synced = librosa.util.sync(chroma, frames, aggregate=np.median)
edges = [0.0, *truth["beats"], len(samples) / rate]

templates = [(root, mode, [(root + step) % 12 for step in steps]) for root in range(12) for mode, steps in (("maj", (0, 4, 7)), ("min", (0, 3, 7)))]
matrix = np.array([[1.0 if k in tones else 0.0 for k in range(12)] for _, _, tones in templates])
best = (matrix @ synced).argmax(axis=0)
chords = [{"start": edges[i], "end": edges[i + 1], "root": templates[b][0], "quality": templates[b][1]} for i, b in enumerate(best[: len(edges) - 1])]

tonic, mode = key_of(chroma)

mfcc = librosa.util.sync(librosa.feature.mfcc(y=samples, sr=rate), frames)
both = np.vstack([librosa.util.normalize(synced, axis=1), librosa.util.normalize(mfcc, axis=1)])
bounds = librosa.segment.agglomerative(both, len(truth["sections"]))
starts = [edges[b] for b in bounds[1:]]
print(json.dumps({"chords": chords, "tonic": tonic, "mode": mode, "sections": starts, "cpu_s": time.process_time() - began}))
