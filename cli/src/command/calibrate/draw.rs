//! Draws positions of a game and has them evaluated.

use tafl_analyzer::annotate::Annotator;
use tafl_analyzer::annotate::calibrate::CalibrationSample;
use tafl_analyzer::annotate::expect::Phase;
use tafl_rules::Rng;
use tafl_rules::{Game, RepetitionMode, Side};

use super::Drawn;
use crate::args::annotate::CalibrateArgs;
use crate::command::annotate::source::Played;

/// Draws positions of a finished game; none of an unfinished one, or where the rules are not known.
///
/// Which plies are drawn depends on the seed and on the moves of the game alone. The position before each of them is taken.
///
/// # Errors
///
/// Fails when the cache cannot be read or written, or the limits allow nothing.
pub(super) fn draw(played: Played, annotator: &Annotator<'_>, args: &CalibrateArgs) -> anyhow::Result<Drawn> {
    let variant = played.judged.variant().to_owned();
    let result = played.judged.replay.result();
    let mut drawn =
        Drawn { variant, engine: String::new(), samples: Vec::new(), is_finished: result.is_some() };
    let (Some(rules), Some(start), Some(first), Some(outcome)) =
        (played.judged.replay.rules.clone(), played.start(), played.first(), result)
    else {
        return Ok(drawn);
    };
    let result = match outcome.winner {
        Some(Side::Attackers) => 1.0,
        Some(Side::Defenders) => 0.0,
        None => 0.5,
    };
    let plies = played.plies();
    let chosen = choose(
        &plies.iter().map(|(mv, _)| mv.from.index() as u64 * 512 + mv.to.index() as u64).collect::<Vec<_>>(),
        args,
    );
    let Ok(mut game) = Game::from_setup(&rules.book, &start, first, RepetitionMode::Report) else {
        return Ok(drawn);
    };
    drawn.engine = annotator.engine(&rules.book);
    for (nth, (mv, side)) in plies.iter().enumerate() {
        game.resume();
        if game.to_move() != *side {
            game.set_to_move(*side);
        }
        if chosen.contains(&nth)
            && let Some(score) = super::score(&annotator.evaluate(&rules.book, &game)?)
        {
            let phase = Phase::of(&start, &game.setup(), nth as u32);
            drawn.samples.push(CalibrationSample { game: 0, to_move: *side, score, phase, result });
        }
        if game.play(*mv).is_err() {
            break;
        }
    }
    Ok(drawn)
}

/// Returns which plies of a game are drawn, each at most once.
fn choose(moves: &[u64], args: &CalibrateArgs) -> Vec<usize> {
    let mut state = moves.iter().fold(args.seed, |state, mv| Rng::new(state ^ mv).next_u64());
    let mut left: Vec<usize> = (0..moves.len()).collect();
    let mut chosen = Vec::new();
    while chosen.len() < args.per_game as usize && !left.is_empty() {
        state = Rng::new(state).next_u64();
        let at = ((u128::from(state) * left.len() as u128) >> 64) as usize;
        chosen.push(left.swap_remove(at));
    }
    chosen
}
