//! `tafl explore`: what was played from a position, and how it ended.

pub(crate) mod json;
mod text;
mod tree;

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use anyhow::{Context, bail};
use tafl_corpus::Corpus;
use tafl_corpus::explorer::{Choice, Counts, Explorer, Extent, Orientation, Place};
use tafl_corpus::index::Bits;
use tafl_corpus::row::GameRow;
use tafl_corpus::search::Searcher;
use tafl_corpus::summaries::GameSummary;
use tafl_rules::{AnyRulebook, Game, Move, RepetitionMode, RuleSet};

use crate::args::database::explore::{ExploreArgs, ExploreFormat};
use crate::exit::Said;
use crate::output::{file_named, write_whole};
use crate::target::spare;
use crate::variant::{print_error, variant_of};
use crate::{Exit, Io};
use taflbase::{Variant, read_turn};

/// The position that is asked about, and by whom.
struct Asked<'a> {
    args: &'a ExploreArgs,
    corpus: &'a Corpus,
    variant: &'a Variant,
    book: AnyRulebook,
    game: Game,
    moves: Vec<Move>,
}

/// Runs the command.
///
/// # Errors
///
/// Fails when the rules or the query are wrong, the corpus cannot be read, or the answer not be written.
pub(crate) fn run(args: &ExploreArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    if args.tree.is_none() && matches!(args.format, ExploreFormat::Otg | ExploreFormat::Svg) {
        bail!("--format otg and svg write a tree: say how deep with --tree DEPTH");
    }
    let variant = match variant_of(&args.variant, io) {
        Ok(Some(variant)) => variant,
        Ok(None) => bail!(
            "say by which rules: --variant NAME or --rules STRING; `tafl info {}` lists what the corpus has",
            args.corpus.display()
        ),
        Err(exit) => return Err(Said(exit).into()),
    };
    spare(&[file_named(args.output.as_deref())], std::slice::from_ref(&args.corpus))?;
    let corpus = Corpus::open(&args.corpus)?;
    let (book, mut game) = begin(args, &variant, io)?;
    let moves = play(args, &mut game)?;
    let sets = chosen(args, &corpus, io)?;
    let choice = sets.as_deref().map_or(Choice::All, Choice::These);
    let explorer = Explorer::open(&corpus)?;
    let asked = Asked { args, corpus: &corpus, variant: &variant, book, game, moves };
    let (n_games, written) = asked.answer(&explorer, choice, io)?;
    match file_named(args.output.as_deref()) {
        Some(path) => write_whole(path, written.as_bytes()).with_context(|| path.display().to_string())?,
        None => io.print(&written)?,
    }
    if n_games > 0 {
        return Ok(Exit::Ok);
    }
    io.notice(&asked.why_nothing(&explorer));
    Ok(Exit::Findings)
}

/// Returns the compiled rules and a game at the position that is named.
fn begin(args: &ExploreArgs, variant: &Variant, io: &mut Io<'_>) -> anyhow::Result<(AnyRulebook, Game)> {
    let setup = match variant.setup(args.position.as_deref()) {
        Ok(setup) => setup,
        Err(error) => return Err(Said(print_error(&error, io)).into()),
    };
    let book = variant.compile(&setup)?;
    let side = variant.side(args.side.map(tafl_rules::Side::from));
    let game = Game::from_setup(&book, &setup, side, RepetitionMode::Report)?;
    Ok((book, game))
}

/// Plays the moves that lead to the position.
fn play(args: &ExploreArgs, game: &mut Game) -> anyhow::Result<Vec<Move>> {
    let Some(text) = args.moves.as_deref().filter(|text| !text.trim().is_empty()) else {
        return Ok(Vec::new());
    };
    let shape = game.shape();
    let mut moves = Vec::new();
    for written in &read_turn(text)?.main().moves {
        let cell =
            |coord| shape.cell(coord).with_context(|| format!("`{coord}` is no cell of a {shape} board"));
        let mv = Move::new(cell(written.from)?, cell(written.to)?);
        if let Err(why) = game.watch(mv) {
            bail!("--moves: ply {}, {}: {}", moves.len() + 1, mv.text(shape), why.words(shape, mv));
        }
        moves.push(mv);
    }
    Ok(moves)
}

/// Returns the games of each segment that fit the filter; nothing without one.
fn chosen(args: &ExploreArgs, corpus: &Corpus, io: &mut Io<'_>) -> anyhow::Result<Option<Vec<Bits>>> {
    let Some(text) = &args.filter else { return Ok(None) };
    let query = super::search::read_query(text, io)?;
    let mut sets: Vec<Bits> = corpus.segments().iter().map(|segment| Bits::none(segment.n_games())).collect();
    let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    Searcher::open(corpus, threads).each(&query, |found| {
        sets[found.segment].insert(found.game);
        ControlFlow::Continue(())
    })?;
    Ok(Some(sets))
}

impl Asked<'_> {
    fn variant_rules(&self) -> &RuleSet {
        &self.variant.rules
    }

    fn head(&self) -> json::Head<'_> {
        json::Head {
            variant: self.variant.name(),
            game: &self.game,
            moves: &self.moves,
            orientation: self.orientation(),
            filter: self.args.filter.as_deref(),
        }
    }

    fn orientation(&self) -> Orientation {
        if self.args.as_it_stands { Orientation::AsItStands } else { Orientation::Folded }
    }

    /// Returns how many games there are, and the answer.
    fn answer(&self, explorer: &Explorer, choice: Choice<'_>, io: &Io<'_>) -> anyhow::Result<(u64, String)> {
        if let Some(depth) = self.args.tree {
            let extent = Extent { depth, min_games: self.args.min_games };
            let tree = explorer.tree((&self.game, &self.book), self.orientation(), extent, choice)?;
            let written = match self.args.format {
                ExploreFormat::Text => tree::text(self, &tree),
                ExploreFormat::Json => {
                    format!("{:#}\n", json::tree(&self.head(), &tree, self.args.min_games))
                }
                ExploreFormat::Otg => tree::otg(self, &tree)?,
                ExploreFormat::Svg => tree::svg(self, &tree),
            };
            return Ok((tree.counts.n_games(), written));
        }
        let place = Place::new(&self.game, &self.book, self.orientation());
        let node = explorer.node(&place, choice)?;
        let written = match self.args.format {
            ExploreFormat::Json => {
                let top = self.top(&node.counts)?;
                let cards: Vec<_> = top.iter().map(|(rating, row)| (*rating, GameSummary::of(row))).collect();
                format!("{:#}\n", json::node(&self.head(), &place, &node, &cards))
            }
            ExploreFormat::Text | ExploreFormat::Otg | ExploreFormat::Svg => {
                text::node(self, &node, io.style())?
            }
        };
        Ok((node.counts.n_games(), written))
    }

    /// Returns the best games of some, with their rows.
    fn top(&self, counts: &Counts) -> anyhow::Result<Vec<(Option<i16>, GameRow)>> {
        let row = |game: tafl_corpus::explorer::TopGame| Ok((game.rating, self.corpus.game(game.into())?));
        counts.top().map(row).collect()
    }

    /// Says why there is no game.
    fn why_nothing(&self, explorer: &Explorer) -> String {
        if self.corpus.n_games() == 0 {
            return "the corpus has no games".to_owned();
        }
        let name = self.variant.name();
        if !explorer.has_rules(&self.book) {
            return format!(
                "the corpus has no game by the rules of {name}; `tafl info {}` lists the variants that it has",
                self.args.corpus.display()
            );
        }
        match self.args.filter {
            Some(_) => "no game that fits --where has the position".to_owned(),
            None => format!("no game of {name} has the position"),
        }
    }
}
