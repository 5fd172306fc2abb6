//! The table of evaluations.

use tafl_rules::Side;
use xxhash_rust::xxh3::xxh3_64;

use super::{CellValue, ColumnType, ColumnUsage, ColumnValue, SharedTexts, TableColumn};
use crate::id::GameId;

/// The engine of evaluations and its settings: rows of different runs never mix.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EvalRun {
    /// The engine: name, version, parameters, weights.
    pub engine: String,
    /// The limits of each search.
    pub limits: String,
    /// The curves and thresholds.
    pub curves: String,
}

impl EvalRun {
    /// Returns the name of the run: sixteen hexadecimal digits.
    pub fn id(&self) -> String {
        let text = format!("{}\n{}\n{}", self.engine, self.limits, self.curves);
        format!("{:016x}", xxh3_64(text.as_bytes()))
    }
}

/// A column of the table of evaluations.
#[derive(Debug, Clone, Copy)]
pub struct EvalColumn {
    /// The name, type, and meaning.
    pub field: TableColumn,
    /// Returns the value of a row of a run.
    pub get: for<'r> fn(&'r EvalRun, &'r EvalRow) -> CellValue<'r>,
    /// Reads the value of a table; returns `false` if it is not usable.
    pub(crate) read: fn(&mut EvalRun, &mut EvalRow, &CellValue<'_>) -> bool,
}

/// The words of [`EvalRow::ended`] and [`EvalRow::judgement`].
const WORDS: &[&str] = &["attackers", "defenders", "draw", "good", "inaccuracy", "mistake", "blunder"];

impl ColumnValue for Option<&'static str> {
    const KIND: ColumnType = ColumnType::Text;

    fn empty() -> Self {
        None
    }

    fn value(&self) -> CellValue<'_> {
        self.map_or(CellValue::None, CellValue::Text)
    }

    fn read(&mut self, value: &CellValue<'_>, _texts: &mut SharedTexts) -> bool {
        *self = WORDS.iter().copied().find(|word| Some(*word) == value.as_text());
        !matches!(value, CellValue::Number(_))
    }
}

/// Declares the columns: first the name of the run, then what each row has, then what the run has.
macro_rules! evals {
    (
        #[doc = $id_doc:literal]
        $id:ident;
        row { $( #[doc = $doc:literal] $name:ident: $type:ty; )* }
        run { $( #[doc = $run_doc:literal] $part:ident; )* }
    ) => {
        /// The evaluation of a ply. Scores and expectations are the attackers'.
        #[derive(Debug, Clone, PartialEq)]
        pub struct EvalRow {
            $( #[doc = $doc] pub $name: $type, )*
        }

        /// Returns a row without values.
        impl Default for EvalRow {
            fn default() -> EvalRow {
                EvalRow { $( $name: ColumnValue::empty(), )* }
            }
        }

        /// The columns of the table of evaluations, in order.
        pub static EVALS: &[EvalColumn] = &[
            EvalColumn {
                field: text_field(stringify!($id), $id_doc),
                get: |run, _| CellValue::Owned(run.id()),
                read: |_, _, value| value.as_text().is_some(),
            },
            $( EvalColumn {
                field: TableColumn {
                    name: stringify!($name),
                    kind: <$type as ColumnValue>::KIND,
                    usage: ColumnUsage::None,
                    doc: $doc,
                },
                get: |_, row| row.$name.value(),
                read: |_, row, value| row.$name.read(value, &mut SharedTexts::default()),
            }, )*
            $( EvalColumn {
                field: text_field(stringify!($part), $run_doc),
                get: |run, _| CellValue::Text(&run.$part),
                read: |run, _, value| value.as_text().map(|text| text.clone_into(&mut run.$part)).is_some(),
            }, )*
        ];
    };
}

const fn text_field(name: &'static str, doc: &'static str) -> TableColumn {
    TableColumn { name, kind: ColumnType::Text, usage: ColumnUsage::None, doc }
}

evals! {
    /// The run: engine, limits, curves and thresholds as sixteen hexadecimal digits.
    run;
    row {
        /// The ID of the game.
        game: GameId;
        /// The number of the ply in its game, from 1; all plies after 65535 have this number, too.
        ply: u16;
        /// The side that moved: `attackers` or `defenders`.
        side: Side;
        /// The attackers' score before the ply, in hundredths of a man; null where a win was found.
        score_before: Option<i16>;
        /// Their score after the ply.
        score_after: Option<i16>;
        /// The number of plies in which the attackers win from the position before; negative if the defenders win.
        win_before: Option<i16>;
        /// The same from the position after the ply.
        win_after: Option<i16>;
        /// The result, if the ply ended the game: `attackers`, `defenders` or `draw`; otherwise null.
        ended: Option<&'static str>;
        /// The expectation of the attackers before the ply, from 0 to 1.
        expected_before: Option<f64>;
        /// Their expectation after it.
        expected_after: Option<f64>;
        /// The expectation that the mover lost, from 0 to 1; null if it is unknown.
        loss: Option<f64>;
        /// `good`, `inaccuracy`, `mistake` or `blunder`; null if it is unknown.
        judgement: Option<&'static str>;
        /// The engine's move, such as `d4-d1`; if it declines to continue a chain, the reply of the other side.
        best: Option<String>;
        /// The depth of the search before the ply, in plies.
        depth: Option<u16>;
    }
    run {
        /// The engine: name, version, parameters, weights.
        engine;
        /// The limits of each search.
        limits;
        /// The curves and thresholds.
        curves;
    }
}
