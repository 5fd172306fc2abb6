//! The variants of the play site aagenielsen.dk that have games enough to tell their rules.

use super::NamedRules;

pub(super) const VARIANTS: &[NamedRules] = &[];
