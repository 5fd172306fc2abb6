//! The samples that ship with the program: games of the engine against itself, made by `tests/suite/samples.rs`.

/// A file of samples.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sample {
    /// The file's name.
    pub(crate) name: &'static str,
    /// Its text.
    pub(crate) text: &'static str,
}

macro_rules! samples {
    ($($name:literal),* $(,)?) => {
        [$(Sample { name: $name, text: include_str!(concat!("../samples/", $name)) }),*]
    };
}

/// Every file, those with sound games first.
pub(crate) const ALL: [Sample; 8] = samples![
    "brandubh.csv",
    "copenhagen.otg",
    "cyngesheall.cyn",
    "hexentafl.skud",
    "historical.jsonl",
    "seabattle.jsonl",
    "tablut.pgn",
    "brandubh-broken.csv",
];
