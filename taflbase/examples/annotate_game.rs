//! Annotates a game: prints each ply with its judgment, the expected score of the attackers, and a remark.
//!
//! ```text
//! cargo run --release --example annotate_game -- games/copenhagen.otg
//! ```

use taflbase::engine::{AnnotateItem, AnnotateRequest, GameInput, OnGames, remarks};
use taflbase::rules::Side;
use taflbase::{App, Job, StreamRequest};

fn main() -> taflbase::Result<()> {
    let paths = std::env::args().skip(1).map(Into::into).collect();
    let mut request = AnnotateRequest::default();
    // A limit of positions, unlike one of time, gives the same answer on every machine.
    request.evaluation.limits.nodes = Some(20_000);
    let games = OnGames { games: GameInput { paths, ..GameInput::default() }, request };

    let job = Job::default().with_progress(|progress| eprintln!("{} {}", progress.done, progress.unit));
    let totals = games.run(&App::new(), &job, &mut |item| {
        match item {
            AnnotateItem::Game(game) => {
                println!("{}", game.game.name());
                for (nth, ply) in game.notes.plies.iter().enumerate() {
                    let (before, after) = (&game.notes.positions[nth], &game.notes.positions[nth + 1]);
                    let mv = format!("{}{}", ply.mv.display(game.shape()), ply.judgement.sign());
                    let expected = remarks::expected(after, Side::Attackers);
                    let remark = remarks::remark(game.shape(), ply, before);
                    println!("{:>4}  {:<9}  {mv:<9}  {expected:>6}  {remark}", nth + 1, ply.side.as_str());
                }
                if let Some(decided) = remarks::decided(&game.notes, game.shape()) {
                    println!("{decided}");
                }
            }
            AnnotateItem::UnknownRules(game) => eprintln!("{}: {}", game.name(), game.obstacle()),
            AnnotateItem::Failed(failure) => eprintln!("{}", failure.message),
        }
        Ok(())
    })?;
    println!("{} games, {} plies", totals.games, totals.plies());
    Ok(())
}
