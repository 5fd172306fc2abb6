//! The name of the file of a study: its title, with escapes for what a file name can't have on some system.

/// The ending of the files.
const EXTENSION: &str = ".jsonl";

/// The maximum number of characters of a title.
const MAX_TITLE: usize = 80;

/// The maximum number of bytes of a file name without its ending; file systems allow 255.
const MAX_NAME: usize = 240;

/// The names of devices of Windows, which no file can have there, whatever follows after a point.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// Returns the name of the file of a study, or the problem with its title.
pub(super) fn file_name_of(title: &str) -> Result<String, String> {
    let length = title.chars().count();
    if length == 0 || length > MAX_TITLE {
        return Err(format!("a title has 1 to {MAX_TITLE} characters"));
    }
    if title.contains(char::is_control) {
        return Err("a title has one line, without control characters".to_owned());
    }
    let mut name = String::new();
    for (at, symbol) in title.char_indices() {
        let is_plain = symbol.is_alphanumeric() || " -_.,;+!'()&#=@".contains(symbol);
        // A file whose name begins with a point is hidden.
        if is_plain && !(at == 0 && (symbol == '.' || is_device(title))) {
            name.push(symbol);
        } else {
            let mut bytes = [0; 4];
            symbol.encode_utf8(&mut bytes).bytes().for_each(|byte| name.push_str(&format!("%{byte:02X}")));
        }
    }
    if name.len() > MAX_NAME { Err("the title is too long".to_owned()) } else { Ok(name + EXTENSION) }
}

/// Returns the title of a file, or `None` if the file isn't that of a study.
pub(super) fn title_of(name: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut left = name.strip_suffix(EXTENSION)?.as_bytes();
    while let [first, rest @ ..] = left {
        left = rest;
        if *first == b'%' {
            let (digits, rest) = left.split_at_checked(2)?;
            bytes.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
            left = rest;
        } else {
            bytes.push(*first);
        }
    }
    let title = String::from_utf8(bytes).ok()?;
    // The title leads to this file again.
    (title.trim() == title && file_name_of(&title).as_deref() == Ok(name)).then_some(title)
}

/// Returns whether the name before the first point is that of a device.
fn is_device(title: &str) -> bool {
    let name = title.split('.').next().unwrap_or_default().trim_end().to_lowercase();
    let has_number = |device: &str| {
        name.strip_prefix(device).is_some_and(|rest| {
            let mut symbols = rest.chars();
            // Superscript digits are digits there.
            symbols.next().is_some_and(char::is_numeric) && symbols.next().is_none()
        })
    };
    DEVICES.contains(&name.as_str()) || has_number("com") || has_number("lpt")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_title_has_a_safe_file_and_comes_back() {
        for (title, name) in [
            ("Ways out", "Ways out.jsonl"),
            ("Þórr's 1. study", "Þórr's 1. study.jsonl"),
            ("../../etc/passwd", "%2E.%2F..%2Fetc%2Fpasswd.jsonl"),
            ("C:\\x", "C%3A\\x.jsonl"),
            (".hidden", "%2Ehidden.jsonl"),
            ("con", "%63on.jsonl"),
            ("LPT1.games", "%4CPT1.games.jsonl"),
            ("Console", "Console.jsonl"),
            ("50 %", "50 %25.jsonl"),
            ("a|b*?\"<>", "a%7Cb%2A%3F%22%3C%3E.jsonl"),
        ] {
            let name = name.replace('\\', "%5C");
            assert_eq!(file_name_of(title), Ok(name.clone()));
            assert_eq!(title_of(&name).as_deref(), Some(title));
        }
    }

    #[test]
    fn impossible_titles_are_refused() {
        for wrong in ["", "a\nb", "\0", &"a".repeat(81), &"♔".repeat(80)] {
            assert!(file_name_of(wrong).is_err(), "{wrong:?}");
        }
        for wrong in [
            "a.otg",
            ".jsonl",
            "a%2.jsonl",
            "a%zz.jsonl",
            "%FF.jsonl",
            " a.jsonl",
            "a%41.jsonl",
            "a%2fb.jsonl",
        ] {
            assert_eq!(title_of(wrong), None, "{wrong}");
        }
    }
}
