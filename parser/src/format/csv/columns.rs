//! Columns and the words that name them.

use crate::record::tag;

/// The meaning of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Column {
    /// All moves of a game, or the moves of a turn.
    Moves,
    /// `move`: one move, or all of a game.
    Move,
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

/// Returns the column with a name; case, blanks, and punctuation are ignored.
pub(super) fn column(name: &str) -> Column {
    let name = name.trim();
    if name == "#" || name == "\u{2116}" {
        return Column::Number;
    }
    let words: String =
        name.chars().filter(|symbol| symbol.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    match &*words {
        "" => Column::Nameless,
        "moves" | "movelist" | "movetext" | "record" | "gamerecord" | "notation" => Column::Moves,
        "move" => Column::Move,
        "turn" | "turnno" | "turnnr" | "turnnumber" | "moveno" | "movenr" | "movenumber" | "fullmove"
        | "fullmovenumber" => Column::Turn,
        "ply" | "plyno" | "plynr" | "plynumber" | "halfmove" | "halfmovenumber" => Column::Ply,
        "no" | "nr" | "number" | "n" | "num" => Column::Number,
        "game" => Column::Game,
        "side" | "color" | "colour" | "mover" | "sidetomove" => Column::Side,
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
        | "blacksmove" => Column::Attackers,
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
        | "whitesmove" => Column::Defenders,
        "variant" | "ruleset" | "gametype" | "gamename" | "variantname" => Column::Variant,
        "aagegametypekey" | "gametypekey" => Column::AageKey,
        "board" | "boardsize" | "layout" => Column::Board,
        "rules" | "rulesstring" => Column::Rules,
        "start" | "position" | "startposition" | "setup" | "startpos" => Column::Start,
        "firstmover" | "first" | "starts" | "movesfirst" | "firstside" => Column::FirstMover,
        "result" | "outcome" | "winner" | "won" | "score" | "whowon" | "gameresult" => Column::Result,
        "reason" | "termination" | "end" | "ending" | "endreason" | "resultreason" | "wonby" => {
            Column::Reason
        }
        "attackercaptures"
        | "attackerscaptures"
        | "capturesbyattackers"
        | "capturesattackers"
        | "blackcaptures"
        | "blackpiecescaptured" => Column::AttackerCaptures,
        "defendercaptures"
        | "defenderscaptures"
        | "capturesbydefenders"
        | "capturesdefenders"
        | "whitecaptures"
        | "whitepiecescaptured" => Column::DefenderCaptures,
        "comment" | "comments" | "note" | "notes" | "remark" | "remarks" | "annotation" | "annotations" => {
            Column::Comment
        }
        "date" | "played" | "when" | "timestamp" | "day" | "dateplayed" | "playedon" | "datestart"
        | "startdate" | "datetime" => Column::Date,
        "rated" | "israted" => Column::Rated,
        "tags" | "othertags" => Column::Tags,
        "id" | "gameid" | "gameno" | "gamenr" | "gamenumber" | "file" => Column::Tag(tag::ID),
        "event" | "tournament" | "match" | "competition" => Column::Tag(tag::EVENT),
        "site" | "place" | "server" | "location" => Column::Tag(tag::SITE),
        "round" => Column::Tag(tag::ROUND),
        "attackersrating" | "attackerrating" | "blackrating" | "darkrating" | "attackerselo"
        | "attackerelo" | "blackelo" | "ratingattackers" | "ratingblack" | "player1rating" => {
            Column::Tag(tag::ATTACKERS_RATING)
        }
        "defendersrating" | "defenderrating" | "whiterating" | "lightrating" | "defenderselo"
        | "defenderelo" | "whiteelo" | "ratingdefenders" | "ratingwhite" | "player2rating" => {
            Column::Tag(tag::DEFENDERS_RATING)
        }
        "timecontrol" | "timesettings" | "tempo" => Column::Tag(tag::TIME_CONTROL),
        "timeremaining" => Column::Tag(tag::TIME_REMAINING),
        "annotator" => Column::Tag(tag::ANNOTATOR),
        "compiler" => Column::Tag(tag::COMPILER),
        // pandas names the column of the index like this when it reads its own file again.
        _ if is_unnamed(&words) => Column::Nameless,
        _ => Column::Other,
    }
}

fn is_unnamed(words: &str) -> bool {
    words.strip_prefix("unnamed").is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))
}

impl Column {
    /// Returns whether the column numbers rows.
    pub(super) const fn is_number(&self) -> bool {
        matches!(self, Column::Turn | Column::Ply | Column::Number)
    }

    /// Returns whether the column has the name of a side.
    pub(super) const fn is_side(&self) -> bool {
        matches!(self, Column::Attackers | Column::Defenders)
    }

    /// Returns whether the name of the column is known.
    pub(super) const fn is_known(&self) -> bool {
        !matches!(self, Column::Other | Column::Nameless)
    }

    /// Returns the name of the tag for a value that the column's own field cannot hold; `None` for the name
    /// of the column.
    pub(super) const fn tag_name(&self) -> Option<&'static str> {
        match self {
            Column::Tag(name) => Some(name),
            Column::Attackers => Some(tag::ATTACKERS),
            Column::Defenders => Some(tag::DEFENDERS),
            Column::Game | Column::Number => Some(tag::ID),
            Column::Date => Some(tag::DATE),
            Column::Rated => Some(tag::RATED),
            Column::Result => Some("result"),
            Column::Start => Some("position"),
            Column::Variant => Some("variant"),
            Column::Rules => Some("rules"),
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
            assert_eq!(column(name), Column::AttackerCaptures);
        }
        assert_eq!(column("Round"), Column::Tag(tag::ROUND));
        assert_eq!(column("#"), Column::Number);
        assert_eq!(column("Unnamed: 0"), Column::Nameless);
        assert_eq!(column("Unnamed bay"), Column::Other);
        assert_eq!(column("WhoWon"), Column::Result);
    }
}
