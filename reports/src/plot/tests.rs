use super::*;

/// Returns the names of an item whose title is its name.
fn names(name: &str) -> PlotLabel {
    PlotLabel { name: name.to_owned(), title: name.to_owned() }
}

/// Returns every kind of plot with a given value in it.
fn plots(value: f64, label: &str) -> Vec<Plot> {
    let whisker = Whisker { value, low: value - 0.1, high: value + 0.1 };
    let row = ForestRow { label: label.to_owned(), whisker: Some(whisker), second: Some(whisker), n: 17 };
    let none = ForestRow { label: "none".to_owned(), whisker: None, second: None, n: 0 };
    let point = |x: f64| Point { x, y: value, interval: Some((value / 2.0, value)) };
    let curve = |line| {
        let curve =
            PlotCurve { label: label.to_owned(), n: 3, points: vec![point(1.0), point(10.0), point(value)] };
        Chart::Curves(CurvePlot {
            scatter: None,
            x: Axis::logarithmic("nodes"),
            y: Axis::percent("won (%)"),
            line,
            reference: Some((value, label.to_owned())),
            curves: vec![curve.clone(), curve],
        })
    };
    let charts = [
        Chart::Forest(Forest {
            axis: Axis::signed("balance"),
            reference: Some((0.5, label.to_owned())),
            rows: vec![row, none],
            counts: "games".to_owned(),
        }),
        curve(Line::Straight),
        curve(Line::Steps),
        Chart::Bars(Bars {
            x: Axis::from_zero("plies"),
            y: Axis::from_zero("games"),
            edges: vec![0.0, value, 2.0 * value],
            last_is_open: true,
            layers: vec![
                BarLayer { label: label.to_owned(), counts: vec![3, 4, 5] },
                BarLayer { label: "x".to_owned(), counts: vec![] },
            ],
        }),
        Chart::Reliability(Reliability {
            expected: Axis::percent("expected (%)"),
            happened: Axis::percent("won (%)"),
            bins: vec![ReliabilityBin { expected: value, happened: whisker, n: 5 }],
        }),
        Chart::Plane(PlanePlot {
            x: Axis::signed("first coordinate"),
            y: Axis::signed("second coordinate"),
            points: [value, -value, 1.0]
                .map(|x| PlanePoint { label: names(label), x, y: value, group: 1, n: 2 })
                .to_vec(),
        }),
        Chart::Dendrogram(Dendrogram {
            axis: Axis::from_zero("distance"),
            rows: [label, "x", "y"].map(names).to_vec(),
            joins: vec![
                DendrogramJoin { parts: [0, 1], height: value, support: Some(0.5) },
                DendrogramJoin { parts: [3, 2], height: 2.0 * value, support: None },
            ],
        }),
    ];
    let plot = |(at, chart)| Plot {
        key: format!("plot-{at}"),
        title: label.to_owned(),
        note: "n = 17".to_owned(),
        chart,
    };
    charts.into_iter().enumerate().map(plot).collect()
}

#[test]
fn drawings_of_any_numbers_and_names_are_well_formed() {
    for value in
        [0.0, 0.5, -3.0, 1e-12, 1e12, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN_POSITIVE]
    {
        for label in
            ["attackers", "\u{ffff}\u{fffe}\u{202e}x", "<script>alert(1)</script> & \"x\" \u{1b}[31m\n王", ""]
        {
            for plot in plots(value, label) {
                let svg = plot.to_svg().unwrap();
                let tree = roxmltree::Document::parse(&svg).unwrap_or_else(|error| panic!("{error}: {svg}"));
                assert!(tree.descendants().all(|node| !node.has_tag_name("script")), "{svg}");
                assert!(!svg.contains('\u{202e}'), "{svg}");
                for node in tree.descendants().filter(roxmltree::Node::is_element) {
                    for attribute in node.attributes() {
                        let value = attribute.value();
                        assert!(!value.contains("NaN") && !value.contains("inf"), "{value}");
                    }
                }
                for text in tree.descendants().filter_map(|node| node.text()) {
                    assert!(!text.contains("NaN") && !text.contains("inf %"), "{text}");
                }
            }
        }
    }
}

#[test]
fn pictures_have_two_pixels_for_a_unit() {
    for plot in plots(0.4, "attackers") {
        let png = plot.to_png().unwrap();
        let reader = png::Decoder::new(std::io::Cursor::new(&png)).read_info().unwrap();
        let (width, height) = plot.size();
        assert_eq!(reader.info().size(), ((width * 2.0) as u32, (height * 2.0) as u32));
    }
}

#[test]
fn the_same_plot_has_the_same_bytes() {
    for (one, other) in plots(0.4, "attackers").into_iter().zip(plots(0.4, "attackers")) {
        assert_eq!(one.to_svg().unwrap(), other.to_svg().unwrap());
        assert_eq!(one.to_png().unwrap(), other.to_png().unwrap());
    }
}

#[test]
fn a_plot_without_data_has_a_note() {
    for plot in plots(f64::NAN, "attackers").into_iter().filter(Plot::is_empty) {
        assert!(plot.to_svg().unwrap().contains("no data"));
    }
    assert!(plots(f64::NAN, "attackers")[0].is_empty());
}

#[test]
fn the_number_of_a_curve_with_a_long_name_is_not_cut_off() {
    let mut plot = plots(0.4, "defenders: king reached goal").swap_remove(1);
    let Chart::Curves(curves) = &mut plot.chart else { panic!("the second plot has curves") };
    curves.curves[0] = PlotCurve {
        label: "attackers: resignation (inferred)".to_owned(),
        n: 12_345,
        ..curves.curves[0].clone()
    };
    let svg = plot.to_svg().unwrap();
    let texts: String =
        svg.split('<').filter_map(|part| part.split_once('>')).map(|(_, text)| text.trim()).collect();
    assert!(texts.contains("resignation (inferred)") && texts.contains("(12,345)"), "{texts}");
    assert!(!texts.contains('…'), "{texts}");
}
