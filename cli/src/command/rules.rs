//! `tafl rules`: what the known variants are, what rules say, and what differs between two of them.

use std::fmt::Write as _;

use serde_json::{Value, json};
use tafl_rules::catalog::{self, NamedRules};
use tafl_rules::sheet::{self, Difference};
use tafl_rules::{RuleSet, Shape, Side};

use crate::args::rules::{
    RulesArgs, RulesCommand, RulesDiffArgs, RulesExplainArgs, RulesListArgs, RulesShowArgs, TextFormat,
};
use crate::exit::Said;
use crate::variant::{print_error, variant_named};
use crate::wrap::paragraph;
use crate::{Exit, Io};
use taflbase::Variant;
use taflbase::escape::escape;

/// Runs the command.
///
/// # Errors
///
/// Fails when the answer cannot be written.
pub(crate) fn run(args: &RulesArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    match &args.command {
        RulesCommand::List(args) => list(args, io),
        RulesCommand::Show(args) => show(args, io),
        RulesCommand::Explain(args) => explain(args, io),
        RulesCommand::Diff(args) => diff(args, io),
    }
}

fn list(args: &RulesListArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let filter = args.filter.as_deref().unwrap_or("").to_lowercase();
    let is_wanted = |variant: &&NamedRules| {
        let names = [&variant.name, &variant.title].into_iter().chain(variant.aliases);
        names.into_iter().any(|name| name.to_lowercase().contains(&filter))
    };
    let found: Vec<&NamedRules> = catalog::all().filter(is_wanted).collect();
    if found.is_empty() {
        io.error(&format!("no variant has `{filter}` in its name"));
        return Ok(Exit::Findings);
    }
    match args.format {
        TextFormat::Json => {
            let list: Vec<Value> = found.iter().map(|variant| known(variant)).collect();
            io.print(&format!("{:#}\n", Value::from(list)))?;
        }
        TextFormat::Text => io.print(&table(&found))?,
    }
    Ok(Exit::Ok)
}

/// The known variants as lines of columns: name, board, who moves first, title, other names.
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

fn known(variant: &NamedRules) -> Value {
    let rules = variant.rules();
    let mut value = facts(&rules);
    value["name"] = variant.name.into();
    value["title"] = variant.title.into();
    value["aliases"] = variant.aliases.into();
    value["sides"] = json!({"attackers": variant.sides.attackers, "defenders": variant.sides.defenders});
    value["source"] = variant.source.into();
    value["note"] = variant.note.into();
    value
}

fn facts(rules: &RuleSet) -> Value {
    let shape = rules.shape();
    let topology = match shape {
        Shape::Square { .. } => "square",
        Shape::Hex { .. } => "hex",
    };
    json!({
        "name": rules.name,
        "board": {"topology": topology, "side": shape.side(), "cells": shape.n_cells()},
        "first_mover": rules.first_mover.word(),
        "rules": rules.to_string(),
        "start": rules.start.to_string(),
    })
}

fn show(args: &RulesShowArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let variant = variant_named(&args.variant, io).map_err(Said)?;
    let symmetries = match variant.compile(&variant.rules.start) {
        Ok(book) => book.symmetries().len(),
        Err(error) => return Ok(print_error(&error, io)),
    };
    let mut value = variant.named.map_or_else(|| facts(&variant.rules), known);
    value["symmetries"] = symmetries.into();
    match args.format {
        TextFormat::Json => io.print(&format!("{value:#}\n"))?,
        TextFormat::Text => io.print(&description(&variant, symmetries))?,
    }
    Ok(Exit::Ok)
}

/// The rules string on the first line, what else is known below it.
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
    let variant = variant_named(&args.variant, io).map_err(Said)?;
    // Rules that cannot be played are not explained as if they could.
    if let Err(error) = variant.compile(&variant.rules.start) {
        return Ok(print_error(&error, io));
    }
    let sections = sheet::sheet(&variant.rules, variant.sides());
    match args.format {
        TextFormat::Json => {
            let sections: Vec<Value> = sections
                .iter()
                .map(|section| json!({"title": section.title, "sentences": section.sentences}))
                .collect();
            io.print(&format!("{:#}\n", json!({"name": variant.name(), "sections": sections})))?;
        }
        TextFormat::Text => {
            let title = variant.named.map_or_else(|| variant.name(), |named| named.title.to_owned());
            let mut out = format!("{}\n", escape(&title));
            for section in sections {
                let _ = write!(out, "\n{}\n", section.title);
                section.sentences.iter().for_each(|sentence| paragraph("  - ", &escape(sentence), &mut out));
            }
            io.print(&out)?;
        }
    }
    Ok(Exit::Ok)
}

fn diff(args: &RulesDiffArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    // Both are read before either is given up, so that both mistakes are said.
    let (from, to) = (variant_named(&args.from, io), variant_named(&args.to, io));
    let (from, to) = (from.map_err(Said)?, to.map_err(Said)?);
    let found = sheet::differences(&from.rules, &to.rules);
    match args.format {
        TextFormat::Json => {
            let differences: Vec<Value> = found
                .iter()
                .map(|one| json!({"topic": one.topic, "from": one.left, "to": one.right, "matters": one.matters}))
                .collect();
            let same = sheet::same_rules(&from.rules, &to.rules);
            let value = json!({
                "from": from.name(), "to": to.name(), "same": same, "differences": differences,
            });
            io.print(&format!("{value:#}\n"))?;
        }
        TextFormat::Text => io.print(&comparison(&from, &to, &found))?,
    }
    Ok(Exit::Ok)
}

fn comparison(from: &Variant, to: &Variant, found: &[Difference]) -> String {
    let (left, right) = (escape(&from.name()), escape(&to.name()));
    let (matters, idle): (Vec<&Difference>, Vec<&Difference>) = found.iter().partition(|one| one.matters);
    let mut out = match matters.len() {
        0 => format!("{left} and {right} are played by the same rules.\n"),
        1 => format!("{left} and {right} differ in one point.\n"),
        n => format!("{left} and {right} differ in {n} points.\n"),
    };
    let width = left.chars().count().max(right.chars().count());
    let mut list = |title: &str, differences: &[&Difference]| {
        if !differences.is_empty() {
            out.push_str(title);
        }
        for one in differences {
            let _ = write!(out, "\n{}\n", escape(&one.topic));
            paragraph(&format!("  {left:width$}  "), &escape(&one.left), &mut out);
            paragraph(&format!("  {right:width$}  "), &escape(&one.right), &mut out);
        }
    };
    list("", &matters);
    list("\nWithout effect on play:\n", &idle);
    out
}
