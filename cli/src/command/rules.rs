//! `tafl rules`: lists, shows, explains, and compares rules.

use std::fmt::Write as _;

use tafl_rules::{Side, catalog::NamedRules};
use taflbase::engine::RulingAnswer;
use taflbase::escape::escape;
use taflbase::{App, Request, RuleDifference, RulesDiffAnswer, Variant, json_pretty};

use crate::args::rules::{
    RulesArgs, RulesCommand, RulesDiffArgs, RulesExplainArgs, RulesListArgs, RulesShowArgs, RulingArgs,
    TextFormat,
};
use crate::exit::Reported;
use crate::variant::{NO_RULES, variant_named};
use crate::wrap::paragraph;
use crate::{Exit, Io};

/// Runs the command.
///
/// # Errors
///
/// Returns an error if the rules or the position are wrong, or the answer cannot be written.
pub(crate) fn run(args: &RulesArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    match &args.command {
        RulesCommand::List(args) => list(args, io),
        RulesCommand::Show(args) => show(args, io),
        RulesCommand::Explain(args) => explain(args, io),
        RulesCommand::Diff(args) => diff(args, io),
        RulesCommand::Ruling(args) => ruling(args, io),
    }
}

fn list(args: &RulesListArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let found = args.request.find();
    if found.is_empty() {
        let filter = args.request.filter.as_deref().unwrap_or_default().to_lowercase();
        io.error(&format!("no variant has `{filter}` in its name"));
        return Ok(Exit::Findings);
    }
    match args.format {
        TextFormat::Json => {
            io.print(&json_pretty(&args.request.clone().run(&App::new(), &io.job())?))?;
        }
        TextFormat::Text => io.print(&table(&found))?,
    }
    Ok(Exit::Ok)
}

/// Returns the known variants as a table: name, board, side that moves first, title, and aliases.
fn table(found: &[&NamedRules]) -> String {
    let rows: Vec<[String; 4]> = found
        .iter()
        .map(|variant| {
            let rules = variant.rules();
            let first = match rules.first_mover {
                Side::Attackers => variant.sides.attackers,
                Side::Defenders => variant.sides.defenders,
            };
            [variant.name.into(), rules.shape().to_string(), first.into(), variant.title.into()]
        })
        .collect();
    let heads = ["NAME", "BOARD", "MOVES FIRST", "TITLE"].map(str::to_owned);
    let width = |column: usize| {
        rows.iter().chain([&heads]).map(|row| row[column].chars().count()).max().unwrap_or_default()
    };
    let widths = [width(0), width(1), width(2), width(3)];
    let mut out = String::new();
    let aliases: Vec<String> = found.iter().map(|variant| variant.aliases.join(", ")).collect();
    let heading = "OTHER NAMES".to_owned();
    for (row, aliases) in std::iter::once((&heads, &heading)).chain(rows.iter().zip(&aliases)) {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(widths) {
            let _ = write!(line, "{cell:width$}  ");
        }
        line.push_str(aliases);
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

fn show(args: &RulesShowArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let variant = variant_named(&args.request.variant, io).map_err(Reported)?.changed(&args.request.rule)?;
    let answer = args.request.clone().run(&App::new().with_rules_files(), &io.job())?;
    match args.format {
        TextFormat::Json => io.print(&json_pretty(&answer))?,
        TextFormat::Text => io.print(&description(&variant, answer.symmetries.unwrap_or_default()))?,
    }
    Ok(Exit::Ok)
}

/// The rules string on the first line, and further information below it.
fn description(variant: &Variant, symmetries: usize) -> String {
    let sides = variant.sides();
    let shape = variant.rules.shape();
    let mut out = format!("{}\n\n", escape(&variant.rules.to_string()));
    let mut line = |label: &str, text: &str| paragraph(&format!("{label:<12}"), text, &mut out);
    if let Some(named) = variant.named {
        line("name", named.name);
        line("title", named.title);
        if !named.aliases.is_empty() {
            line("also", &named.aliases.join(", "));
        }
    }
    line("board", &format!("{shape}, {} cells", shape.n_cells()));
    let first = sides[variant.rules.first_mover];
    line("sides", &format!("{} and {}; {first} first", sides.attackers, sides.defenders));
    line("symmetries", &symmetries.to_string());
    if let Some(named) = variant.named {
        line("source", named.source);
        if !named.note.is_empty() {
            line("note", named.note);
        }
    }
    out
}

fn explain(args: &RulesExplainArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let variant = variant_named(&args.request.variant, io).map_err(Reported)?.changed(&args.request.rule)?;
    let sheet = args.request.clone().run(&App::new().with_rules_files(), &io.job())?;
    match args.format {
        TextFormat::Json => io.print(&json_pretty(&sheet))?,
        TextFormat::Text => {
            let mut out = format!("{}\n", escape(&variant.title()));
            for section in sheet.sections {
                let _ = write!(out, "\n{}\n", section.title);
                section.sentences.iter().for_each(|sentence| paragraph("  - ", &escape(sentence), &mut out));
            }
            io.print(&out)?;
        }
    }
    Ok(Exit::Ok)
}

fn diff(args: &RulesDiffArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    // Both are read before the first error is returned, so that both errors are shown.
    let (from, to) = (variant_named(&args.request.from, io), variant_named(&args.request.to, io));
    from.and(to).map_err(Reported)?;
    let answer = args.request.clone().run(&App::new().with_rules_files(), &io.job())?;
    match args.format {
        TextFormat::Json => io.print(&json_pretty(&answer))?,
        TextFormat::Text => io.print(&comparison(&answer))?,
    }
    Ok(Exit::Ok)
}

fn ruling(args: &RulingArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    if args.request.position.rules.variant.is_none() {
        io.error(NO_RULES);
        return Ok(Exit::Error);
    }
    let answer = args.request.clone().run(&App::new().with_rules_files(), &io.job());
    io.end_progress();
    let answer = answer?;
    match args.format {
        TextFormat::Json => io.print(&json_pretty(&answer))?,
        TextFormat::Text => io.print(&decision(&answer))?,
    }
    Ok(if answer.verdict == "yes" { Exit::Ok } else { Exit::Findings })
}

fn decision(answer: &RulingAnswer) -> String {
    let mut out = String::new();
    paragraph(&format!("{}: ", answer.verdict), &escape(&answer.sentence), &mut out);
    answer.evidence.iter().for_each(|line| paragraph("  - ", &escape(line), &mut out));
    for section in &answer.rules_sections {
        let _ = write!(out, "\n{}\n", section.title);
        section.sentences.iter().for_each(|sentence| paragraph("  - ", &escape(sentence), &mut out));
    }
    out
}

fn comparison(answer: &RulesDiffAnswer) -> String {
    let (left, right) = (escape(&answer.from), escape(&answer.to));
    let (matters, idle): (Vec<&RuleDifference>, Vec<&RuleDifference>) =
        answer.differences.iter().partition(|one| one.matters);
    let mut out = match matters.len() {
        0 => format!("{left} and {right} have the same rules.\n"),
        1 => format!("{left} and {right} differ in one point.\n"),
        n => format!("{left} and {right} differ in {n} points.\n"),
    };
    let width = left.chars().count().max(right.chars().count());
    let mut list = |title: &str, differences: &[&RuleDifference]| {
        if !differences.is_empty() {
            out.push_str(title);
        }
        for one in differences {
            let _ = write!(out, "\n{}\n", escape(&one.topic));
            paragraph(&format!("  {left:width$}  "), &escape(&one.from), &mut out);
            paragraph(&format!("  {right:width$}  "), &escape(&one.to), &mut out);
        }
    };
    list("", &matters);
    list("\nWithout effect on play:\n", &idle);
    out
}
