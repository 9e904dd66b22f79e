"""The speakers: Debian's packages read the invented words to files, and tell when each sound ends."""
import os, re, subprocess
from concurrent.futures import ThreadPoolExecutor


def flite(voice):
    """A voice of the package flite, told by its sounds."""
    def speak(words, folder):
        def one(n):
            sounds = [sound for syllable, _ in words[n][0] for sound in syllable]
            path = os.path.join(folder, f"{n}.wav")
            told = subprocess.run(["flite", "-voice", voice, "--setf", "duration_stretch=1.25", "-psdur", "-p", " ".join(["pau", *sounds, "pau"]), "-o", path],
                                  capture_output=True, text=True, check=True).stdout
            return path, [(name, float(end)) for name, end in re.findall(r"([a-z]+):([\d.]+)", told)]
        with ThreadPoolExecutor(2) as pool:
            return list(pool.map(one, range(len(words))))
    return speak


def festival(voice):
    """A voice of Festival's packages, told by words added to its lexicon."""
    def speak(words, folder):
        lines = [f"({voice})"]
        for n, (syllables, _) in enumerate(words):
            name = "q" + "".join("abcdefghij"[int(digit)] for digit in str(n))
            parts = " ".join(f"(({' '.join(sounds)}) {stress})" for sounds, stress in syllables)
            lines.append(f"(lex.add.entry '(\"{name}\" nil ({parts})))")
            lines.append(f'(set! u (utt.synth (Utterance Text "{name}")))')
            lines.append(f"(utt.save.wave u \"{folder}/{n}.wav\" 'riff)")
            lines.append("(mapcar (lambda (s) (format t \"%s:%f \" (item.name s) (item.feat s 'end))) (utt.relation.items u 'Segment))")
            lines.append('(format t "\\n")')
        script = os.path.join(folder, "say.scm")
        with open(script, "w") as file:
            file.write("\n".join(lines))
        told = subprocess.run(["festival", "-b", script], capture_output=True, text=True, check=True).stdout
        rows = [row for row in told.split("\n") if row.startswith("pau:")]
        assert len(rows) == len(words), (len(rows), len(words))
        return [(os.path.join(folder, f"{n}.wav"), [(name, float(end)) for name, end in re.findall(r"([a-z]+):([\d.]+)", row)])
                for n, row in enumerate(rows)]
    return speak


SPEAKERS = {
    "rms": {"sex": "m", "speak": flite("rms"), "floor": 60, "ceiling": 220},
    "awb": {"sex": "m", "speak": flite("awb"), "floor": 70, "ceiling": 260},
    "slt": {"sex": "f", "speak": festival("voice_cmu_us_slt_arctic_hts"), "floor": 100, "ceiling": 340},
    "kal": {"sex": "m", "speak": festival("voice_kal_diphone"), "floor": 60, "ceiling": 220},
}
