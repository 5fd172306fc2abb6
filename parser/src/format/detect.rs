//! Finds out which notation a text is in.

use super::{Format, bracket};
use crate::token::MoveReader;
use crate::words;

/// Returns the formats that a text may be in, the likeliest first; none where nothing fits.
///
/// `head` is the beginning of the decompressed text, a few KiB are enough; `name` is the file's name, if known. What the
/// text looks like counts more than what the file is called.
pub fn detect(head: &[u8], name: Option<&str>) -> Vec<Format> {
    let mut scores: Vec<(u32, Format)> = Format::ALL
        .into_iter()
        .map(|format| (looks(format, head), is_named(format, name), format))
        .filter(|(looks, is_named, format)| *looks > 0 || (*is_named && !is_generic(format.extension())))
        .map(|(looks, is_named, format)| (looks * 4 + u32::from(is_named), format))
        .collect();
    scores.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    scores.into_iter().map(|(_, format)| format).collect()
}

/// Returns whether files with an ending may hold anything: alone it says nothing.
fn is_generic(extension: &str) -> bool {
    matches!(extension, "txt" | "json" | "jsonl" | "csv")
}

fn is_named(format: Format, name: Option<&str>) -> bool {
    let Some(name) = name else { return false };
    let name = name.trim_end_matches(".gz").trim_end_matches(".zst");
    name.rsplit_once('.').is_some_and(|(_, ending)| ending.eq_ignore_ascii_case(format.extension()))
}

/// Returns how much a text looks like a format: 0 not at all, 3 for words that no other format has, 4 for more than that.
fn looks(format: Format, head: &[u8]) -> u32 {
    let has = |words: &str| memchr::memmem::find(head, words.as_bytes()).is_some();
    let begin = head.trim_ascii_start();
    let first = head.iter().copied().find(|byte| !byte.is_ascii_whitespace()).unwrap_or(0);
    let is_json = first == b'{' || first == b'[' && !is_tag(head);
    let words = |json: bool, sure: bool| if json && sure { 3 } else { 0 };
    match format {
        Format::OpenTafl => 3 * u32::from(bracket::known_tag(begin).is_some() || begin.starts_with(b"[dim:")),
        Format::Pgn => 3 * u32::from(bracket::is_pgn_tag(begin)),
        Format::AageNielsen => words(is_json, has("\"AageGameType") || has("\"WhoMovedFirst\"")),
        Format::HnefataflOrg => {
            let is_ron = has("resume_game_ron") || first == b'(' && has("attacker_rating:");
            let is_game = has("\"moves\"") && has("\"dim\"");
            words(is_json || is_ron || has("= resume_game_json"), is_game || is_ron)
        }
        Format::AbstractPlay => words(is_json, has("\"header\"") && has("\"game\"")),
        Format::PlayTaflOnline => words(is_json, has("\"MoveX\"") || has("\"KingCapture\"")),
        Format::Jsonl => words(is_json, has("\"taflbase\"")),
        Format::LudiiTrial => 3 * u32::from(head.starts_with(b"game=") || has("START GAME OPTIONS")),
        Format::AshtonLog => 3 * u32::from(has("GameAshtonTablut") || has("competition.tablut")),
        Format::SkudPaiSho => 3 * u32::from(is_skudpaisho(head)),
        // Upper case cells in OpenTafl's frame are Cyngesheall's.
        Format::Cyngesheall => 4 * u32::from(first_move(head).is_some_and(|file| file.is_ascii_uppercase())),
        Format::MoveList => 2 * u32::from(first_move(head).is_some() && first != b'['),
    }
}

/// Returns the letter of the first cell of the first move or ending of a text of turns, if it begins with one.
fn first_move(head: &[u8]) -> Option<u8> {
    // What looks like a move inside of a comment is none.
    let mut turns = head.trim_ascii_start();
    while turns.first() == Some(&b'[') {
        turns = turns[bracket::close(turns)? + 1..].trim_ascii_start();
    }
    let lines = turns.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let line = lines.into_iter().find(|line| !line.is_empty() && line[0] != b'#')?;
    let words = line.split(|byte| byte.is_ascii_whitespace() || *byte == b',');
    let is_number = |byte: &u8| byte.is_ascii_digit() || *byte == b'.' || *byte == b')';
    let word = words.into_iter().find(|word| !word.iter().all(is_number))?;
    let number = word.iter().take_while(|byte| is_number(byte)).count();
    let word = &word[number..];
    let mut captures = Vec::new();
    let is_move = MoveReader::new(word.len(), &mut captures).step(word).is_ok();
    let is_end = || std::str::from_utf8(word).ok().and_then(words::ending).map(|_| b'a');
    if is_move { word.iter().rev().find(|byte| byte.is_ascii_alphabetic()).copied() } else { is_end() }
}

/// Returns whether the text begins with a tag such as `[event:` or `[Event "`, which JSON cannot.
fn is_tag(head: &[u8]) -> bool {
    let text = head.trim_ascii_start();
    text.len() > 1 && text[1].is_ascii_alphabetic()
}

fn is_skudpaisho(head: &[u8]) -> bool {
    let text = head.trim_ascii_start();
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    digits > 0 && matches!(text.get(digits..digits + 2), Some([b'D' | b'A' | b'G' | b'H', b'.']))
}
