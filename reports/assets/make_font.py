"""Makes TaflbaseSans.ttf from DejaVuSans.ttf (version 2.37): `python make_font.py DejaVuSans.ttf`. Needs fonttools.

The licence asks that a changed font has another name; the names of the makers stay in the copyright notice.
"""

import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

NAME = "Taflbase Sans"
RANGES = [
    (0x20, 0x7E),  # Basic Latin
    (0xA0, 0x17F),  # Latin-1, Latin Extended-A
    (0x1E4, 0x1EB),  # Skolt Sami, ogonek
    (0x1FC, 0x1FD),
    (0x218, 0x21B),
    (0x386, 0x3CE),  # Greek
    (0x400, 0x45F),  # Cyrillic
    (0x490, 0x491),
    (0x2010, 0x2014),
    (0x2018, 0x201E),
    (0x2020, 0x2022),
    (0x2190, 0x2194),  # arrows
]
SINGLES = [0x1E9E, 0x2026, 0x2030, 0x2032, 0x2033, 0x2039, 0x203A, 0x20AC, 0x2122, 0x2212, 0x221E, 0x2248, 0x2260]
SINGLES += [0x2264, 0x2265, 0x2605, 0x2654, 0x265A, 0x25CB, 0x25CF, 0x2713, 0x2717]


def main() -> None:
    options = subset.Options()
    options.layout_features = []
    options.hinting = False
    options.glyph_names = False
    options.notdef_outline = True
    options.name_IDs = ["*"]  # every copy of the font carries its licence
    options.drop_tables += ["GPOS", "GSUB", "GDEF", "kern", "FFTM", "gasp", "DSIG", "MATH"]
    font = TTFont(sys.argv[1], recalcTimestamp=False)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=SINGLES + [code for first, last in RANGES for code in range(first, last + 1)])
    subsetter.subset(font)
    renamed = {1: NAME, 2: "Book", 3: f"{NAME}, a subset of DejaVu Sans 2.37", 4: NAME, 6: NAME.replace(" ", "")}
    for record in list(font["name"].names):
        if record.nameID in renamed:
            record.string = renamed[record.nameID]
        elif record.nameID not in (0, 5, 13, 14):
            font["name"].names.remove(record)
    font.save(Path(__file__).with_name("TaflbaseSans.ttf"))


main()
