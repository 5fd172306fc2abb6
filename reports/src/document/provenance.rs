//! Where the figures of a report come from.

/// Where the figures of a report come from, and all that is needed to make it again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provenance {
    /// The version of the program.
    pub version: String,
    /// The words of the command line that makes the report again, without the program's name and without where it is
    /// written to.
    pub command: Vec<String>,
    /// What else decides the figures, in the order in which it is shown.
    pub facts: Vec<Fact>,
}

/// One thing that decides the figures of a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// Its name for programs: `corpus_hash`.
    pub key: String,
    /// Its name for people: `hash of the corpus`.
    pub label: String,
    /// What it is.
    pub value: String,
}

impl Provenance {
    /// Returns a provenance with nothing but the version of the program.
    pub fn of(version: &str) -> Provenance {
        Provenance { version: version.to_owned(), command: Vec::new(), facts: Vec::new() }
    }

    /// Adds a fact.
    pub fn add(&mut self, key: &str, label: &str, value: impl Into<String>) {
        self.facts.push(Fact { key: key.to_owned(), label: label.to_owned(), value: value.into() });
    }

    /// Returns the command as it is typed, with quotes where a shell needs them.
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
