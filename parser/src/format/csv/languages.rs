//! Words of columns and results in languages other than English, besides the names in [`super::columns`].

use tafl_rules::Side;

use super::columns::{CsvColumn, common_column, words_of};
use super::value;
use crate::record::{WrittenVerdict, tag};
use crate::words;

/// Words for a player, which stand before or after the side: `Spieler Schwarz`, `Weiß (Spieler)`.
const PLAYER: [&str; 14] = [
    "spieler",
    "joueur",
    "jugador",
    "spelare",
    "spiller",
    "speler",
    "pelaaja",
    "giocatore",
    "jogador",
    "gracz",
    "hráč",
    "leikmaður",
    "игрок",
    "játékos",
];

/// Returns the column with a name in one of the languages that FORMATS.md lists, or with a word for a player.
pub(super) fn column(name: &str) -> CsvColumn {
    let found = common_column(name);
    if found != CsvColumn::Other {
        return found;
    }
    let words = words_of(name);
    match words::side_in_any_language(&words) {
        Some(Side::Attackers) => return CsvColumn::Attackers,
        Some(Side::Defenders) => return CsvColumn::Defenders,
        None => {}
    }
    match &*words {
        "lépések" | "ходи" | "hamleler" | "mutări" | "κινήσεις" | "käigud" | "ťahy" | "potezi" | "棋譜"
        | "棋谱" | "着法" => CsvColumn::Moves,
        "eredmény"
        | "győztes"
        | "переможець"
        | "sonuç"
        | "kazanan"
        | "rezultat"
        | "câștigător"
        | "αποτέλεσμα"
        | "νικητής"
        | "tulemus"
        | "võitja"
        | "výsledok"
        | "víťaz"
        | "pobjednik"
        | "guanyador"
        | "sejrherre"
        | "結果"
        | "勝者"
        | "结果"
        | "胜者" => CsvColumn::Result,
        "dátum" | "tarih" | "ημερομηνία" | "kuupäev" | "日付" | "日期" => CsvColumn::Date,
        "verseny" | "tornaj" | "turnaj" | "turnaus" | "turniej" | "toernooi" | "турнир" | "турнір" => {
            CsvColumn::Tag(tag::EVENT)
        }
        _ => {
            let side = PLAYER.iter().find_map(|word| {
                let side = words.strip_prefix(word).or_else(|| words.strip_suffix(word))?;
                Some(column(side)).filter(CsvColumn::is_side)
            });
            side.unwrap_or(CsvColumn::Other)
        }
    }
}

/// Returns the column with the name of a statement about a game, of those that other texts than tables contain as well.
pub(crate) fn statement_column(name: &str) -> Option<CsvStatement> {
    match column(name) {
        CsvColumn::Attackers => Some(CsvStatement::Tag(tag::ATTACKERS)),
        CsvColumn::Defenders => Some(CsvStatement::Tag(tag::DEFENDERS)),
        CsvColumn::Date => Some(CsvStatement::Tag(tag::DATE)),
        CsvColumn::Result => Some(CsvStatement::Result),
        CsvColumn::Variant => Some(CsvStatement::Variant),
        CsvColumn::Tag(name @ (tag::EVENT | tag::SITE | tag::ROUND)) => Some(CsvStatement::Tag(name)),
        _ => None,
    }
}

/// A statement about a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CsvStatement {
    /// A tag with one of our names.
    Tag(&'static str),
    /// The result.
    Result,
    /// The variant.
    Variant,
}

/// Returns the result that words in any of the languages stand for: `Weiß`, `Schwarz gewinnt`, `Remis`.
pub(super) fn verdict(text: &str) -> Option<WrittenVerdict> {
    if value::is_doubtful(text) {
        return None;
    }
    let text = text.trim().to_lowercase();
    if words::DRAWS.contains(&text.as_str()) {
        return Some(WrittenVerdict::Draw);
    }
    let (winner, rest) = text.split_once(' ').unwrap_or((&text, ""));
    if !rest.is_empty() && !words::WINS.contains(&rest) {
        return None;
    }
    match column(winner) {
        CsvColumn::Attackers => Some(WrittenVerdict::Win(Side::Attackers)),
        CsvColumn::Defenders => Some(WrittenVerdict::Win(Side::Defenders)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_players_are_no_part_of_the_side() {
        for (name, expected) in [
            ("Spieler Schwarz", CsvColumn::Attackers),
            ("Weiß (Spieler)", CsvColumn::Defenders),
            ("joueur noir", CsvColumn::Attackers),
            ("Fehér játékos", CsvColumn::Defenders),
            ("Spieler", CsvColumn::Other),
            ("Spieler Datum", CsvColumn::Other),
        ] {
            assert_eq!(column(name), expected, "{name}");
        }
    }

    #[test]
    fn results_in_the_languages_of_the_columns_are_read() {
        let (black, white) = (WrittenVerdict::Win(Side::Attackers), WrittenVerdict::Win(Side::Defenders));
        for (text, expected) in [
            ("Weiß", Some(white)),
            ("Schwarz gewinnt", Some(black)),
            ("blancs", Some(white)),
            ("Angreifer", Some(black)),
            ("Remis", Some(WrittenVerdict::Draw)),
            ("Match nul", Some(WrittenVerdict::Draw)),
            ("Schwarz gibt auf", None),
            ("White?", None),
            ("Remis?", None),
            ("Datum", None),
            ("", None),
        ] {
            assert_eq!(verdict(text), expected, "{text}");
        }
    }
}
