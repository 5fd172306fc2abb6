//! Queries on a corpus, and their response times.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use anyhow::Context;
use tafl_corpus::query::Query;
use tafl_corpus::{
    CancelCheck, Corpus, CountEffort, Explorer, GameSubset, HitUnit, Orientation, PageRequest, QueryPosition,
    Searcher,
};
use tafl_rules::{AnyRulebook, Coord, Event, Game, RepetitionMode, Rng, RuleSet, Setup, Side};

use super::ResultLine;
use crate::options::Options;
use crate::timing::{Elapsed, timed};

/// The maximum duration of the queries of a kind.
const LONGEST: Duration = Duration::from_secs(25);

/// A position of a game of the corpus.
struct Sample {
    setup: Setup,
    to_move: Side,
    setup_rules: String,
}

/// The origin of the positions.
#[derive(Clone, Copy)]
enum Part {
    /// Any ply.
    Games,
    /// The first 14 plies.
    Openings,
}

struct QuerySampler<'c> {
    corpus: &'c Corpus,
    rng: Rng,
    books: HashMap<String, AnyRulebook>,
}

/// A kind of query.
struct QueryKind {
    name: &'static str,
    part: Part,
    /// The number of queries in a round.
    n: usize,
    subject: Subject,
}

/// The subject of a query.
#[derive(Clone, Copy)]
enum Subject {
    /// The occurrences of a position.
    Exact(CountEffort),
    /// The occurrences of the contents of six cells.
    Six(Cells, CountEffort),
    /// The moves played from a position.
    Node,
}

/// The choice of the six cells.
#[derive(Clone, Copy)]
enum Cells {
    /// Cells that differ from the start, on the whole board in any orientation.
    Changed,
    /// Cells with the same piece as at the start, on the whole board in any orientation.
    AsAtStart,
    /// Two rows of three cells, at any place.
    Block,
}

const KINDS: [QueryKind; 9] = [
    kind("position, first 10 hits", Part::Games, 200, Subject::Exact(CountEffort::Page)),
    kind("position, all hits counted", Part::Games, 200, Subject::Exact(CountEffort::Exact)),
    kind("position of an opening, all hits counted", Part::Openings, 50, Subject::Exact(CountEffort::Exact)),
    kind("6 changed cells, all hits", Part::Games, 20, Subject::Six(Cells::Changed, CountEffort::Exact)),
    kind(
        "6 cells as at the start, first 10",
        Part::Games,
        10,
        Subject::Six(Cells::AsAtStart, CountEffort::Page),
    ),
    kind(
        "6 cells as at the start, all hits",
        Part::Games,
        2,
        Subject::Six(Cells::AsAtStart, CountEffort::Exact),
    ),
    kind("2x3 cells anywhere, all hits", Part::Games, 10, Subject::Six(Cells::Block, CountEffort::Exact)),
    kind("explorer, any position", Part::Games, 200, Subject::Node),
    kind("explorer, openings", Part::Openings, 200, Subject::Node),
];

const fn kind(name: &'static str, part: Part, n: usize, subject: Subject) -> QueryKind {
    QueryKind { name, part, n, subject }
}

/// Runs all queries with the files in memory.
pub(super) fn warm(corpus: &Corpus, options: &Options) -> anyhow::Result<Vec<ResultLine>> {
    let (explorer, took) = timed(|| Explorer::open(corpus));
    let explorer = explorer?;
    let mut lines = vec![ResultLine::times("explorer opened", &[took])];
    let searcher = Searcher::open(corpus, options.threads());
    let mut sampler = QuerySampler { corpus, rng: Rng::new(options.seed), books: HashMap::new() };
    for kind in &KINDS {
        options.progress(kind.name);
        // Some warm-up queries load files into memory and compile rules.
        let n = kind.n * options.rounds as usize;
        sampler.run(kind, n / 10 + 1, (&explorer, &searcher))?;
        let times = sampler.run(kind, n, (&explorer, &searcher))?;
        lines.push(ResultLine::times(kind.name, &times));
    }
    let slow = sampler.nodes_without_tables(&explorer)?;
    lines.push(ResultLine::times("explorer, openings, without its tables", &slow));
    Ok(lines)
}

/// Runs some queries of each kind, each with files that are not in memory.
pub(super) fn cold(
    corpus: &Corpus,
    options: &Options,
    forget: fn() -> std::io::Result<()>,
) -> anyhow::Result<Vec<ResultLine>> {
    let mut lines = Vec::new();
    let mut sampler = QuerySampler { corpus, rng: Rng::new(options.seed ^ 1), books: HashMap::new() };
    for kind in &KINDS {
        options.progress(&format!("cold: {}", kind.name));
        let mut times = Vec::new();
        for _ in 0..5 {
            forget().context("the file cache cannot be dropped")?;
            let fresh = Corpus::open(corpus.path())?;
            let (explorer, searcher) = (Explorer::open(&fresh)?, Searcher::open(&fresh, options.threads()));
            times.extend(sampler.run(kind, 1, (&explorer, &searcher))?);
        }
        lines.push(ResultLine::times(&format!("cold: {}", kind.name), &times));
    }
    Ok(lines)
}

impl QuerySampler<'_> {
    /// Runs queries and returns their durations.
    fn run(
        &mut self,
        kind: &QueryKind,
        n: usize,
        (explorer, searcher): (&Explorer, &Searcher),
    ) -> anyhow::Result<Vec<Elapsed>> {
        let begun = Instant::now();
        let mut times = Vec::new();
        while times.len() < n && begun.elapsed() < LONGEST {
            let Some(sample) = self.sample(kind.part)? else { continue };
            let effort = match kind.subject {
                Subject::Node => {
                    let (game, book) = self.game(&sample)?;
                    let ask = || {
                        let position = QueryPosition::new(&game, &book, Orientation::Folded);
                        explorer.position(&position, GameSubset::All, CancelCheck::NEVER)
                    };
                    let (node, took) = timed(ask);
                    node?;
                    times.push(took);
                    continue;
                }
                Subject::Exact(effort) | Subject::Six(_, effort) => effort,
            };
            let text = match kind.subject {
                Subject::Six(cells, _) => match self.six(cells, &sample)? {
                    Some(text) => text,
                    None => continue,
                },
                Subject::Exact(_) | Subject::Node => format!("position \"{}\"", sample.setup),
            };
            let (answer, took) = timed(|| -> anyhow::Result<_> {
                let query = Query::parse(&text).with_context(|| text.clone())?;
                let page = PageRequest { unit: HitUnit::Position, offset: 0, limit: 10, effort };
                Ok(searcher.page(&query, page, CancelCheck::NEVER)?)
            });
            let answer = answer?;
            times.push(took);
            anyhow::ensure!(answer.total.number() > 0, "{text} was taken from the corpus and is not found");
        }
        Ok(times)
    }

    /// Counts the moves of openings by replay of every game, and compares them with those of the tables.
    fn nodes_without_tables(&mut self, explorer: &Explorer) -> anyhow::Result<Vec<Elapsed>> {
        let begun = Instant::now();
        let mut times = Vec::new();
        while times.len() < 100 && begun.elapsed() < LONGEST {
            let Some(sample) = self.sample(Part::Openings)? else { continue };
            let (game, book) = self.game(&sample)?;
            let position = QueryPosition::new(&game, &book, Orientation::Folded);
            let fast = explorer.position(&position, GameSubset::All, CancelCheck::NEVER)?;
            let (slow, took) =
                timed(|| explorer.position(&position, GameSubset::AllByReplay, CancelCheck::NEVER));
            times.push(took);
            anyhow::ensure!(slow? == fast, "the explorer's tables differ from the games: {}", sample.setup);
        }
        Ok(times)
    }

    /// Returns a position of a random game; `None` inside a chain of captures.
    fn sample(&mut self, part: Part) -> anyhow::Result<Option<Sample>> {
        let segments = self.corpus.segments();
        let segment = &segments[self.rng.below(segments.len())];
        let move_log = segment.move_log()?;
        let game = self.rng.below(move_log.n_games() as usize) as u32;
        let entry = move_log.entry(game);
        let most = match part {
            Part::Games => entry.n_plies,
            Part::Openings => entry.n_plies.min(14),
        };
        let ply = self.rng.below(most as usize + 1) as u32;
        let mut cursor = move_log.cursor(game)?;
        while cursor.state().ply < ply && cursor.advance()? {}
        let ply_state = cursor.state();
        if ply_state.facts.events.contains(Event::ChainGoesOn) {
            return Ok(None);
        }
        let setup_rules = move_log.game_setups()[usize::from(entry.game_setup)].rules.clone();
        Ok(Some(Sample { setup: ply_state.setup(), to_move: ply_state.to_move, setup_rules }))
    }

    fn book(&mut self, rules: &str) -> anyhow::Result<AnyRulebook> {
        if let Some(book) = self.books.get(rules) {
            return Ok(book.clone());
        }
        let read: RuleSet = rules.parse().map_err(|error| anyhow::anyhow!("{rules}: {error}"))?;
        let book = AnyRulebook::compile(&read)?;
        self.books.insert(rules.to_owned(), book.clone());
        Ok(book)
    }

    fn game(&mut self, sample: &Sample) -> anyhow::Result<(Game, AnyRulebook)> {
        let book = self.book(&sample.setup_rules)?;
        let game = Game::from_setup(&book, &sample.setup, sample.to_move, RepetitionMode::Report)?;
        Ok((game, book))
    }

    /// Returns a query for six cells of a position; `None` if it has no such cells.
    fn six(&mut self, cells: Cells, sample: &Sample) -> anyhow::Result<Option<String>> {
        let start = self.book(&sample.setup_rules)?.rules().start.clone();
        let (setup, shape) = (&sample.setup, sample.setup.shape());
        if let Cells::Block = cells {
            let middle = shape.n_ranks() as usize;
            let corner = Coord::new(self.rng.below(middle) as i16, self.rng.below(middle) as i16);
            let at = |file: i16, rank: i16| shape.cell(Coord::new(corner.file + file, corner.rank + rank));
            let mut rows = Vec::new();
            for rank in 0..2 {
                let row: Option<Vec<_>> = (0..3).map(|file| at(file, rank)).collect();
                let Some(row) = row else { return Ok(None) };
                rows.push(row.into_iter().map(|cell| letter(setup, cell)).collect::<String>());
            }
            let n_pieces = rows.iter().flat_map(|row| row.chars()).filter(|letter| *letter != '.').count();
            return Ok((n_pieces >= 2).then(|| format!("pattern \"{}\"", rows.join("/"))));
        }
        let wants_change = matches!(cells, Cells::Changed);
        let is_fit = |cell: &tafl_rules::Cell| {
            let is_piece = setup.piece(*cell).is_some() || wants_change;
            is_piece && (setup.piece(*cell) != start.piece(*cell)) == wants_change
        };
        let mut fitting: Vec<_> = shape.cells().filter(is_fit).collect();
        let mut chosen = Vec::new();
        while chosen.len() < 6 && !fitting.is_empty() {
            chosen.push(fitting.swap_remove(self.rng.below(fitting.len())));
        }
        if chosen.len() < 6 {
            return Ok(None);
        }
        let mut text = String::from("pattern board \"");
        let mut rank = 0;
        for cell in shape.cells() {
            if shape.coord(cell).rank != rank {
                rank = shape.coord(cell).rank;
                text.push('/');
            }
            text.push(if chosen.contains(&cell) { letter(setup, cell) } else { '?' });
        }
        write!(text, "\"").context("text can be written")?;
        Ok(Some(text))
    }
}

fn letter(setup: &Setup, cell: tafl_rules::Cell) -> char {
    setup.piece(cell).map_or('.', |piece| piece.letter())
}
