//! `tafl puzzles`: positions with one winning move.

mod written;

use std::collections::HashSet;
use std::io::Write as _;

use anyhow::{Context as _, bail};
use tafl_analyzer::annotate::context::limits_text;
use tafl_analyzer::annotate::puzzle::{self, Puzzle, PuzzleTerms};
use tafl_analyzer::annotate::{Annotator, Curves, Known, Settings, Thresholds, annotator::Confirm};
use tafl_rules::zobrist::CanonicalKey;
use tafl_rules::{AnyRulebook, Game, RepetitionMode, Side};

use crate::args::annotate::{PuzzleFormat, PuzzlesArgs};
use crate::command::annotate::source::{FoundGame, GameReplayWorker, Played, Source, each, threads};
use crate::command::annotate::{curves, open_log};
use crate::number::counted;
use crate::output::{Output, file_named};
use crate::target::spare;
use crate::{Exit, Io, records};

/// The verifying search looks at so many times the positions of the first one where nothing else is said.
const TIMES: u64 = 10;

/// A puzzle with where it was found.
struct Found {
    puzzle: Puzzle,
    /// The rules string.
    rules: String,
    variant: String,
    /// The game, such as `games.csv:12`.
    game: String,
    /// How many plies were played before.
    ply: usize,
    book: AnyRulebook,
}

/// Runs the command.
///
/// # Errors
///
/// Fails when the input is no corpus or the cache no cache, and when something cannot be written.
pub(crate) fn run(args: &PuzzlesArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let Some(nodes) = args.judge.limits.nodes else {
        bail!("say with --nodes how many positions the search of each ply looks at");
    };
    if !(0.0..=1.0).contains(&args.most) {
        bail!("--most is an expectation from 0 to 1");
    }
    let config = records::replay_config(&args.input.rules, io)?;
    let source = Source::new(&args.input, args.judge.query.as_deref(), io)?;
    let curves = curves(&args.judge)?;
    let log = open_log(&args.judge, source.stored(), io)?;
    let limits = args.judge.limits.limits(1);
    let settings =
        Settings { limits, thresholds: Thresholds::default(), confirm: Confirm::Nothing, prove: None };
    let annotator = Annotator::new(&settings, &curves, log.as_ref());
    let puzzle_terms = PuzzleTerms {
        nodes: args.verify.unwrap_or(nodes.saturating_mul(TIMES)),
        most_second: args.most,
        least_plies: args.least,
        ..PuzzleTerms::default()
    };
    let limits =
        format!("{}; verified by {} nodes, 2 lines", limits_text(&settings.limits), puzzle_terms.nodes);
    let mut shelf = Shelf::new(args, &annotator, &limits)?;
    let mut exit = if source.is_incomplete() { Exit::Error } else { Exit::Ok };
    let work = |worker: &mut GameReplayWorker, game: FoundGame| {
        let played = worker.replay(game)?;
        find(&played, (&annotator, &curves), &puzzle_terms)
    };
    each(
        (&source, threads(&args.input)),
        io,
        || GameReplayWorker::new(&config),
        work,
        |io, found| {
            match found {
                Ok(found) => shelf.take(found, io)?,
                Err(trouble) => {
                    io.error(&trouble.text);
                    exit = exit.and(Exit::Error);
                }
            }
            io.progress(&shelf.sentence());
            Ok(())
        },
    )?;
    io.notice(&shelf.sentence());
    shelf.finish()?;
    Ok(exit)
}

/// Where puzzles go, each once.
struct Shelf<'a> {
    format: PuzzleFormat,
    annotator: &'a Annotator<'a>,
    limits: &'a str,
    /// The file; standard output without one.
    output: Option<Output>,
    seen: HashSet<(String, CanonicalKey)>,
    games: u64,
}

impl<'a> Shelf<'a> {
    fn new(args: &PuzzlesArgs, annotator: &'a Annotator<'a>, limits: &'a str) -> anyhow::Result<Shelf<'a>> {
        let path = file_named(args.output.as_deref());
        spare(&[path], &args.input.paths)?;
        let output = Output::begin(path)?;
        Ok(Shelf { format: args.format, annotator, limits, output, seen: HashSet::new(), games: 0 })
    }

    /// Writes the puzzles of a game that no game before had: that is the same with any number of threads.
    fn take(&mut self, found: Vec<Found>, io: &mut Io<'_>) -> anyhow::Result<()> {
        self.games += 1;
        for found in found {
            if !self.seen.insert((found.rules.clone(), found.puzzle.key)) {
                continue;
            }
            let engine = self.annotator.engine(&found.book);
            let text = match self.format {
                PuzzleFormat::Text => written::text(&found),
                PuzzleFormat::Jsonl => written::json(&found, &engine, self.limits),
                PuzzleFormat::Otn => written::otn(&found, &engine, self.limits)?,
            };
            match &mut self.output {
                Some(output) => output.write_all(text.as_bytes()).context("the output cannot be written")?,
                None => io.print(&text)?,
            }
        }
        Ok(())
    }

    fn sentence(&self) -> String {
        let puzzles = counted(self.seen.len() as u64, "puzzle", "puzzles");
        format!("{puzzles} in {}", counted(self.games, "game", "games"))
    }

    fn finish(self) -> anyhow::Result<()> {
        self.output.map_or(Ok(()), Output::finish).context("the output cannot be written")
    }
}

/// Returns the puzzles of a game. Of a win that a side has for several moves on end, only the first position is tried.
fn find(
    played: &Played,
    (annotator, curves): (&Annotator<'_>, &Curves),
    terms: &PuzzleTerms,
) -> anyhow::Result<Vec<Found>> {
    let (Some(rules), Some(start), Some(first)) =
        (played.judged.replay.rules.clone(), played.start(), played.first())
    else {
        return Ok(Vec::new());
    };
    let Ok(mut game) = Game::from_setup(&rules.book, &start, first, RepetitionMode::Report) else {
        return Ok(Vec::new());
    };
    let curve = curves.of(rules.variant);
    let mut found = Vec::new();
    let mut winning: Option<Side> = None;
    for (nth, (mv, side)) in played.plies().iter().enumerate() {
        game.resume();
        if game.to_move() != *side {
            game.set_to_move(*side);
        }
        let wins = match annotator.evaluate(&rules.book, &game)? {
            Known::Searched(evaluation) => {
                let score = evaluation.score().for_side(*side);
                score.distance().filter(|_| score.value() > 0)
            }
            Known::Ended(_) | Known::NotSearched(_) => None,
        };
        let is_new = winning != Some(*side);
        match wins {
            Some(plies) if is_new && plies >= terms.least_plies => {
                winning = Some(*side);
                if let Some(puzzle) = puzzle::find(&rules.book, (&game.setup(), *side), curve, terms)? {
                    found.push(Found {
                        puzzle,
                        rules: rules.book.rules().to_string(),
                        variant: played.judged.variant().to_owned(),
                        game: played.name(),
                        ply: nth,
                        book: rules.book.clone(),
                    });
                }
            }
            Some(_) => winning = Some(*side),
            None if winning == Some(*side) => winning = None,
            None => {}
        }
        if game.play(*mv).is_err() {
            break;
        }
    }
    Ok(found)
}
