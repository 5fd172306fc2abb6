//! The moves played from a position, as text.

use std::fmt::Write as _;

use tafl_corpus::{GameCounts, GameResult, VariantNameCount};
use tafl_reports::stats::Rate;
use tafl_reports::{BoardPicture, Ink, Zones, percent_text};
use taflbase::database::{ExploredPosition, TopGameSummary};

use tafl_rules::{Count, counted};
use taflbase::escape::escape;

use crate::io::{ColorMode, TextPaint};

/// Returns the moves played from a position, with the board.
pub(super) fn node(explored: &ExploredPosition, style: ColorMode) -> String {
    let mut out = String::new();
    let ExploredPosition { position, node, .. } = explored;
    let (game, variant) = (&position.game, &position.rules.variant);
    let side = variant.sides()[game.to_move()];
    let after = match position.plies.last() {
        Some(last) => format!(", after {}", last.mv.display(game.shape())),
        None => String::new(),
    };
    let head = format!("{}{after}: {side} to move", variant.name());
    style.paint(TextPaint::Bold, &escape(&head), &mut out);
    out.push('\n');
    if let Some(opening) = &explored.opening {
        let _ = writeln!(out, "{}", escape(&format!("{} ({})", opening.name, opening.source)));
    }
    let picture = BoardPicture::new(game.setup(), Zones::of(&variant.rules));
    out += &picture.to_text(if style == ColorMode::Plain { Ink::Plain } else { Ink::Ansi });
    let _ = writeln!(out, "\n{}", summary(&node.counts));
    if !explored.same_rules.is_empty() {
        let name = |named: &VariantNameCount| match &*named.variant {
            "" => format!("no name ({})", Count(named.games)),
            name => format!("{} ({})", escape(name), Count(named.games)),
        };
        let names: Vec<String> = explored.same_rules.iter().map(name).collect();
        let _ = writeln!(out, "names of these rules, counted together: {}", names.join(", "));
    }
    if node.ended > 0 {
        let _ = writeln!(out, "{} here", counted(node.ended, "game ended", "games ended"));
    }
    if !node.moves.is_empty() {
        lines(explored, style, &mut out);
    }
    if !explored.top.is_empty() {
        out.push_str("\ntop games\n");
        for top in &explored.top {
            let _ = writeln!(out, "  {}", escape(&game_line(top)));
        }
    }
    out
}

fn lines(explored: &ExploredPosition, style: ColorMode, out: &mut String) {
    let ExploredPosition { position, node, .. } = explored;
    let shape = position.game.shape();
    let mut head = String::new();
    let _ = write!(
        head,
        "\n{:<9} {:>9} {:>6}  {:<21} {:<21} {:>5} {:>6}  last",
        "move", "games", "share", "attackers won", "defenders won", "drawn", "plies"
    );
    style.paint(TextPaint::Bold, &head, out);
    out.push('\n');
    let all = node.counts.n_games().max(1) as f64;
    for line in &node.moves {
        let counts = &line.counts;
        let drawn = share(counts.with_result(GameResult::Draw), counts.n_ended());
        let plies = counts.mean_plies().map_or_else(String::new, |plies| format!("{plies:.1}"));
        let _ = write!(
            out,
            "{:<9} {:>9} {:>5}%  {:<21} {:<21} {:>5} {plies:>6}  {}",
            line.mv.display(shape).to_string(),
            Count(counts.n_games()).to_string(),
            percent_text(counts.n_games() as f64 / all, 1),
            interval(counts, GameResult::Attackers),
            interval(counts, GameResult::Defenders),
            drawn,
            counts.last_played().unwrap_or_default(),
        );
        let alike: Vec<String> = line.alike.iter().map(|mv| mv.display(shape).to_string()).collect();
        if !alike.is_empty() {
            let _ = write!(out, "  = {}", alike.join(" "));
        }
        out.push('\n');
    }
    if explored.n_left_out > 0 {
        let more = counted(explored.n_left_out as u64, "more move", "more moves");
        let _ = writeln!(out, "{more}; --limit shows them");
    }
}

/// Returns counts in a line.
pub(super) fn summary(counts: &GameCounts) -> String {
    let mut text = counted(counts.n_games(), "game", "games");
    if counts.n_ended() > 0 {
        let _ = write!(
            text,
            ": attackers won {}, defenders won {}, drawn {}",
            interval(counts, GameResult::Attackers),
            interval(counts, GameResult::Defenders),
            share(counts.with_result(GameResult::Draw), counts.n_ended())
        );
    }
    let unfinished = counts.with_result(GameResult::Unfinished);
    if unfinished > 0 {
        let _ = write!(text, "; {} unfinished", Count(unfinished));
    }
    if let Some(plies) = counts.mean_plies() {
        let _ = write!(text, "; {plies:.1} plies on average");
    }
    if let Some(last) = counts.last_played() {
        let _ = write!(text, "; last played {last}");
    }
    text
}

/// Returns the proportion of a result among games with a known result, with its interval.
fn interval(counts: &GameCounts, result: GameResult) -> String {
    Rate::of(counts.with_result(result), counts.n_ended()).map_or_else(
        || "-".to_owned(),
        |Rate { proportion, .. }| {
            let percent = |value: f64| percent_text(value, 1);
            format!(
                "{}% ({} to {})",
                percent(proportion.value),
                percent(proportion.low),
                percent(proportion.high)
            )
        },
    )
}

fn share(hits: u64, n: u64) -> String {
    if n == 0 { "-".to_owned() } else { format!("{}%", percent_text(hits as f64 / n as f64, 1)) }
}

fn game_line(top: &TopGameSummary) -> String {
    let name = |player: &Option<String>| player.clone().unwrap_or_else(|| "?".to_owned());
    let mut text = format!("{} {} - {}", top.game, name(&top.attackers), name(&top.defenders));
    if let Some(rating) = top.rating {
        let _ = write!(text, ", rated {rating}");
    }
    if let Some(date) = &top.date {
        let _ = write!(text, ", {date}");
    }
    let _ = write!(text, ", {}", top.result);
    text
}
