//! The provenance of the figures of a report.

/// The provenance of the figures of a report, with everything needed to reproduce it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provenance {
    /// The version of the program.
    pub version: String,
    /// The arguments of the command that reproduces the report, without the name of the program and the
    /// output file.
    pub command: Vec<String>,
    /// Other inputs that determine the figures, in display order.
    pub facts: Vec<Fact>,
}

/// An input that determines the figures of a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// Its name for programs, such as `corpus_hash`.
    pub key: String,
    /// Its name for people, such as `hash of the corpus`.
    pub label: String,
    /// Its value.
    pub value: String,
}

impl Provenance {
    /// Creates a provenance with only the version of the program.
    pub fn of(version: &str) -> Provenance {
        Provenance { version: version.to_owned(), command: Vec::new(), facts: Vec::new() }
    }

    /// Adds a fact.
    pub fn add(&mut self, key: &str, label: &str, value: impl Into<String>) {
        self.facts.push(Fact { key: key.to_owned(), label: label.to_owned(), value: value.into() });
    }

    /// Returns the command line, quoted for a shell.
    pub fn command_line(&self) -> String {
        let quoted = |word: &String| {
            let is_plain = |sign: char| sign.is_ascii_alphanumeric() || "-_./,:=@%+".contains(sign);
            if !word.is_empty() && word.chars().all(is_plain) {
                word.clone()
            } else {
                format!("'{}'", word.replace('\'', "'\\''"))
            }
        };
        let words: Vec<String> = self.command.iter().map(quoted).collect();
        format!("tafl {}", words.join(" "))
    }
}
