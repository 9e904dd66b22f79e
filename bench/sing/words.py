"""What a recogniser makes of sung lines when nothing tells it the line: free decoding by pocketsphinx with its own model.

The vocabulary is the words of all lines and 200 others (`others.json`), all equally likely, in any order and number. Right are the words that the
cheapest alignment of what was heard with the line has in common; the error counts what was put in, left out and mistaken.
"""
import json, math, os, tempfile
import numpy as np, pocketsphinx
from pocketsphinx import Config, Decoder
from scipy.signal import resample_poly

MODEL = os.path.join(pocketsphinx.get_model_path(), "en-us")
DICTIONARY = os.path.join(MODEL, "cmudict-en-us.dict")


def prepared(x, rate):
    y = resample_poly(x, 160, 441) if rate == 44100 else resample_poly(x, 1, rate // 16000)
    y = y / max(1e-9, np.max(np.abs(y))) * 0.6
    y = np.concatenate([np.zeros(4800), y, np.zeros(4800)])
    return ((y + 1e-4 * np.random.RandomState(1).randn(len(y))) * 32767).astype(np.int16).tobytes()


class Words:
    def __init__(self, lines):
        others = json.load(open(os.path.join(os.path.dirname(__file__), "others.json")))
        wanted = {word for line in lines for word in line.split()} | set(others)
        folder = tempfile.mkdtemp()
        own = os.path.join(folder, "words.dict")
        with open(DICTIONARY) as every, open(own, "w") as some:
            kept = [row for row in every if row.split(" ", 1)[0].split("(")[0] in wanted]
            some.writelines(kept)
        words = sorted({row.split(" ", 1)[0] for row in kept if "(" not in row.split(" ", 1)[0]})
        self.known = set(words)
        share = -math.log10(len(words) + 1)
        unigrams = os.path.join(folder, "words.arpa")
        with open(unigrams, "w") as file:
            file.write(f"\\data\\\nngram 1={len(words) + 2}\n\n\\1-grams:\n-99 <s>\n{share:.4f} </s>\n")
            file.writelines(f"{share:.4f} {word}\n" for word in words)
            file.write("\n\\end\\\n")
        self.decoder = Decoder(Config(hmm=os.path.join(MODEL, "en-us"), dict=own, lm=unigrams, samprate=16000, loglevel="FATAL"))

    def hear(self, line, x, rate):
        samples = prepared(x, rate)
        self.decoder.start_utt()
        self.decoder.process_raw(samples, no_search=False, full_utt=True)
        self.decoder.end_utt()
        hypothesis = self.decoder.hyp()
        heard = hypothesis.hypstr if hypothesis else ""
        wrong, right = compare(line.split(), heard.split())
        return {"free": heard, "right_words": right, "wrong_words": wrong, "of_words": len(line.split())}


def compare(line, heard):
    """Errors and words in common of the cheapest alignment."""
    row = [(n, 0) for n in range(len(heard) + 1)]
    for i, word in enumerate(line, 1):
        before, row = row, [(i, 0)]
        for j, other in enumerate(heard, 1):
            same = word == other
            row.append(min((before[j - 1][0] + (not same), before[j - 1][1] + same), (before[j][0] + 1, before[j][1]),
                           (row[j - 1][0] + 1, row[j - 1][1]), key=lambda one: (one[0], -one[1])))
    return row[-1]
