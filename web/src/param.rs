//! What a parameter of a route is.

/// A parameter of a route.
#[derive(Debug, Clone, Copy)]
pub struct Param {
    /// The name.
    pub name: &'static str,
    /// What its values are.
    pub kind: ParamKind,
    /// What it says, in a sentence.
    pub words: &'static str,
}

/// What the values of a parameter are.
#[derive(Debug, Clone, Copy)]
pub enum ParamKind {
    /// Any text.
    Text,
    /// A whole number from the least to the most; the third is the default.
    Number(u64, u64, u64),
    /// A whole number from the least to the most; the default hangs on other parameters, and the words say it.
    Between(u64, u64),
    /// A number of seconds, which may have a fraction.
    Seconds,
    /// One of some words; the first is the default.
    Choice(&'static [&'static str]),
    /// 1 or 0; 0 is the default.
    Flag,
}
