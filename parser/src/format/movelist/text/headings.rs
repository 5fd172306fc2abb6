//! The lines before the moves: titles, players, and the variant.

use tafl_rules::{Side, Span, catalog};

use super::super::{heading, tags};
use super::TextReader;
use crate::diagnostic::TextFinding;
use crate::record::{Written, tag};
use crate::source::Source;
use crate::words::PlayerNames;

impl<'s> TextReader<'_, 's> {
    /// Looks for a variant in a line before the first move.
    pub(super) fn read_variant(&mut self, span: Span) {
        // A heading is near the beginning; each search compares the words with all names of the catalog.
        const MAX_LINES: usize = 20;
        if !self.moves.is_empty() || self.headings.n_lines >= MAX_LINES {
            return;
        }
        self.headings.n_lines += 1;
        let source: Source<'s> = *self.source;
        if let Some((variant, words)) = tags::heading_variant(source.at(span)) {
            self.headings.variants.push((variant, source.span_of(words).unwrap_or(span)));
        }
    }

    /// Takes the variant from the headings if they name only one, and the record has neither a variant nor rules.
    pub(super) fn take_heading(&mut self) {
        let Some((variant, span)) = self.headings.variants.first().copied() else { return };
        let is_only = self.headings.variants.iter().all(|(other, _)| *other == variant);
        let has_rules = self.record.variant.is_some() || self.record.rules.is_some();
        if is_only && !has_rules && !self.moves.is_empty() {
            self.record.variant = Some(Written { text: variant.into(), span });
            self.report(span, TextFinding::HeadingVariant { variant });
        }
    }

    /// Reads the line before the table of `tafl annotate`: the record's name, its variant, its players, its result.
    pub(super) fn begin_table(&mut self, title: Span, header: Span) {
        let parts: Vec<&str> = self.source.at(title).split("  ").map(str::trim).collect();
        if let [_, variant, players, _] = parts[..]
            && let Some((attackers, defenders)) = players.split_once(" - ")
            && self.moves.is_empty()
        {
            let span = |part: &str| self.source.span_of(part).unwrap_or_default();
            if self.record.variant.is_none() && catalog::find(variant).is_some() {
                self.record.variant = Some(Written { text: variant.into(), span: span(variant) });
            }
            for (name, player) in [(tag::ATTACKERS, attackers), (tag::DEFENDERS, defenders)] {
                if player != "?" {
                    self.record.push_tag(name, player, span(player));
                }
            }
        }
        // The title ends with the result, which the moves repeat.
        if let Some(skipped) = self.skipped.as_mut().filter(|skipped| skipped.span == title) {
            skipped.has_mention = false;
        }
        self.skip(header, false);
        self.table = Some(header);
    }

    /// Reads the players from a line such as `Ann (Black) - Bob (White)`, and returns whether it is one.
    pub(super) fn read_players(&mut self, line: Span) -> bool {
        let source: Source<'s> = *self.source;
        let is_named = [tag::ATTACKERS, tag::DEFENDERS].iter().any(|name| self.record.tag(name).is_some());
        let Some(players) = heading::players(source.at(line)).filter(|_| self.moves.is_empty() && !is_named)
        else {
            return false;
        };
        for (side, name) in players {
            let tag = if side == Side::Attackers { tag::ATTACKERS } else { tag::DEFENDERS };
            self.record.push_tag(tag, name, source.span_of(name).unwrap_or(line));
        }
        self.players = PlayerNames::of(self.record);
        true
    }
}
