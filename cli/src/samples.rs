//! The sample files in the program: games of the engine against itself, made by `tests/suite/samples.rs`.

/// A sample file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sample {
    /// The name.
    pub(crate) name: &'static str,
    /// The content.
    pub(crate) text: &'static str,
}

macro_rules! samples {
    ($($name:literal),* $(,)?) => {
        [$(Sample { name: $name, text: include_str!(concat!("../samples/", $name)) }),*]
    };
}

/// All sample files, those with sound games first.
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
