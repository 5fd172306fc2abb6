//! Random edits of inputs, in one buffer that is never freed.

use tafl_parser::Format;
use tafl_rules::Rng;

use super::input::SeedInputs;

/// The maximum size of a mutated input.
const LARGEST: usize = 4096;
/// The maximum length of a deleted or duplicated span within a line.
const LONGEST_SPAN: usize = 24;

/// Words of notations, and numbers and characters at which readers change their behavior.
const WORDS: &[&str] = &[
    "1.",
    "2.",
    "1...",
    "12.",
    "1a.1.1a.",
    "2b.1.1b.",
    "....",
    "---",
    "--",
    "-",
    "x",
    "xe3",
    "/",
    "//",
    "=",
    "^",
    "+",
    "++",
    "!",
    "!!",
    "?",
    "#",
    "*",
    "...",
    "…",
    "·",
    "½",
    "→",
    "—",
    "\u{a0}",
    "\u{feff}",
    "æ",
    "\u{1f451}",
    "\0",
    "\r\n",
    "\n",
    "\n\n",
    "\t",
    " ",
    ",",
    ";",
    ":",
    ".",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "|",
    "\"",
    "'",
    "\\",
    "\\n",
    "\\u0041",
    "<",
    ">",
    "&nbsp;",
    "&#120;",
    "<p>",
    "<br>",
    "</td>",
    "<tr><td>",
    "<!--",
    "-->",
    "```",
    "> ",
    "d2-d4",
    "d2d4",
    "D2-D4",
    "Kd4-d3",
    "a1-a1",
    "s19-s1",
    "d4-d3xc3/kb3",
    "d2-c2-c4",
    "z9-a1",
    "a0-a1",
    "a99999999999-a1",
    "0-0",
    "1-0",
    "0-1",
    "1/2-1/2",
    "Attackers",
    "Defenders",
    "White",
    "Black",
    "Dark",
    "Light",
    "Draw",
    "Ongoing",
    "timeout",
    "resigns",
    "resigned",
    "won",
    "White wins",
    "Black resigns",
    "Event: A",
    "Result: 1-0",
    "Variant: brandubh7",
    "Variant: hexentafl4",
    "Rules: Copenhagen",
    "[Event \"A\"]",
    "[Result \"1-0\"]",
    "[Variant \"tablut9\"]",
    "[FEN \"",
    "[event:a]",
    "[result:-1]",
    "[rules:",
    "[variant:brandubh7]",
    "[position:",
    "[rules:dim:7 start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/]",
    "dim:7",
    "dim:255",
    "dim:0",
    "xtopo:hex",
    "ks:w",
    "start:",
    "/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/",
    "/7/7/",
    "/2t2/5/",
    "3t3",
    "K",
    "T",
    "t",
    "(;",
    "FF[4]",
    "GM[29]",
    "SZ[7]",
    "SZ[11:11]",
    "AB[dd]",
    "AW[",
    "LB[dd:K]",
    "MV[d2-c2]",
    "N[d2-d4]",
    "B[dbdd]",
    "W[",
    "C[",
    "RE[W+]",
    ")",
    "0D.1;",
    "0A.1;",
    "1D.c4-b4;",
    "1A.",
    "position startpos",
    "position fen ",
    "position rec ",
    "startpos",
    "moves",
    "ucinewgame",
    "setoption name Rules value ",
    "setoption name UCI_Variant value brandubh7",
    "play attacker ",
    "play defender ",
    "= ",
    "genmove",
    "undo",
    "boardsize 11",
    "{\"",
    "\":",
    "\",\"",
    "null",
    "true",
    "[]",
    "{}",
    "-1",
    "0",
    "1",
    "7",
    "11",
    "19",
    "20",
    "255",
    "256",
    "32767",
    "32768",
    "65535",
    "65536",
    "4294967295",
    "4294967296",
    "-9223372036854775808",
    "18446744073709551616",
    "1e308",
    "0.5",
    "NaN",
    "moves,attackers,defenders,result",
    "sep=;",
    "game,turn,move",
    "Move",
    "result",
    "ply side move",
    ",0,0,White",
    "R",
    "T",
];

/// Makes mutated inputs.
#[derive(Debug, Default)]
pub(crate) struct Mutator {
    text: Vec<u8>,
}

impl Mutator {
    /// Makes the input of an execution, and returns the likely notation of the file that it is made of.
    pub(crate) fn mutate(&mut self, seeds: &SeedInputs, rng: &mut Rng) -> Option<Format> {
        let seed = seeds.pick(rng);
        self.text.clear();
        self.text.extend_from_slice(&seed.bytes);
        for _ in 0..=rng.below(4) {
            self.edit(seeds, rng);
            self.text.truncate(LARGEST);
        }
        seed.format
    }

    /// Returns the input that was made last.
    pub(crate) fn text(&self) -> &[u8] {
        &self.text
    }

    fn edit(&mut self, seeds: &SeedInputs, rng: &mut Rng) {
        let length = self.text.len();
        if length == 0 {
            self.text.extend_from_slice(word(rng));
            return;
        }
        let at = rng.below(length);
        match rng.below(14) {
            0 => self.text[at] ^= 1 << rng.below(8),
            1 => self.text[at] = rng.below(256) as u8,
            2 => {
                let end = (at + 1 + rng.below(LONGEST_SPAN)).min(length);
                self.text.drain(at..end);
            }
            3 => {
                let end = (at + 1 + rng.below(LONGEST_SPAN)).min(length);
                self.duplicate(at, end, rng.below(length + 1));
            }
            // The rest of another input.
            4 => {
                let other = &seeds.pick(rng).bytes;
                let from = rng.below(other.len());
                self.text.truncate(at);
                self.text.extend_from_slice(&other[from..]);
            }
            // A line of another input.
            5 => {
                let other = &seeds.pick(rng).bytes;
                let (start, end) = line(other, rng.below(other.len()));
                let at = line(&self.text, at).0;
                self.insert(at, &other[start..end]);
            }
            6..=8 => self.insert(at, word(rng)),
            9 => {
                let from = rng.below(2) * at;
                if from == 0 { self.text.truncate(at) } else { self.text.drain(..from).for_each(drop) }
            }
            10 => {
                let end = (at + 1 + rng.below(LONGEST_SPAN)).min(length);
                let is_upper = rng.below(2) == 0;
                let part = &mut self.text[at..end];
                if is_upper { part.make_ascii_uppercase() } else { part.make_ascii_lowercase() }
            }
            11 => {
                let digit = self.text[at..].iter().position(u8::is_ascii_digit).map_or(at, |next| at + next);
                self.text[digit] = b'0' + rng.below(10) as u8;
            }
            12 => {
                let (start, end) = line(&self.text, at);
                self.text.drain(start..end);
            }
            _ => {
                let (start, end) = line(&self.text, at);
                let to = line(&self.text, rng.below(length)).0;
                self.duplicate(start, end, to);
            }
        }
    }

    fn insert(&mut self, at: usize, part: &[u8]) {
        self.text.extend_from_slice(part);
        self.text[at..].rotate_right(part.len());
    }

    fn duplicate(&mut self, start: usize, end: usize, to: usize) {
        self.text.extend_from_within(start..end);
        self.text[to..].rotate_right(end - start);
    }
}

/// Returns the range of the line around an offset, with its line feed.
fn line(text: &[u8], at: usize) -> (usize, usize) {
    let start = text[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let end = text[at..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |end| at + end + 1);
    (start, end)
}

fn word(rng: &mut Rng) -> &'static [u8] {
    WORDS[rng.below(WORDS.len())].as_bytes()
}
