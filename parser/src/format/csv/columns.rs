//! Columns and the words that name them.

use crate::record::tag;

/// The meaning of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum CsvColumn {
    /// All moves of a game, or the moves of a turn.
    Moves,
    /// `move`: one move, or all of a game.
    Move,
    /// The start of a move.
    From,
    /// The destination of a move.
    To,
    /// The captured cells of a move whose start and destination are columns.
    Captured,
    /// The number of a turn.
    Turn,
    /// The number of a ply.
    Ply,
    /// `#`, `no`: the number of a turn or of a game.
    Number,
    /// `game`: the name of a game, or its moves.
    Game,
    /// The side that makes the move of the row.
    Side,
    /// The player of the attackers, or their moves.
    Attackers,
    /// The player of the defenders, or their moves.
    Defenders,
    Variant,
    /// The number of the game type on aagenielsen.dk.
    AageKey,
    /// `board`: a variant or the size of the board.
    Board,
    Rules,
    Start,
    FirstMover,
    Result,
    Reason,
    AttackerCaptures,
    DefenderCaptures,
    Comment,
    Date,
    Rated,
    /// Several tags, one per line: `name: value`.
    Tags,
    /// A tag with a standard name.
    Tag(&'static str),
    /// A tag with the name of the column.
    Other,
    /// A column without a name: the index of a data frame, or empty columns at the end.
    Nameless,
}

/// Returns the letters and digits of a name in lowercase.
pub(super) fn words_of(name: &str) -> String {
    name.chars().filter(|symbol| symbol.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Returns the column with a frequent name; [`super::languages`] knows more. Case, blanks, and punctuation are ignored.
pub(super) fn common_column(name: &str) -> CsvColumn {
    let name = name.trim();
    if name == "#" || name == "\u{2116}" {
        return CsvColumn::Number;
    }
    let words = words_of(name);
    match &*words {
        "" => CsvColumn::Nameless,
        "zetten" | "siirrot" | "mosse" | "lances" | "jogadas" | "ruchy" | "tahy" | "leikir" | "ходы"
        | "züge" | "zuege" | "zugfolge" | "coups" | "jugadas" | "movimientos" | "træk" | "trekk" | "drag"
        | "moves" | "movelist" | "movetext" | "record" | "gamerecord" | "notation" => CsvColumn::Moves,
        "move" => CsvColumn::Move,
        "from" | "fromcell" | "fromsquare" | "movefrom" | "origin" | "von" => CsvColumn::From,
        "to" | "tocell" | "tosquare" | "moveto" | "destination" | "nach" => CsvColumn::To,
        "captures" | "captured" | "capturedcells" | "capturedpieces" => CsvColumn::Captured,
        "zug" | "zugnr" | "zugnummer" | "tour" | "turno" | "tur" | "runde" | "turn" | "turnno" | "turnnr"
        | "turnnumber" | "moveno" | "movenr" | "movenumber" | "fullmove" | "fullmovenumber" => {
            CsvColumn::Turn
        }
        "ply" | "plyno" | "plynr" | "plynumber" | "halfmove" | "halfmovenumber" => CsvColumn::Ply,
        "no" | "nr" | "number" | "n" | "num" => CsvColumn::Number,
        "partie" | "spiel" | "partida" | "parti" | "game" => CsvColumn::Game,
        "side" | "color" | "colour" | "mover" | "sidetomove" => CsvColumn::Side,
        "attackers"
        | "attacker"
        | "black"
        | "dark"
        | "blackplayer"
        | "darkplayer"
        | "attackersplayer"
        | "attackerplayer"
        | "blacksideplayername"
        | "blackname"
        | "attackername"
        | "attackersname"
        | "player1"
        | "firstplayer"
        | "playerblack"
        | "playerattackers"
        | "blackmove"
        | "attackermove"
        | "attackersmove"
        | "blacksmove" => CsvColumn::Attackers,
        "defenders"
        | "defender"
        | "white"
        | "light"
        | "whiteplayer"
        | "lightplayer"
        | "defendersplayer"
        | "defenderplayer"
        | "whitesideplayername"
        | "whitename"
        | "defendername"
        | "defendersname"
        | "player2"
        | "secondplayer"
        | "playerwhite"
        | "playerdefenders"
        | "whitemove"
        | "defendermove"
        | "defendersmove"
        | "whitesmove" => CsvColumn::Defenders,
        "variante" | "variantes" | "variant" | "ruleset" | "gametype" | "gamename" | "variantname" => {
            CsvColumn::Variant
        }
        "aagegametypekey" | "gametypekey" => CsvColumn::AageKey,
        "board" | "boardsize" | "layout" => CsvColumn::Board,
        "rules" | "rulesstring" => CsvColumn::Rules,
        "start" | "position" | "startposition" | "setup" | "startpos" => CsvColumn::Start,
        "firstmover" | "first" | "starts" | "movesfirst" | "firstside" => CsvColumn::FirstMover,
        "uitslag"
        | "winnaar"
        | "tulos"
        | "voittaja"
        | "risultato"
        | "vincitore"
        | "vencedor"
        | "wynik"
        | "zwycięzca"
        | "výsledek"
        | "vítěz"
        | "úrslit"
        | "sigurvegari"
        | "результат"
        | "победитель"
        | "ergebnis"
        | "resultat"
        | "résultat"
        | "resultado"
        | "sieger"
        | "gewinner"
        | "vainqueur"
        | "ganador"
        | "vinder"
        | "vinner"
        | "vinnare"
        | "result"
        | "outcome"
        | "winner"
        | "won"
        | "score"
        | "whowon"
        | "gameresult" => CsvColumn::Result,
        "reason" | "termination" | "end" | "ending" | "endreason" | "resultreason" | "wonby" => {
            CsvColumn::Reason
        }
        "attackercaptures"
        | "attackerscaptures"
        | "capturesbyattackers"
        | "capturesattackers"
        | "blackcaptures"
        | "blackpiecescaptured" => CsvColumn::AttackerCaptures,
        "defendercaptures"
        | "defenderscaptures"
        | "capturesbydefenders"
        | "capturesdefenders"
        | "whitecaptures"
        | "whitepiecescaptured" => CsvColumn::DefenderCaptures,
        "kommentar" | "bemerkung" | "anmerkung" | "commentaire" | "comentario" | "remarque" | "comment"
        | "comments" | "note" | "notes" | "remark" | "remarks" | "annotation" | "annotations" => {
            CsvColumn::Comment
        }
        "pvm" | "päivämäärä" | "dagsetning" | "дата" | "datum" | "fecha" | "dato" | "date" | "played"
        | "when" | "timestamp" | "day" | "dateplayed" | "playedon" | "datestart" | "startdate"
        | "datetime" => CsvColumn::Date,
        "rated" | "israted" => CsvColumn::Rated,
        "tags" | "othertags" => CsvColumn::Tags,
        "id" | "gameid" | "gameno" | "gamenr" | "gamenumber" | "file" => CsvColumn::Tag(tag::ID),
        "turnier" | "tournoi" | "torneo" | "turnering" | "event" | "tournament" | "match" | "competition" => {
            CsvColumn::Tag(tag::EVENT)
        }
        "ort" | "lieu" | "lugar" | "sted" | "plats" | "site" | "place" | "server" | "location" => {
            CsvColumn::Tag(tag::SITE)
        }
        "round" => CsvColumn::Tag(tag::ROUND),
        "attackersrating" | "attackerrating" | "blackrating" | "darkrating" | "attackerselo"
        | "attackerelo" | "blackelo" | "ratingattackers" | "ratingblack" | "player1rating" => {
            CsvColumn::Tag(tag::ATTACKERS_RATING)
        }
        "defendersrating" | "defenderrating" | "whiterating" | "lightrating" | "defenderselo"
        | "defenderelo" | "whiteelo" | "ratingdefenders" | "ratingwhite" | "player2rating" => {
            CsvColumn::Tag(tag::DEFENDERS_RATING)
        }
        "timecontrol" | "timesettings" | "tempo" => CsvColumn::Tag(tag::TIME_CONTROL),
        "timeremaining" => CsvColumn::Tag(tag::TIME_REMAINING),
        "annotator" => CsvColumn::Tag(tag::ANNOTATOR),
        "compiler" => CsvColumn::Tag(tag::COMPILER),
        // pandas names the column of the index like this when it reads its own file again.
        _ if is_unnamed(&words) => CsvColumn::Nameless,
        _ => CsvColumn::Other,
    }
}

fn is_unnamed(words: &str) -> bool {
    words.strip_prefix("unnamed").is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))
}

impl CsvColumn {
    /// Returns whether the column numbers rows.
    pub(super) const fn is_number(&self) -> bool {
        matches!(self, CsvColumn::Turn | CsvColumn::Ply | CsvColumn::Number)
    }

    /// Returns whether the column has the name of a side.
    pub(super) const fn is_side(&self) -> bool {
        matches!(self, CsvColumn::Attackers | CsvColumn::Defenders)
    }

    /// Returns whether the column is a part of a move. The names of the parts have other meanings without the others.
    pub(super) const fn is_path(&self) -> bool {
        matches!(self, CsvColumn::From | CsvColumn::To | CsvColumn::Captured)
    }

    /// Returns whether the name of the column is known.
    pub(super) const fn is_known(&self) -> bool {
        !matches!(self, CsvColumn::Other | CsvColumn::Nameless) && !self.is_path()
    }

    /// Returns the name of the tag for a value that the column's own field cannot hold; `None` for the name
    /// of the column.
    pub(super) const fn tag_name(&self) -> Option<&'static str> {
        match self {
            CsvColumn::Tag(name) => Some(name),
            CsvColumn::Attackers => Some(tag::ATTACKERS),
            CsvColumn::Defenders => Some(tag::DEFENDERS),
            CsvColumn::Game | CsvColumn::Number => Some(tag::ID),
            CsvColumn::Date => Some(tag::DATE),
            CsvColumn::Rated => Some(tag::RATED),
            CsvColumn::Result => Some("result"),
            CsvColumn::Start => Some("position"),
            CsvColumn::Variant => Some("variant"),
            CsvColumn::Rules => Some("rules"),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_blanks_and_punctuation_of_names_are_ignored() {
        for name in ["attacker_captures", "Attacker captures", "ATTACKER-CAPTURES", "AttackerCaptures"] {
            assert_eq!(common_column(name), CsvColumn::AttackerCaptures);
        }
        assert_eq!(common_column("Round"), CsvColumn::Tag(tag::ROUND));
        assert_eq!(common_column("#"), CsvColumn::Number);
        assert_eq!(common_column("Unnamed: 0"), CsvColumn::Nameless);
        assert_eq!(common_column("Unnamed bay"), CsvColumn::Other);
        assert_eq!(common_column("WhoWon"), CsvColumn::Result);
    }
}
