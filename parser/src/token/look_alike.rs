//! Characters that look like the letters and digits of cells: Cyrillic letters, and characters of full width. People type
//! them with another keyboard, and on the screen they look the same as the right ones.

use tafl_rules::{Coord, coord_prefix};

/// Reads a cell with such characters, and returns it with its length in bytes.
#[inline]
pub(super) fn cell(input: &[u8]) -> Option<(Coord, usize)> {
    // Nearly all words that are not cells are ASCII.
    let is_ascii = |nth: usize| input.get(nth).is_none_or(u8::is_ascii);
    if is_ascii(0) && is_ascii(1) { None } else { unusual_cell(input) }
}

#[cold]
fn unusual_cell(input: &[u8]) -> Option<(Coord, usize)> {
    // A character has at most four bytes, and a cell three characters.
    let head = &input[..input.len().min(12)];
    let head = head.utf8_chunks().next()?.valid();
    let mut name = [0; 3];
    let mut lengths = [0; 4];
    for (nth, symbol) in head.chars().take(name.len()).enumerate() {
        name[nth] = if nth == 0 { letter(symbol) } else { digit(symbol) };
        lengths[nth + 1] = lengths[nth] + symbol.len_utf8();
    }
    let (coord, n_symbols) = coord_prefix(&name)?;
    Some((coord, lengths[n_symbols]))
}

/// Returns the Latin letter that a character is or looks like, or 0.
fn letter(symbol: char) -> u8 {
    match symbol {
        'а' | 'А' => b'a',
        'В' => b'b',
        'с' | 'С' => b'c',
        'ԁ' => b'd',
        'е' | 'Е' => b'e',
        'һ' | 'Н' => b'h',
        'і' | 'І' => b'i',
        'ј' | 'Ј' => b'j',
        'к' | 'К' => b'k',
        'М' => b'm',
        'о' | 'О' => b'o',
        'р' | 'Р' => b'p',
        'ѕ' | 'Ѕ' => b's',
        _ => narrow(symbol).filter(u8::is_ascii_alphabetic).unwrap_or(0),
    }
}

/// Returns the digit that a character is, or 0.
fn digit(symbol: char) -> u8 {
    narrow(symbol).filter(u8::is_ascii_digit).unwrap_or(0)
}

/// Returns the character of ASCII for itself or for the same one of full width.
fn narrow(symbol: char) -> Option<u8> {
    match symbol {
        '！'..='～' => u8::try_from(u32::from(symbol) - u32::from('！') + u32::from('!')).ok(),
        _ => u8::try_from(symbol).ok().filter(u8::is_ascii),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_look_alike_are_read() {
        let read = |text: &str| cell(text.as_bytes()).map(|(coord, length)| (coord.to_string(), length));
        assert_eq!(read("с6-d6"), Some(("c6".into(), 3)));
        assert_eq!(read("е11"), Some(("e11".into(), 4)));
        assert_eq!(read("ｄ１０－"), Some(("d10".into(), 9)));
        assert_eq!(read("d６"), Some(("d6".into(), 4)));
        for text in ["", "с", "сс", "ж6", "d–", "６６", "日6", "d", "\u{10ffff}6"] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(cell(b"\xd1"), None);
        assert_eq!(cell(b"\xd1\x81"), None);
        assert_eq!(cell(b"\xff6"), None);
    }
}
