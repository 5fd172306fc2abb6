//! Arguments of `tafl report`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

/// Arguments of `tafl report`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, arg_required_else_help = true)]
#[command(after_long_help = "\
A report is a document with sentences, tables, plots and boards, and says where
its figures come from. SOURCE is a corpus, or files of records, which are
imported into a corpus that lasts as long as the command.

Without -o a report goes to standard output as Markdown. With -o FILE the name's
ending decides: .html, .md, .csv, .json or .parquet. With -o DIR/ pictures and
tables lie beside the document.

Examples:
  tafl report balance games.corpus -o balance.html
  tafl report balance games/ --variant brandubh7
  tafl report compare games.corpus --variant copenhagen11 --variant fetlar11
  tafl report --verify balance.html")]
pub(crate) struct ReportArgs {
    /// Count the figures of a report again (HTML or JSON), and name those that
    /// differ; exit code 1: some do
    #[arg(long, value_name = "FILE")]
    pub(crate) verify: Option<PathBuf>,
    /// With --verify: where the corpus lies, if not where the report says
    #[arg(long, value_name = "CORPUS", requires = "verify")]
    pub(crate) corpus: Option<PathBuf>,
    /// Which report.
    #[command(subcommand)]
    pub(crate) command: Option<ReportCommand>,
}

/// Which report.
#[derive(Debug, Subcommand)]
pub(crate) enum ReportCommand {
    /// Who wins, how surely, and why: all variants with a ranking, or one
    Balance(BalanceArgs),
    /// Two variants, two queries or two corpora held against each other
    Compare(CompareArgs),
    /// First moves and openings, and how they did
    #[command(after_long_help = "\
Example:
  tafl report openings games.corpus --variant brandubh7")]
    Openings(PlainArgs),
    /// How long games last, by winner and reason
    Lengths(PlainArgs),
    /// Who errs how often, and how dramatic games are; needs `tafl annotate`
    #[command(after_long_help = "\
Examples:
  tafl annotate games.corpus --nodes 2000 --format jsonl > annotated.jsonl
  tafl report accuracy games.corpus --variant brandubh7")]
    Accuracy(PlainArgs),
    /// Players: results by side, and strength
    Players(PlayersArgs),
    /// Everybody against everybody, with tie-breaks
    Crosstable(CrosstableArgs),
    /// What is wrong with a corpus
    Health(HealthArgs),
}

/// Which games a report is about.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct GamesArgs {
    /// A corpus, or files and folders of records
    #[arg(value_name = "SOURCE")]
    pub(crate) sources: Vec<PathBuf>,
    /// Only games of this variant
    #[arg(long, value_name = "NAME")]
    pub(crate) variant: Option<String>,
    /// Only games that this query finds (docs/query.md)
    #[arg(long, value_name = "QUERY")]
    pub(crate) query: Option<String>,
}

/// Where a report goes.
#[derive(Debug, Clone, Args)]
pub(crate) struct TargetArgs {
    /// Write to a file, or into a folder if there is one or the path ends with /
    #[arg(long, short, value_name = "PATH", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    /// How to write it [default: the ending of the file; html into a folder,
    /// else md]
    #[arg(long, value_name = "FORMAT", help_heading = "Output")]
    pub(crate) format: Option<ReportFormat>,
}

/// How a report is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// One HTML file with everything in it
    Html,
    /// Markdown
    Md,
    /// CSV: every figure of the tables
    Csv,
    /// JSON: every figure with all its digits
    Json,
    /// Parquet: every figure of the tables
    Parquet,
}

/// Arguments of `tafl report health`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Example:
  tafl report health games.corpus -o health.html")]
pub(crate) struct HealthArgs {
    /// Which games.
    #[command(flatten)]
    pub(crate) games: GamesArgs,
    /// No game can be of a later year [default: this year]
    #[arg(long, value_name = "YEAR")]
    pub(crate) year: Option<i16>,
    /// Where it goes.
    #[command(flatten)]
    pub(crate) target: TargetArgs,
}

/// Arguments of reports that need nothing else.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Example:
  tafl report lengths games.corpus --variant brandubh7")]
pub(crate) struct PlainArgs {
    /// Which games.
    #[command(flatten)]
    pub(crate) games: GamesArgs,
    /// Where it goes.
    #[command(flatten)]
    pub(crate) target: TargetArgs,
}

/// Arguments of `tafl report balance`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Shares have 95 % intervals; below 30 games there is no percentage.
docs/reports.md and docs/statistics.md say what each figure means.

With --selfplay nobody's games are read: the engine plays the rules of --variant
or --rules against itself, at several strengths, and with each change of --vary
from the same openings.

Examples:
  tafl report balance games.corpus -o balance.html
  tafl report balance games.corpus --variant copenhagen11 --query 'year >= 2015'
  tafl report balance games/brandubh.csv --format json
  tafl report balance --selfplay --variant hexentafl4 --vary esc=e --games 60")]
pub(crate) struct BalanceArgs {
    /// Which games.
    #[command(flatten)]
    pub(crate) games: GamesArgs,
    /// Rules to try.
    #[command(flatten)]
    pub(crate) design: DesignArgs,
    /// Where it goes.
    #[command(flatten)]
    pub(crate) target: TargetArgs,
}

/// Rules that the engine tries.
#[derive(Debug, Clone, Args)]
pub(crate) struct DesignArgs {
    /// Let the engine play the rules against itself
    #[arg(long, help_heading = "Rules to try", conflicts_with_all = ["sources", "query"])]
    pub(crate) selfplay: bool,
    /// The rules to try, as a rules string
    #[arg(long, value_name = "STRING", conflicts_with = "variant", requires = "selfplay")]
    #[arg(help_heading = "Rules to try")]
    pub(crate) rules: Option<String>,
    /// A change to try; separated by blanks several at once; may be repeated
    #[arg(long, value_name = "KEY=VALUE", requires = "selfplay", help_heading = "Rules to try")]
    pub(crate) vary: Vec<String>,
    /// At most so many games of each rules at each strength
    #[arg(long = "games", value_name = "N", default_value = "200", help_heading = "Rules to try")]
    pub(crate) most_games: u64,
    /// Stop when the intervals of the attackers' score are so narrow, in points
    /// of 100 from end to end
    #[arg(long, value_name = "POINTS", default_value = "10", help_heading = "Rules to try")]
    pub(crate) width: f64,
    /// Strengths: positions that the engine may look at for a move
    #[arg(long, value_name = "LIST", default_value = "200,1000,5000", value_delimiter = ',')]
    #[arg(help_heading = "Rules to try")]
    pub(crate) nodes: Vec<u64>,
    /// Where random openings begin
    #[arg(long, value_name = "N", default_value = "1", help_heading = "Rules to try")]
    pub(crate) seed: u64,
    /// How many games are played at once [default: as many as there are cores]
    #[arg(long, short = 'j', value_name = "N", help_heading = "Rules to try")]
    pub(crate) threads: Option<NonZeroUsize>,
}

impl DesignArgs {
    /// Adds what decides the figures; without self-play nothing does.
    fn add_words(&self, words: &mut Vec<String>) {
        if !self.selfplay {
            return;
        }
        words.push("--selfplay".to_owned());
        words.extend(self.rules.iter().map(|rules| format!("--rules={rules}")));
        words.extend(self.vary.iter().map(|change| format!("--vary={change}")));
        let nodes: Vec<String> = self.nodes.iter().map(u64::to_string).collect();
        words.extend([
            format!("--games={}", self.most_games),
            format!("--width={}", self.width),
            format!("--nodes={}", nodes.join(",")),
            format!("--seed={}", self.seed),
        ]);
    }
}

/// Arguments of `tafl report compare`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
The two selections differ by what is given twice: the source, --variant or
--query. What is given once holds for both.

Examples:
  tafl report compare games.corpus --variant copenhagen11 --variant fetlar11
  tafl report compare games.corpus --query 'year < 2015' --query 'year >= 2015'
  tafl report compare one.corpus other.corpus --variant brandubh7")]
pub(crate) struct CompareArgs {
    /// One or two corpora, or files of records
    #[arg(value_name = "SOURCE", required = true, num_args = 1..=2)]
    pub(crate) sources: Vec<PathBuf>,
    /// Only games of this variant; twice for two selections
    #[arg(long, value_name = "NAME")]
    pub(crate) variant: Vec<String>,
    /// Only games that this query finds; twice for two selections
    #[arg(long, value_name = "QUERY")]
    pub(crate) query: Vec<String>,
    /// The smallest difference of scores that matters, in points of 100
    #[arg(long, value_name = "POINTS", default_value = "5")]
    pub(crate) matters: f64,
    /// Where it goes.
    #[command(flatten)]
    pub(crate) target: TargetArgs,
}

/// Arguments of `tafl report players`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Example:
  tafl report players games.corpus --variant copenhagen11 --limit 50")]
pub(crate) struct PlayersArgs {
    /// Which games.
    #[command(flatten)]
    pub(crate) games: GamesArgs,
    /// List so many players
    #[arg(long, value_name = "N", default_value = "100")]
    pub(crate) limit: usize,
    /// Leave out players with fewer games that ended
    #[arg(long, value_name = "N", default_value = "10")]
    pub(crate) least: u64,
    /// Where it goes.
    #[command(flatten)]
    pub(crate) target: TargetArgs,
}

/// Arguments of `tafl report crosstable`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Ties are broken by direct encounter, Sonneborn-Berger, Buchholz and wins.

Example:
  tafl report crosstable games.corpus --query 'event:\"world championship\"'")]
pub(crate) struct CrosstableArgs {
    /// Which games.
    #[command(flatten)]
    pub(crate) games: GamesArgs,
    /// The most players; those with the most games are taken
    #[arg(long, value_name = "N", default_value = "16")]
    pub(crate) limit: usize,
    /// Where it goes.
    #[command(flatten)]
    pub(crate) target: TargetArgs,
}

impl ReportCommand {
    /// Returns where the report goes.
    pub(crate) fn target(&self) -> &TargetArgs {
        match self {
            ReportCommand::Balance(args) => &args.target,
            ReportCommand::Compare(args) => &args.target,
            ReportCommand::Lengths(args) | ReportCommand::Openings(args) | ReportCommand::Accuracy(args) => {
                &args.target
            }
            ReportCommand::Health(args) => &args.target,
            ReportCommand::Players(args) => &args.target,
            ReportCommand::Crosstable(args) => &args.target,
        }
    }

    /// Returns the sources.
    pub(crate) fn sources(&self) -> &[PathBuf] {
        match self {
            ReportCommand::Balance(args) => &args.games.sources,
            ReportCommand::Compare(args) => &args.sources,
            ReportCommand::Lengths(args) | ReportCommand::Openings(args) | ReportCommand::Accuracy(args) => {
                &args.games.sources
            }
            ReportCommand::Health(args) => &args.games.sources,
            ReportCommand::Players(args) => &args.games.sources,
            ReportCommand::Crosstable(args) => &args.games.sources,
        }
    }

    /// Returns the sources, to be replaced.
    pub(crate) fn sources_mut(&mut self) -> &mut Vec<PathBuf> {
        match self {
            ReportCommand::Balance(args) => &mut args.games.sources,
            ReportCommand::Compare(args) => &mut args.sources,
            ReportCommand::Lengths(args) | ReportCommand::Openings(args) | ReportCommand::Accuracy(args) => {
                &mut args.games.sources
            }
            ReportCommand::Health(args) => &mut args.games.sources,
            ReportCommand::Players(args) => &mut args.games.sources,
            ReportCommand::Crosstable(args) => &mut args.games.sources,
        }
    }

    /// Returns the words of a command line that makes the same report.
    pub(crate) fn words(&self) -> Vec<String> {
        let mut words = vec!["report".to_owned()];
        let mut add = |word: &str| words.push(word.to_owned());
        match self {
            ReportCommand::Balance(args) => {
                add("balance");
                args.games.add_words(&mut words);
                args.design.add_words(&mut words);
            }
            ReportCommand::Openings(args) => {
                add("openings");
                args.games.add_words(&mut words);
            }
            ReportCommand::Lengths(args) => {
                add("lengths");
                args.games.add_words(&mut words);
            }
            ReportCommand::Accuracy(args) => {
                add("accuracy");
                args.games.add_words(&mut words);
            }
            ReportCommand::Health(args) => {
                add("health");
                args.games.add_words(&mut words);
                words.extend(args.year.iter().map(|year| format!("--year={year}")));
            }
            ReportCommand::Players(args) => {
                add("players");
                args.games.add_words(&mut words);
                words.extend([format!("--limit={}", args.limit), format!("--least={}", args.least)]);
            }
            ReportCommand::Crosstable(args) => {
                add("crosstable");
                args.games.add_words(&mut words);
                words.push(format!("--limit={}", args.limit));
            }
            ReportCommand::Compare(args) => {
                add("compare");
                words.extend(args.sources.iter().map(|source| source.display().to_string()));
                words.extend(args.variant.iter().map(|name| format!("--variant={name}")));
                words.extend(args.query.iter().map(|query| format!("--query={query}")));
                words.push(format!("--matters={}", args.matters));
            }
        }
        words
    }
}

impl GamesArgs {
    fn add_words(&self, words: &mut Vec<String>) {
        words.extend(self.sources.iter().map(|source| source.display().to_string()));
        words.extend(self.variant.iter().map(|name| format!("--variant={name}")));
        words.extend(self.query.iter().map(|query| format!("--query={query}")));
    }
}
