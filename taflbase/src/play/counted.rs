//! Numbers with their nouns, for messages.

/// Returns a number with its noun in the singular or the plural.
pub(super) fn counted(n: u64, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}
