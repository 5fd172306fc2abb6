use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::Value;
use tafl_rules::RuleSet;

use super::*;
use crate::board::{BoardPicture, Heat};
use crate::plot::{Axis, Chart, Forest, ForestRow, Plot, Whisker};

/// A small report with every kind of block; `name` is used wherever a name is possible.
fn report(name: &str, value: f64) -> Report {
    let mut provenance = Provenance::of("1.2.3");
    provenance.command = vec!["report".to_owned(), "balance".to_owned(), name.to_owned()];
    provenance.add("corpus_hash", "hash of the corpus", "00ff");
    let mut table = Table::new("ranking", name, "variant")
        .column("games", "games", NumberFormat::Count)
        .column("attackers", "attackers win", NumberFormat::Percent)
        .column("elo", name, NumberFormat::Signed(1))
        .column("word", "in a word", NumberFormat::Text)
        .noted(name);
    let proportion = TableCell::Proportion { hits: 54, n: 100, low: 0.44, high: 0.63, is_small: false };
    table.push(
        name,
        [
            TableCell::Count(100),
            proportion,
            TableCell::estimate(value, value - 1.0, value + 1.0),
            TableCell::text(name),
        ],
    );
    let few = TableCell::Proportion { hits: 1, n: 2, low: 0.1, high: 0.9, is_small: true };
    table.push(
        "few",
        [TableCell::Count(2), few, TableCell::Number(value), TableCell::Missing("no games".to_owned())],
    );
    table.push(
        "none",
        [
            TableCell::Count(0),
            TableCell::Proportion { hits: 0, n: 0, low: value, high: value, is_small: true },
        ],
    );
    let whisker = Whisker { value, low: value - 0.1, high: value + 0.1 };
    let forest = Forest {
        axis: Axis::percent("wins (%)"),
        reference: Some((0.5, "even".to_owned())),
        rows: vec![ForestRow { label: name.to_owned(), whisker: Some(whisker), second: None, n: 100 }],
        counts: "games".to_owned(),
    };
    let plot = Plot {
        key: "forest".to_owned(),
        title: name.to_owned(),
        note: "n = 100".to_owned(),
        chart: Chart::Forest(forest),
    };
    let rules: RuleSet = "dim:7 start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/".parse().unwrap();
    let mut picture = BoardPicture::of(&rules);
    let cell = rules.shape().cells().next().unwrap();
    picture.marks.heat = vec![Heat { cell, level: 200, label: Some(name.to_owned()) }];
    let board =
        BoardBlock { key: "king".to_owned(), title: name.to_owned(), note: "n = 5".to_owned(), picture };
    let blocks = [
        Block::Heading(name.to_owned()),
        Block::Prose("Attackers win 54 of 100.".to_owned()),
        Block::Warning(format!("{name}, with few games.")),
        Block::Table(table),
        Block::Plot(plot),
        Block::Board(Box::new(board)),
    ];
    let mut report = Report::new("balance", name, provenance);
    report.summary = vec![name.to_owned()];
    report.with([Section::new("first", name).with(blocks), Section::new("second", "Second")])
}

/// Converts an HTML page to XML by writing out what HTML may omit.
fn as_xml(page: &str) -> String {
    let mut page = page.strip_prefix("<!DOCTYPE html>\n").unwrap().to_owned();
    // Elements without an end tag, an attribute without a value, and the style sheet with its `>`.
    let style = page.find("<style>").unwrap()..page.find("</style>").unwrap();
    page.replace_range(style, "<style>");
    let figures = page.find(verify::OPEN).unwrap() + verify::OPEN.len();
    let end = figures + page[figures..].find(verify::CLOSE).unwrap();
    assert!(!page[figures..end].contains('<'));
    page.replace_range(figures..end, "");
    for name in ["meta", "img", "source"] {
        let mut from = 0;
        while let Some(at) = page[from..].find(&format!("<{name} ")) {
            let end = from + at + page[from + at..].find('>').unwrap();
            page.insert(end, '/');
            from = end;
        }
    }
    page
}

#[test]
fn pages_are_well_formed_and_names_are_escaped() {
    for name in ["Copenhagen", "<script>alert(1)</script>", "\"'&<>]]>-->\u{1b}[31m\n|*_`", "王 \u{202e}gnp"]
    {
        let page = report(name, 0.5).to_html().unwrap();
        let xml = as_xml(&page);
        let tree = roxmltree::Document::parse(&xml).unwrap_or_else(|error| panic!("{error}\n{xml}"));
        let scripts: Vec<_> = tree.descendants().filter(|node| node.has_tag_name("script")).collect();
        assert_eq!(scripts.len(), 1, "only the figures");
        assert!(
            !page.contains("http://")
                || page.matches("http://").count() == page.matches("http://www.w3.org").count()
        );
        assert!(!page.contains("https://"));
        let ids: Vec<&str> = tree.descendants().filter_map(|node| node.attribute("id")).collect();
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{ids:?}");
        let links = tree.descendants().filter_map(|node| node.attribute("href"));
        for link in links.filter_map(|link| link.strip_prefix('#')) {
            assert!(ids.contains(&link), "{link}");
        }
    }
}

#[test]
fn markdown_escapes_names() {
    let text = report("a|b <i> [x](y) *z*", 0.5).to_markdown(&|name| format!("{name}.png"));
    assert!(text.contains("| a\\|b \\<i\\> \\[x\\](y) \\*z\\* | 100 | 54.0 % (44.0–63.0) |"), "{text}");
    assert!(text.contains("](first-forest.png)") && text.contains("](first-king.png)"), "{text}");
    let few = text.lines().find(|line| line.starts_with("| few ")).unwrap();
    assert!(!few.contains('%') && few.contains("1 of 2 (small sample)"), "{few}");
}

#[test]
fn the_small_report_is_unchanged() {
    let text = report("Copenhagen", 0.5).to_markdown(&|_| String::new());
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/small-report.md");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    assert_eq!(text, std::fs::read_to_string(path).unwrap());
}

#[test]
fn the_same_report_has_the_same_bytes() {
    let (one, other) = (report("x", 0.25), report("x", 0.25));
    assert_eq!(one.to_html().unwrap(), other.to_html().unwrap());
    assert_eq!(one.to_parquet().unwrap(), other.to_parquet().unwrap());
}

#[test]
fn a_stored_report_equals_itself() {
    let report = report("<script>&", 0.123_456_789_012_345_67);
    for text in [report.to_json().to_string(), report.to_html().unwrap()] {
        let stored = StoredReport::read(&text).unwrap();
        assert_eq!(stored.differences(&report), []);
        assert_eq!(stored.command().unwrap(), ["report", "balance", "<script>&"]);
    }
}

#[test]
fn a_changed_figure_is_named() {
    let before = report("Copenhagen", 0.5);
    let text = before.to_json().to_string().replace("\"hits\":54", "\"hits\":55");
    let found = StoredReport::read(&text).unwrap().differences(&before);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].place, "first / ranking / Copenhagen / attackers / hits");
    assert_eq!((found[0].stored.as_deref(), found[0].now.as_deref()), (Some("55"), Some("54")));
}

#[test]
fn an_edited_page_is_detected() {
    let report = report("Copenhagen", 0.5);
    let page = report.to_html().unwrap().replacen("54.0\u{a0}%", "64.0\u{a0}%", 1);
    let found = StoredReport::read(&page).unwrap().differences(&report);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].place, "page");
    assert!(found[0].stored.as_ref().is_some_and(|line| line.contains("64.0\u{a0}%")), "{found:?}");
}

#[test]
fn other_files_are_rejected() {
    for text in ["", "{}", "<html></html>", "[1]", "{\"format\":\"other\"}"] {
        assert!(matches!(StoredReport::read(text), Err(ReadError::NoReport)), "{text}");
    }
    assert!(matches!(StoredReport::read("{\"format\""), Err(ReadError::Damaged { .. })));
    let other = "{\"format\":\"taflbase-report\",\"version\":99}";
    assert!(matches!(StoredReport::read(other), Err(ReadError::Version { found: 99 })));
    let mute = StoredReport::read("{\"format\":\"taflbase-report\",\"version\":1}").unwrap();
    assert!(matches!(mute.command(), Err(ReadError::NoCommand)));
}

#[test]
fn csv_has_every_digit_and_is_quoted() {
    let report = report("a \"b\", c", 1.0 / 3.0);
    let text = report.to_csv();
    assert!(text.starts_with("section,table,row,column,value,low,high,hits,n,text\n"));
    assert!(text.contains("first,ranking,\"a \"\"b\"\", c\",attackers,0.54,0.44,0.63,54,100,\n"), "{text}");
    assert!(text.contains(",elo,0.3333333333333333,"), "{text}");
    let (_, table) = report.tables().next().unwrap();
    let names = "row,games,attackers,attackers_low,attackers_high,attackers_hits,attackers_n,elo,elo_low,elo_high,word\n";
    assert!(table.to_csv().starts_with(names), "{}", table.to_csv());
}

#[test]
fn parquet_reads_back() {
    use polars::prelude::{ParquetReader, SerReader};
    let report = report("Copenhagen", 1.0 / 3.0);
    let (_, table) = report.tables().next().unwrap();
    let read = |bytes: Vec<u8>| ParquetReader::new(std::io::Cursor::new(bytes)).finish().unwrap();
    let frame = read(table.to_parquet().unwrap());
    assert_eq!(frame.height(), 3);
    let proportions: Vec<Option<f64>> = frame.column("attackers").unwrap().f64().unwrap().iter().collect();
    assert_eq!(proportions, [Some(0.54), Some(0.5), None]);
    let games: Vec<Option<i64>> = frame.column("games").unwrap().i64().unwrap().iter().collect();
    assert_eq!(games, [Some(100), Some(2), Some(0)]);
    assert_eq!(read(report.to_parquet().unwrap()).height(), report.to_csv().lines().count() - 1);
}

#[test]
fn an_empty_report_is_a_page() {
    let empty = Report::new("balance", "Nothing", Provenance::of("1.0.0"));
    let table = Block::Table(Table::new("none", "No rows", "variant"));
    for report in [empty.clone(), empty.with([Section::new("a", "A").with([table])])] {
        as_xml(&report.to_html().unwrap());
        assert_eq!(report.to_csv().lines().count(), 1);
        report.to_parquet().unwrap();
        report.to_markdown(&|_| String::new());
    }
}

fn has_odd_number(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains("NaN"),
        Value::Array(values) => values.iter().any(has_odd_number),
        Value::Object(values) => values.values().any(has_odd_number),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_writer_prints_invalid_numbers(name in any::<String>(), value in any::<f64>()) {
        let name = name.replace("NaN", "").replace("inf", "");
        let report = report(&name, value);
        let page = report.to_html().unwrap();
        // Pictures of boards are in base64, which may contain any letters.
        let visible: String = page.split("base64,").map(|part| part.trim_start_matches(|sign: char| sign.is_ascii_alphanumeric() || "+/=".contains(sign))).collect();
        for text in [visible, report.to_markdown(&|_| String::new()), report.to_csv()] {
            prop_assert!(!text.contains("NaN") && !text.contains("inf ") && !text.contains("inf,"), "{text}");
        }
        prop_assert!(!has_odd_number(&report.to_json()));
        prop_assert_eq!(StoredReport::read(&page).unwrap().differences(&report), []);
        report.to_parquet().unwrap();
    }
}
