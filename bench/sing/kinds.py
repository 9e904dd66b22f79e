"""Kinds of the consonants, as CMUdict writes them, for those that are voiced."""

KINDS = {"M": "nasal", "N": "nasal", "NG": "nasal", "L": "glide", "R": "glide", "W": "glide", "Y": "glide",
         "B": "voiced stop", "D": "voiced stop", "G": "voiced stop", "JH": "voiced stop",
         "V": "voiced fricative", "DH": "voiced fricative", "Z": "voiced fricative", "ZH": "voiced fricative"}
