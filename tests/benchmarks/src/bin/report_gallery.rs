//! Writes a report with every kind of block in every format into a folder: `report_gallery FOLDER`.
//!
//! Its figures are fictitious, as its summary states.

use std::path::PathBuf;
use std::{env, error, fs};

use tafl_reports::{
    Axis, BarLayer, Bars, Block, BoardBlock, BoardPicture, Chart, CurvePlot, Forest, ForestRow, Heat, Line,
    NumberFormat, Plot, PlotCurve, Point, Provenance, Reliability, ReliabilityBin, Report, Row, Section,
    Table, TableCell, Whisker,
};
use tafl_rules::{Move, RuleSet};

fn main() -> Result<(), Box<dyn error::Error>> {
    let folder = PathBuf::from(env::args().nth(1).unwrap_or_else(|| "report".to_owned()));
    fs::create_dir_all(&folder)?;
    let report = report();
    fs::write(folder.join("report.html"), report.to_html()?)?;
    fs::write(folder.join("report.md"), report.to_markdown(&|name| format!("{name}.png")))?;
    fs::write(folder.join("report.json"), serde_json::to_string_pretty(&report.to_json())?)?;
    fs::write(folder.join("report.csv"), report.to_csv())?;
    fs::write(folder.join("report.parquet"), report.to_parquet()?)?;
    for (name, plot) in report.plots() {
        fs::write(folder.join(format!("{name}.png")), plot.to_png()?)?;
    }
    Ok(())
}

fn report() -> Report {
    let mut provenance = Provenance::of("0.0.0");
    provenance.command = ["report", "balance", "made up.corpus"].map(ToOwned::to_owned).to_vec();
    provenance.add("corpus_hash", "hash of the corpus", "0123456789abcdef0123456789abcdef");
    let mut report = Report::new("balance", "A report with fictitious figures", provenance);
    report.summary = vec![
        "All figures are fictitious; the report shows every kind of block.".to_owned(),
        "The attackers won 54 % (51 % to 57 %) of the games.".to_owned(),
    ];
    report.with([ranking(), lengths(), engine(), boards()])
}

fn whisker(value: f64, half: f64) -> Option<Whisker> {
    Some(Whisker { value, low: value - half, high: value + half })
}

fn ranking() -> Section {
    let names = [
        "Copenhagen 11x11",
        "Brandubh 7x7 (World Tafl Federation)",
        "Sea Battle 9x9",
        "Cyngesheall 7x7 with two kings and a long name",
    ];
    let mut table = Table::new("ranking", "Attackers' wins", "variant")
        .column("games", "games", NumberFormat::Count)
        .column("attackers", "attackers win", NumberFormat::Percent)
        .column("balance", "signed balance", NumberFormat::Signed(2))
        .noted("With 95 % intervals.");
    let mut rows = Vec::new();
    for (at, name) in names.into_iter().enumerate() {
        let (n, value) = (2000 >> (at * 2 + at / 3 * 2), 0.35 + 0.1 * at as f64);
        let half = (0.25 / f64::from(n)).sqrt() * 1.96;
        let share = TableCell::Proportion {
            hits: (value * f64::from(n)) as u64,
            n: n as u64,
            low: value - half,
            high: value + half,
            is_small: false,
        };
        table.push_row(Row {
            key: name.to_owned(),
            label: name.to_owned(),
            link: Some("lengths".to_owned()),
            cells: vec![TableCell::Count(n as u64), share, TableCell::estimate(1.2 - value, 0.4, 1.9)],
        });
        rows.push(ForestRow {
            label: name.to_owned(),
            whisker: if at == 3 { None } else { whisker(value, half) },
            second: if at > 1 { None } else { whisker(value + 0.02, half / 2.0) },
            n: n as u64,
        });
    }
    let forest = Forest {
        axis: Axis::percent("games that the attackers win (%)"),
        reference: Some((0.5, "even".to_owned())),
        rows,
        counts: "games".to_owned(),
    };
    let plot = |key: &str, title: &str, chart| {
        Block::Plot(Plot {
            key: key.to_owned(),
            title: title.to_owned(),
            note: "Made-up figures. Bars: 95 % intervals.".to_owned(),
            chart,
        })
    };
    let warning = Block::Warning("One variant has too few games for a percentage.".to_owned());
    Section::new("ranking", "All variants").with([
        Block::Prose("Who wins where, with how much is known about it.".to_owned()),
        warning,
        plot("forest", "Who wins, by variant", Chart::Forest(forest)),
        Block::Table(table),
    ])
}

fn plot(key: &str, title: &str, chart: Chart) -> Block {
    Block::Plot(Plot {
        key: key.to_owned(),
        title: title.to_owned(),
        note: "Made-up figures, n = 1,234 games.".to_owned(),
        chart,
    })
}

fn lengths() -> Section {
    let edges: Vec<f64> = (0..=20).map(|bin| f64::from(bin) * 8.0).collect();
    let bump = |middle: f64, height: f64| -> Vec<u64> {
        (0..20).map(|bin| (height * (-(f64::from(bin) - middle).powi(2) / 14.0).exp()) as u64).collect()
    };
    let layers = vec![
        BarLayer { label: "attackers won".to_owned(), counts: bump(5.0, 90.0) },
        BarLayer { label: "defenders won".to_owned(), counts: bump(8.0, 60.0) },
        BarLayer { label: "drawn".to_owned(), counts: bump(14.0, 20.0) },
    ];
    let (x, y) = (Axis::from_zero("length (plies)"), Axis::from_zero("games"));
    let bars = Bars { x, y, edges, last_is_open: false, layers };
    let curve = |label: &str, end: f64, half: f64| PlotCurve {
        label: label.to_owned(),
        n: 640,
        points: (0..40)
            .map(|at| {
                let y = end * (1.0 - (-f64::from(at) / 9.0).exp());
                Point { x: f64::from(at) * 4.0, y, interval: Some(((y - half).max(0.0), y + half)) }
            })
            .collect(),
    };
    let curves = CurvePlot {
        scatter: None,
        x: Axis::from_zero("length (plies)"),
        y: Axis::percent("games that have ended so (%)"),
        line: Line::Steps,
        reference: None,
        curves: vec![
            curve("king captured", 0.5, 0.03),
            curve("king reached goal", 0.42, 0.03),
            curve("drawn", 0.06, 0.01),
        ],
    };
    Section::new("lengths", "How long games last").with([
        plot("histogram", "Lengths of games", Chart::Bars(bars)),
        plot("incidence", "How games have ended by a ply", Chart::Curves(curves)),
    ])
}

fn engine() -> Section {
    let points = [100.0, 1000.0, 10_000.0, 100_000.0].into_iter().enumerate().map(|(at, x)| {
        let y = 0.62 - 0.05 * at as f64;
        Point { x, y, interval: Some((y - 0.07, y + 0.07)) }
    });
    let strength = CurvePlot {
        scatter: None,
        x: Axis::logarithmic("nodes a move"),
        y: Axis::percent("points of the attackers (%)"),
        line: Line::Straight,
        reference: Some((0.5, "even".to_owned())),
        curves: vec![
            PlotCurve { label: "as written".to_owned(), n: 400, points: points.clone().collect() },
            PlotCurve {
                label: "ks:w".to_owned(),
                n: 400,
                points: points
                    .map(|p| Point {
                        y: p.y + 0.13,
                        interval: p.interval.map(|(l, h)| (l + 0.13, h + 0.13)),
                        ..p
                    })
                    .collect(),
            },
        ],
    };
    let bins = (0..10).map(|bin| {
        let expected = 0.05 + 0.1 * f64::from(bin);
        let value = (expected * 0.9 + 0.06_f64).min(1.0);
        ReliabilityBin {
            expected,
            happened: Whisker { value, low: value - 0.05, high: value + 0.05 },
            n: 900 / (bin as u64 + 1),
        }
    });
    let reliability = Reliability {
        expected: Axis::percent("expected (%)"),
        happened: Axis::percent("scored (%)"),
        bins: bins.collect(),
    };
    let elo = Forest {
        axis: Axis::signed("advantage of the attackers (Elo)"),
        reference: Some((0.0, "even".to_owned())),
        rows: vec![
            ForestRow { label: "below 1500".to_owned(), whisker: whisker(-35.0, 22.0), second: None, n: 310 },
            ForestRow {
                label: "1500 and more".to_owned(),
                whisker: whisker(41.0, 18.0),
                second: None,
                n: 520,
            },
        ],
        counts: "games".to_owned(),
    };
    Section::new("engine", "Strength").with([
        plot("strength", "Balance against strength", Chart::Curves(strength)),
        plot("reliability", "Were expectations met?", Chart::Reliability(reliability)),
        plot("elo", "Advantage by strength", Chart::Forest(elo)),
    ])
}

fn boards() -> Section {
    let square: RuleSet =
        "dim:7 start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/".parse().expect("the rules are sound");
    let mut picture = BoardPicture::of(&square);
    let shape = picture.setup.shape();
    picture.marks.heat = shape
        .cells()
        .enumerate()
        .map(|(at, cell)| Heat {
            cell,
            level: (at * 2) as u8,
            label: (at % 3 == 0).then(|| format!("{}", at * 2)),
        })
        .collect();
    let heat = BoardBlock {
        key: "heat".to_owned(),
        title: "Where the king stood".to_owned(),
        note: "Made-up figures, in percent.".to_owned(),
        picture,
    };
    let mut picture = BoardPicture::of(&square);
    let cells: Vec<_> = shape.cells().collect();
    picture.marks.moves = vec![Move { from: cells[3], to: cells[1] }, Move { from: cells[3], to: cells[6] }];
    let moves = BoardBlock {
        key: "moves".to_owned(),
        title: "First moves".to_owned(),
        note: "Made-up figures.".to_owned(),
        picture,
    };
    let blocks = [heat, moves].map(|board| Block::Board(Box::new(board)));
    Section::new("boards", "On the board").with(blocks)
}
