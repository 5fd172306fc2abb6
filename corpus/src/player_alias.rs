//! Player aliases: games show the player's name and keep the name of their record.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use tafl_rules::Side;

use crate::id::name_hash;
use crate::row::GameRow;
use crate::words::composed;

/// An alias of a player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerAlias {
    /// The alias, in any case.
    pub alias: String,
    /// The name that games show instead.
    pub name: String,
}

/// Returns whether two names of players are equal except for case, blanks at the ends, and the encoding of their letters.
///
/// # Examples
///
/// ```
/// assert!(tafl_corpus::is_same_name("A\u{30a}SA ", "\u{e5}sa"));
/// assert!(!tafl_corpus::is_same_name("Asa", "\u{e5}sa"));
/// ```
pub fn is_same_name(one: &str, other: &str) -> bool {
    composed(one.trim()).to_lowercase() == composed(other.trim()).to_lowercase()
}

/// Returns the hash of a name of a player, however its letters are encoded.
fn player_hash(name: &str) -> u64 {
    name_hash(Some(&composed(name)))
}

/// Adds the aliases of another corpus. If the lists differ about an alias, the known entry stays; an alias of an alias
/// becomes an alias of the name.
pub(crate) fn add_aliases(known: &mut Vec<PlayerAlias>, others: &[PlayerAlias]) {
    for PlayerAlias { alias, name } in others {
        let of_name = known.iter().find(|entry| is_same_name(&entry.alias, name));
        let name = of_name.map_or(name, |entry| &entry.name).clone();
        if *alias == name || known.iter().any(|entry| is_same_name(&entry.alias, alias)) {
            continue;
        }
        for entry in known.iter_mut().filter(|entry| is_same_name(&entry.name, alias)) {
            entry.name.clone_from(&name);
        }
        known.push(PlayerAlias { alias: alias.clone(), name });
    }
    known.sort_by(|one, other| one.alias.cmp(&other.alias));
}

/// The names of players by the hashes of their aliases.
#[derive(Debug, Default)]
pub(crate) struct AliasTable(HashMap<u64, String>);

impl AliasTable {
    /// Creates the table of a list of aliases.
    pub(crate) fn of(aliases: &[PlayerAlias]) -> AliasTable {
        AliasTable(aliases.iter().map(|one| (player_hash(&one.alias), one.name.clone())).collect())
    }

    /// Sets the players of a row to the names of their aliases, or else to the written names. Returns whether one changed.
    pub(crate) fn apply(&self, row: &mut GameRow) -> bool {
        let mut has_changed = false;
        for side in [Side::Attackers, Side::Defenders] {
            let Some(written) = row.written_player(side).map(str::to_owned) else { continue };
            let name = self.0.get(&player_hash(&written)).unwrap_or(&written);
            if row.player(side) != Some(name.as_str()) {
                has_changed = true;
                row.rename(side, name.clone(), written);
            }
        }
        has_changed
    }

    /// Returns a row with the names that [`AliasTable::apply`] gives to its players.
    pub(crate) fn named<'r>(&self, row: &'r GameRow) -> Cow<'r, GameRow> {
        if self.0.is_empty() {
            return Cow::Borrowed(row);
        }
        let mut named = row.clone();
        self.apply(&mut named);
        Cow::Owned(named)
    }
}

/// Returns the tag of rows for the name that the record has, if games show another one.
const fn written_tag(side: Side) -> &'static str {
    match side {
        Side::Attackers => "attackers-written",
        Side::Defenders => "defenders-written",
    }
}

impl GameRow {
    /// Returns the player of a side.
    pub fn player(&self, side: Side) -> Option<&str> {
        match side {
            Side::Attackers => self.attackers.as_deref(),
            Side::Defenders => self.defenders.as_deref(),
        }
    }

    /// Returns the player of a side as the record has the name.
    pub fn written_player(&self, side: Side) -> Option<&str> {
        let written = self.tags.iter().find(|(name, _)| name == written_tag(side));
        written.map(|(_, name)| &**name).or_else(|| self.player(side))
    }

    /// Returns whether both players have the same name because of aliases.
    pub(crate) fn has_merged_opponents(&self) -> bool {
        let [attackers, defenders] = [Side::Attackers, Side::Defenders];
        let is_same = |one: Option<&str>, other: Option<&str>| {
            one.zip(other).is_some_and(|(one, other)| is_same_name(one, other))
        };
        is_same(self.player(attackers), self.player(defenders))
            && !is_same(self.written_player(attackers), self.written_player(defenders))
    }

    /// Sets the name of a player, and keeps the written one if it differs.
    fn rename(&mut self, side: Side, name: String, written: String) {
        self.tags.retain(|(tag, _)| tag != written_tag(side));
        if name != written {
            self.tags.push((written_tag(side).to_owned(), written));
        }
        match side {
            Side::Attackers => self.attackers = Some(name),
            Side::Defenders => self.defenders = Some(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alias(alias: &str, name: &str) -> PlayerAlias {
        PlayerAlias { alias: alias.to_owned(), name: name.to_owned() }
    }

    #[test]
    fn aliases_of_two_corpora_are_joined() {
        let joined = |known: &[(&str, &str)], others: &[(&str, &str)]| -> Vec<(String, String)> {
            let list =
                |pairs: &[(&str, &str)]| pairs.iter().map(|pair| alias(pair.0, pair.1)).collect::<Vec<_>>();
            let mut known = list(known);
            add_aliases(&mut known, &list(others));
            known.into_iter().map(|entry| (entry.alias, entry.name)).collect()
        };
        let pairs = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
            pairs.iter().map(|pair| (pair.0.to_owned(), pair.1.to_owned())).collect()
        };
        assert_eq!(joined(&[("b", "B")], &[("a", "A")]), pairs(&[("a", "A"), ("b", "B")]));
        assert_eq!(joined(&[("a", "A")], &[("a", "B")]), pairs(&[("a", "A")]));
        assert_eq!(joined(&[("b", "c")], &[("a", "b")]), pairs(&[("a", "c"), ("b", "c")]));
        assert_eq!(joined(&[("a", "b")], &[("b", "c")]), pairs(&[("a", "c"), ("b", "c")]));
        assert_eq!(joined(&[("a", "b")], &[("b", "a")]), pairs(&[("a", "b")]));
    }

    #[test]
    fn a_name_is_replaced_and_restored() {
        let mut row = GameRow { attackers: Some("sven77".to_owned()), ..GameRow::default() };
        let id = row.game_id();
        assert!(AliasTable::of(&[alias("SVEN77 ", "Sven")]).apply(&mut row));
        assert_eq!((row.player(Side::Attackers), row.player(Side::Defenders)), (Some("Sven"), None));
        assert_eq!(row.written_player(Side::Attackers), Some("sven77"));
        assert_eq!(row.game_id(), id, "links to the game stay valid");
        // Another name for the same alias.
        assert!(AliasTable::of(&[alias("sven77", "Sven S.")]).apply(&mut row));
        assert_eq!((row.player(Side::Attackers), row.tags.len()), (Some("Sven S."), 1));
        assert!(AliasTable::default().apply(&mut row));
        assert_eq!((row.player(Side::Attackers), row.tags.len()), (Some("sven77"), 0));
        assert!(!AliasTable::default().apply(&mut row));
    }
}
