//! A game of a file as a row of frames.

use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use tafl_parser::{Diagnostic, Parsed, ReadOptions, Record, Records, Severity, tag};
use tafl_reports::board::{Captured, Frame, Highlight, HighlightKind, LegendEntry, Marks, Zones};
use tafl_rules::{EndCell, Explanation, Game, RepetitionMode, explain_ply};
use taflbase::records::{Input, ReplayWorker, ReplayedRecord};

use super::Shown;
use crate::args::board::ShowArgs;
use crate::target::spare;
use crate::{Exit, Io, records};

/// Returns the frames of a game up to the ply that is asked for: all of them for a moving picture, else the last.
pub(super) fn frames(name: &str, args: &ShowArgs, io: &mut Io<'_>) -> anyhow::Result<Shown> {
    let (path, which) = split(name);
    spare(&[super::output(args)], std::slice::from_ref(&path))?;
    let mut worker = ReplayWorker::new(&records::replay_config(&args.variant, io)?);
    let parsed = find((&path, &which), args, &mut worker, io)?;
    let replayed = worker.replay(parsed);
    let Some(rules) = replayed.replay.rules.clone() else {
        bail!("the rules of this game are not known; name them with --variant");
    };
    let n_plies = replayed.replay.plies.len();
    let until = args.ply.unwrap_or(n_plies);
    if until > n_plies {
        bail!("{} has {n_plies} plies that can be played, not {until}", path.display());
    }
    let first = if args.animate { 0 } else { until };
    let frames = play(&replayed, first..=until)?;
    Ok(Shown { frames, zones: Zones::of(rules.book.rules()), exit: complain(&replayed, args, io) })
}

/// Which game of a file is meant.
enum Which {
    /// The first one.
    First,
    /// The one of this number, counted from 1, or of this id.
    Named(String),
}

/// Splits `games.otg:3`. A file that has this very name is meant as it is.
fn split(name: &str) -> (PathBuf, Which) {
    match name.rsplit_once(':') {
        Some((path, game))
            if !Path::new(name).exists() && !game.is_empty() && !game.contains(['/', '\\']) =>
        {
            (path.into(), Which::Named(game.to_owned()))
        }
        Some(_) | None => (name.into(), Which::First),
    }
}

/// Returns a record of a file, and prepares the worker for it.
fn find(
    (path, which): (&Path, &Which),
    args: &ShowArgs,
    worker: &mut ReplayWorker,
    io: &mut Io<'_>,
) -> anyhow::Result<Parsed<Record>> {
    let input = if path == Path::new("-") { Input::Stdin } else { Input::Named(path.to_owned()) };
    let shown = path.display().to_string();
    let bytes: Box<dyn std::io::Read + Send + '_> = match input.path() {
        Some(path) => {
            Box::new(File::open(path).map_err(|error| anyhow!("{shown}: {error}{}", misplaced(&shown)))?)
        }
        None => Box::new(io.take_stdin()),
    };
    let options = ReadOptions { format: args.notation, ..ReadOptions::default() };
    let mut records = Records::new(&input.name(), bytes, options).with_context(|| shown.clone())?;
    let mut count = 0;
    while let Some(batch) = records.next_batch().with_context(|| shown.clone())? {
        for (source, parsed) in batch.parse() {
            count += 1;
            let is_it = match which {
                Which::First => true,
                Which::Named(game) => {
                    game.parse() == Ok(source.ordinal) || parsed.value.tag(tag::ID) == Some(game.as_str())
                }
            };
            if is_it {
                worker.enter(&batch);
                return Ok(parsed);
            }
        }
    }
    match (which, count) {
        (_, 0) => bail!("{shown}: there is no record that could be read"),
        (Which::Named(game), 1) => bail!("{shown} has no game `{game}`; it has one game"),
        (Which::Named(game), _) => bail!("{shown} has no game `{game}`; it has {count} games"),
        (Which::First, _) => bail!("{shown} has no game"),
    }
}

/// Returns what to add where no file is called so, but one is without the part behind the last colon.
fn misplaced(shown: &str) -> &'static str {
    let is_place = shown.rsplit_once(':').is_some_and(|(file, _)| Path::new(file).exists());
    if is_place { "; FILE:GAME names one game of a file, --ply N a moment of it" } else { "" }
}

/// Says that a game was shown only in part or differs from its record.
fn complain(replayed: &ReplayedRecord, args: &ShowArgs, io: &mut Io<'_>) -> Exit {
    let played = replayed.replay.plies.len();
    let written = replayed.record.main().moves.len();
    if played < written && args.ply.is_none() {
        let error = replayed.diagnostics.iter().find(|found| found.severity() == Severity::Error);
        let code = error.map_or_else(String::new, |found| format!(" ({})", Diagnostic::code(found).text()));
        io.error(&format!("only {played} of {written} plies can be played{code}; `tafl validate` says why"));
        return Exit::Findings;
    }
    Exit::Ok
}

/// Plays a game again and returns the frames of a range of plies; 0 is the start.
fn play(replayed: &ReplayedRecord, range: std::ops::RangeInclusive<usize>) -> anyhow::Result<Vec<Frame>> {
    let rules = replayed.replay.rules.as_ref().context("the rules are known")?;
    let start = replayed.record.start.as_ref().map(|start| &start.setup);
    let start =
        start.filter(|setup| setup.shape() == rules.book.shape()).unwrap_or(&rules.book.rules().start);
    let to_move = replayed.record.first_mover.unwrap_or(rules.book.rules().first_mover);
    let mut game = Game::from_setup(&rules.book, start, to_move, RepetitionMode::Report)?;
    let title = title(replayed);
    let mut frames = Vec::new();
    let begin = Frame { caption: Some(format!("{title}\nStart")), ..Frame::new(game.setup()) };
    frames.extend(range.contains(&0).then_some(begin));
    let mut turn = Marks::default();
    let mut goes_on = false;
    for (ply, number) in replayed.replay.plies.iter().zip(1..=*range.end()) {
        if game.to_move() != ply.side {
            game.set_to_move(ply.side);
        }
        game.resume();
        let told = explain_ply(&game, ply.mv).ok();
        let fallen = ply.captured.iter().map(|cell| Captured { cell, piece: game.piece(cell) }).collect();
        turn = if goes_on { turn } else { Marks::default() };
        turn.moves.push(ply.mv);
        turn.captured.extend::<Vec<Captured>>(fallen);
        goes_on = ply.goes_on;
        if game.play(ply.mv).is_err() {
            break;
        }
        if range.contains(&number) {
            let is_last = number == replayed.replay.plies.len();
            let caption = format!("{title}\n{}", caption(replayed, number));
            let marks = told.filter(|_| is_last).map_or_else(|| turn.clone(), |told| ending(&turn, &told));
            frames.push(Frame { marks, caption: Some(caption), ..Frame::new(game.setup()) });
        }
    }
    Ok(frames)
}

/// `Red - Blue, copenhagen11`.
fn title(replayed: &ReplayedRecord) -> String {
    let player = |name: &str| replayed.record.tag(name).filter(|player| !player.is_empty());
    let variant = replayed.variant();
    match (player(tag::ATTACKERS), player(tag::DEFENDERS)) {
        (None, None) => variant.to_owned(),
        (attackers, defenders) => {
            format!("{} - {}, {variant}", attackers.unwrap_or("?"), defenders.unwrap_or("?"))
        }
    }
}

/// `ply 12 of 31: f4-f7xf8`.
fn caption(replayed: &ReplayedRecord, number: usize) -> String {
    let plies = &replayed.replay.plies;
    let ply = &plies[number - 1];
    let Some(shape) = replayed.shape() else { return String::new() };
    let captures: String = ply.captured.iter().map(|cell| format!("x{}", shape.name(cell))).collect();
    let mut caption =
        format!("Ply {number} of {}, {}: {}{captures}", plies.len(), ply.side, ply.mv.text(shape));
    if let Some(result) = replayed.replay.result().filter(|_| number == plies.len()) {
        caption.push_str(&format!("\n{result}"));
    }
    caption
}

/// Adds the cells that show the end of the game.
fn ending(turn: &Marks, told: &Explanation) -> Marks {
    let mut marks = turn.clone();
    let mut texts: Vec<(HighlightKind, &str)> = Vec::new();
    let cells = told.end.iter().flat_map(|end| &end.cells);
    // A king alone on his goal needs no explanation.
    let cells = cells.filter(|_| told.end.iter().any(|end| end.cells.len() > 1));
    for (cell, what) in cells {
        let (kind, text) = match what {
            EndCell::King => (HighlightKind::Note, "the king"),
            EndCell::Inside => (HighlightKind::Room, "inside the fort"),
            EndCell::Wall => (HighlightKind::Wall, "the wall of the fort"),
            EndCell::Ring => (HighlightKind::Wall, "the ring"),
        };
        marks.highlights.push(Highlight::new(*cell, kind));
        if !texts.iter().any(|(known, _)| *known == kind) {
            texts.push((kind, text));
        }
    }
    marks.legend =
        texts.into_iter().map(|(kind, text)| LegendEntry { kind, text: text.to_owned() }).collect();
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_of_a_file_is_named_behind_a_colon() {
        let parts = |name: &str| {
            let (path, which) = split(name);
            let which = match which {
                Which::First => String::new(),
                Which::Named(game) => game,
            };
            (path.display().to_string(), which)
        };
        assert_eq!(parts("games.otg:3"), ("games.otg".into(), "3".into()));
        assert_eq!(parts("games.otg"), ("games.otg".into(), String::new()));
        assert_eq!(parts("C:\\games.otg").1, "");
        assert_eq!(parts("a:b/games.otg").1, "");
    }
}
