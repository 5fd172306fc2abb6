//! Sentences with commands: only commands of the program are code, because names in records can contain any character.

/// A part of a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ProsePart<'t> {
    Text(&'t str),
    /// A command, without its backticks.
    Command(&'t str),
}

/// Splits a sentence at the commands that are between backticks and begin with `tafl`.
pub(super) fn prose_parts(mut text: &str) -> Vec<ProsePart<'_>> {
    let mut parts = Vec::new();
    while let Some((start, command)) = first_command(text) {
        parts.push(ProsePart::Text(&text[..start]));
        parts.push(ProsePart::Command(command));
        text = &text[start + command.len() + 2..];
    }
    parts.push(ProsePart::Text(text));
    parts
}

fn first_command(text: &str) -> Option<(usize, &str)> {
    let start = text.find("`tafl ")?;
    let rest = &text[start + 1..];
    Some((start, &rest[..rest.find('`')?]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_commands_are_code() {
        use ProsePart::{Command, Text};
        assert_eq!(
            prose_parts("`x` won; see `tafl info`."),
            [Text("`x` won; see "), Command("tafl info"), Text(".")]
        );
        assert_eq!(prose_parts("no `tafl end"), [Text("no `tafl end")]);
        assert_eq!(prose_parts(""), [Text("")]);
    }
}
