"""What a speaker says so that every sound meets every other: invented words, each for a few pairs of sounds."""

VOWELS = "aa ae ah ao aw ax ay eh er ey ih iy ow oy uh uw".split()
CONSONANTS = "p b t d k g ch jh f v th dh s z sh zh hh m n ng l r w y".split()
STOPS = set("p b t d k g ch jh".split())
VOICELESS = set("p t k ch f th s sh".split())
HISSED = set("v dh z zh hh".split())
GLIDES = set("aw ay ey ow oy".split())


def words():
    """[(syllables, pairs)]: syllables are (sounds, stress); pairs are indices of the first of two sounds, -1 for the silence before."""
    made = []

    def say(*syllables, keep):
        made.append(([(sounds.split(), stress) for sounds, stress in syllables], keep))

    for c in CONSONANTS:
        for v in VOWELS:
            stress = 0 if v == "ax" else 1
            say(("t ax", 0), (f"{c} {v}", stress), (f"{c} ax t", 0), keep=[2, 3])
        say((f"{c} aa t", 1), keep=[-1])
        say((f"t aa {c}", 1), keep=[2])
        for d in CONSONANTS:
            say((f"t aa {c}", 1), (f"{d} aa t", 0), keep=[2])
    for v in VOWELS:
        stress = 0 if v == "ax" else 1
        say((f"{v} t", stress), keep=[-1])
        say((f"t {v}", stress), keep=[1])
        for w in VOWELS:
            if v != w:
                say((f"t {v}", stress), (f"{w} t", 0), keep=[1])
    return made
