//! `tafl match`: players against each other.

use std::ops::ControlFlow;

use anyhow::{Context, bail};
use serde_json::{Value, json};
use tafl_analyzer::Limits;
use tafl_analyzer::play::{
    Fault, Opening, Openings, Pair, PairSetup, Players, Sprt, SprtVerdict, Terms, openings_of, play_pairs,
};
use tafl_rules::{AnyRulebook, Move, Side};

use crate::args::play::{MatchArgs, OnFault};
use crate::args::rules::TextFormat;
use crate::exit::Said;
use crate::games;
use crate::output::Output;
use crate::play::note::{GameNote, PairNote};
use crate::play::record::{self, Heading};
use crate::play::spec::PlayerSpec;
use crate::play::state::State;
use crate::play::summary::Tally;
use crate::target::spare;
use crate::variant::variant_named;
use crate::{Exit, Io};
use taflbase::Variant;
use taflbase::engine::move_limits_text as words;
use taflbase::records::ReplayedRecord;

/// A match: who plays, by which rules, from where.
struct Match<'a> {
    args: &'a MatchArgs,
    players: [PlayerSpec; 2],
    limits: Limits,
    sprt: Option<Sprt>,
    fields: Vec<Field>,
}

/// A variant of a match.
struct Field {
    variant: Variant,
    book: AnyRulebook,
    openings: Vec<Opening>,
}

/// Runs the command.
///
/// # Errors
///
/// Fails when there are no such players or rules, a file cannot be read or written, or a program not be started.
pub(crate) fn run(args: &MatchArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    spare(&[args.output.as_deref(), args.resume.as_deref()], &args.openings)?;
    let game = Match::of(args, io)?;
    let output = Output::begin(args.output.as_deref())?;
    let mut state = State::<PairNote>::open(args.resume.as_deref(), game.asked())?;
    game.play(&mut state, io)?;
    let wanted = usize::try_from(args.pairs).unwrap_or(usize::MAX);
    let pairs = &state.played[..state.played.len().min(wanted)];
    if let (Some(output), Some(path)) = (output, &args.output) {
        output.complete(game.records(pairs)?.as_bytes()).with_context(|| path.display().to_string())?;
    }
    match args.format {
        TextFormat::Json => io.print(&format!("{:#}\n", game.json(pairs)))?,
        TextFormat::Text => io.print(&game.text(pairs))?,
    }
    let is_clean = !pairs.iter().any(PairNote::has_fault);
    Ok(if is_clean { Exit::Ok } else { Exit::Findings })
}

impl<'a> Match<'a> {
    fn of(args: &'a MatchArgs, io: &mut Io<'_>) -> anyhow::Result<Match<'a>> {
        let player = |text: &str| PlayerSpec::read(text);
        let players = [player(&args.first)?, player(&args.second)?];
        let sprt = args.sprt.map(|elos| Sprt::new(elos, args.errors)).transpose()?;
        let n_variants = args.variant.len() as u64;
        let games = games_of(args, io)?;
        let mut fields = Vec::new();
        for (at, name) in args.variant.iter().enumerate() {
            let variant = variant_named(name, io).map_err(Said)?;
            let book = AnyRulebook::compile(&variant.rules)?;
            for player in &players {
                player.check(&book).with_context(|| format!("{} with {}", player.text, variant.name()))?;
            }
            let wanted = (args.pairs + n_variants - 1 - at as u64) / n_variants;
            let openings = openings(&book, args, (&games, wanted));
            if (openings.len() as u64) < wanted {
                bail!(
                    "{} has only {} different openings of {} plies, and {wanted} are wanted; try --opening-plies {}{}",
                    variant.name(),
                    openings.len(),
                    args.opening_plies,
                    args.opening_plies + 1,
                    if args.openings.is_empty() { "" } else { ", or more games" }
                );
            }
            fields.push(Field { variant, book, openings });
        }
        Ok(Match { args, players, limits: args.limits.limits(), sprt, fields })
    }

    /// Returns everything that the games depend on.
    fn asked(&self) -> Value {
        let player = |spec: &PlayerSpec| {
            let identities: Vec<String> =
                self.fields.iter().map(|field| spec.identity(&field.book)).collect();
            json!({ "player": spec.text, "identity": identities, "limits": words(&spec.limits(&self.limits)) })
        };
        let variants: Vec<String> = self.fields.iter().map(|field| field.variant.rules.to_string()).collect();
        json!({
            "first": player(&self.players[0]),
            "second": player(&self.players[1]),
            "variants": variants,
            "opening_plies": self.args.opening_plies,
            "openings": self.args.openings.iter().map(|path| path.display().to_string()).collect::<Vec<_>>(),
            "plies": self.args.plies,
            "seed": self.args.seed,
        })
    }

    fn field(&self, number: u64) -> &Field {
        &self.fields[(number % self.fields.len() as u64) as usize]
    }

    /// Plays the pairs that have not been played.
    fn play(&self, state: &mut State<PairNote>, io: &mut Io<'_>) -> anyhow::Result<()> {
        let mut tally = Tally::default();
        state.played.iter().take(self.args.pairs as usize).for_each(|pair| tally.add(pair));
        if self.is_over(&tally, state.played.last()) {
            return Ok(());
        }
        let terms = Terms { plies: Some(self.args.plies), ..Terms::default() };
        let mut failed = None;
        let numbers = state.played.len() as u64..self.args.pairs;
        play_pairs(numbers, self.args.threads, &terms, &|number| self.make(number), |number, pair| {
            let note = match pair {
                Ok(pair) => self.note(&pair, number),
                Err(fault) => {
                    failed = Some(fault.into());
                    return ControlFlow::Break(());
                }
            };
            tally.add(&note);
            self.say(&note, number, &tally, io);
            state.played.push(note);
            if let Some(Err(error)) = self.args.resume.as_deref().map(|path| state.save(path)) {
                failed = Some(anyhow::Error::from(error));
                return ControlFlow::Break(());
            }
            let is_over = self.is_over(&tally, state.played.last());
            if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        io.end_progress();
        failed.map_or(Ok(()), Err)
    }

    /// Returns whether the test has decided, or a fault ends the match.
    fn is_over(&self, tally: &Tally, last: Option<&PairNote>) -> bool {
        let is_decided = self.sprt.is_some_and(|sprt| sprt.verdict(&tally.pairs) != SprtVerdict::GoOn);
        is_decided || (self.args.on_fault == OnFault::Stop && last.is_some_and(PairNote::has_fault))
    }

    fn make(&self, number: u64) -> Result<(PairSetup, Players), Fault> {
        let field = self.field(number);
        let opening = field.openings[(number / self.fields.len() as u64) as usize].clone();
        let seed = self.args.seed.wrapping_mul(1_000_003).wrapping_add(number);
        let terms = (&self.limits, self.args.grace.get());
        let [first, second] = &self.players;
        let players =
            [first.player(&field.book, seed, terms)?, second.player(&field.book, seed ^ 0x5555_5555, terms)?];
        Ok((PairSetup { book: field.book.clone(), opening }, players))
    }

    fn note(&self, pair: &Pair, number: u64) -> PairNote {
        let shape = self.field(number).book.shape();
        PairNote { games: [0, 1].map(|at: usize| GameNote::of(&pair.games[at], shape)) }
    }

    /// Says what came of a pair, and what came of all so far.
    fn say(&self, pair: &PairNote, number: u64, tally: &Tally, io: &mut Io<'_>) {
        for (game, side) in pair.games.iter().zip(Side::ALL) {
            let Some(fault) = &game.fault else { continue };
            let guilty = usize::from(fault.side != side.word());
            let name = &self.players[guilty].text;
            io.error(&format!("pair {}: {name} loses as {}: {}", number + 1, fault.side, fault.words));
        }
        let total = tally.text(None);
        let line = total.lines().next().unwrap_or_default();
        io.progress(&format!("pair {} of {}: {line}", number + 1, self.args.pairs));
    }

    /// Returns the games as lines of JSON.
    fn records(&self, pairs: &[PairNote]) -> anyhow::Result<String> {
        let mut out = String::new();
        for (number, pair) in pairs.iter().enumerate() {
            let field = self.field(number as u64);
            let names = [0, 1].map(|at: usize| self.players[at].identity(&field.book));
            let limits = [0, 1].map(|at: usize| words(&self.players[at].limits(&self.limits)));
            for (at, game) in pair.games.iter().enumerate() {
                let (attackers, defenders) = (at, 1 - at);
                let heading = Heading {
                    id: format!("{}-{}-{}", self.args.seed, number + 1, at + 1),
                    event: "tafl match",
                    attackers: &names[attackers],
                    defenders: &names[defenders],
                    more: &[
                        ("attackers-limits", limits[attackers].clone()),
                        ("defenders-limits", limits[defenders].clone()),
                        ("seed", self.args.seed.to_string()),
                    ],
                };
                record::add(&record::record(game, &heading, (&field.variant, &field.book)), &mut out)?;
            }
        }
        Ok(out)
    }

    /// Returns the tally of each variant, then that of all.
    fn tallies(&self, pairs: &[PairNote]) -> (Vec<Tally>, Tally) {
        let mut each = vec![Tally::default(); self.fields.len()];
        let mut all = Tally::default();
        for (number, pair) in pairs.iter().enumerate() {
            each[number % self.fields.len()].add(pair);
            all.add(pair);
        }
        (each, all)
    }

    fn json(&self, pairs: &[PairNote]) -> Value {
        let (each, all) = self.tallies(pairs);
        let variants: Vec<Value> = self
            .fields
            .iter()
            .zip(&each)
            .map(|(field, tally)| json!({ "variant": field.variant.name(), "result": tally.json(None) }))
            .collect();
        let mut answer = self.asked();
        answer["variants"] = json!(variants);
        answer["result"] = all.json(self.sprt.as_ref());
        answer
    }

    fn text(&self, pairs: &[PairNote]) -> String {
        let (each, all) = self.tallies(pairs);
        let [first, second] = &self.players;
        let mut out = format!("{} against {}\n", first.text, second.text);
        out.push_str(&all.text(self.sprt.as_ref()));
        if self.fields.len() > 1 {
            for (field, tally) in self.fields.iter().zip(&each) {
                out.push_str(&format!("\n{}\n{}", field.variant.name(), tally.text(None)));
            }
        }
        out
    }
}

/// Returns the moves of the games whose beginnings are asked for.
fn games_of(args: &MatchArgs, io: &mut Io<'_>) -> anyhow::Result<Vec<Vec<Move>>> {
    if args.openings.is_empty() {
        return Ok(Vec::new());
    }
    let keep = |judged: &ReplayedRecord| Some(judged.replay.plies.iter().map(|ply| ply.mv).collect());
    let (games, exit) = games::read(&args.openings, &keep, io)?;
    if exit == Exit::Error {
        bail!("the games of --openings could not all be read");
    }
    Ok(games)
}

fn openings(book: &AnyRulebook, args: &MatchArgs, (games, wanted): (&[Vec<Move>], u64)) -> Vec<Opening> {
    if args.opening_plies == 0 {
        // There is one opening without a ply; players that vary by themselves may play it again and again.
        return vec![Opening::new(); wanted as usize];
    }
    if !args.openings.is_empty() {
        return openings_of(book, args.opening_plies, args.seed, games).take(wanted as usize).collect();
    }
    Openings::new(book, args.opening_plies, args.seed).take(wanted as usize).collect()
}
