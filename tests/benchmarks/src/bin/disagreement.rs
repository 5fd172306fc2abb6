//! Prints why sources disagree on a variant, and compares the figures of the play site with its games:
//! `disagreement CORPUS VARIANT [allGametypes.json]`.

use tafl_corpus::Corpus;
use tafl_reports::stats::{Balance, NotEstimable};
use tafl_reports::{
    Agreement, BalanceSlice, EXPERIENCED, GameFacts, GameTally, Games, GamesToLoad, PublishedBalance,
    PublishedFigure, check_published, disagreement, games_per_player, load_games, published_balances,
    record_tags,
};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let corpus = Corpus::open(arguments[0].as_ref()).expect("the corpus opens");
    let games = load_games(&corpus, GamesToLoad::All).expect("the corpus can be read");
    let variant = games.variant(&arguments[1]).expect("the corpus has the variant");
    let found =
        disagreement(&corpus, &games, variant, &published_balances()).expect("the corpus can be read");
    let slice = |slice: &BalanceSlice| line(&slice.label, &slice.tally, &slice.balance);
    slice(&found.all);
    println!("between equals {:?}", found.between_equals);
    found.by_source.iter().for_each(slice);
    println!("shared lines {}", found.shared_lines);
    [&found.by_timeout, &found.by_resignation, &found.on_board].into_iter().for_each(slice);
    for choice in &found.sensitivity {
        line(choice.without.as_str(), &choice.tally, &choice.balance);
    }
    found.by_match.iter().for_each(slice);
    found.by_number.iter().flatten().for_each(slice);
    let groups = found.by_band.into_iter().flatten().chain(found.by_experience);
    for group in groups {
        line(&format!("strength {}", group.label), &group.tally, &group.balance);
        println!("      advantage {:?}", group.elo.map(|elo| [elo.value, elo.low, elo.high].map(f64::round)));
    }
    for check in &found.published {
        println!("{}: {:?} {:?}", check.published.source, check.published.figure, check.all.agreement);
        println!("      agrees with {}", check.agreeing.join(", "));
    }
    if let Some(path) = arguments.get(2) {
        site(&corpus, &games, path);
    }
}

fn line(label: &str, tally: &GameTally, balance: &Result<Balance, NotEstimable>) {
    let balance = balance.as_ref().map(|b| format!("{} [{}, {}]", b.value, b.low, b.high));
    println!("{label:44} {:6} {}", tally.games, balance.unwrap_or_else(|missing| missing.to_string()));
}

fn site(corpus: &Corpus, games: &Games, path: &str) {
    let text = std::fs::read_to_string(path).expect("the file can be read");
    let types: serde_json::Value = serde_json::from_str(&text).expect("the file is JSON");
    let labels = record_tags(corpus, games, "AageGameTypeName").expect("the corpus can be read");
    let counts = games_per_player(&games.rows, games.players.len());
    let is_experienced = |game: &GameFacts| {
        game.pair().is_some_and(|pair| pair.iter().all(|cursor| counts[*cursor as usize] >= EXPERIENCED))
    };
    let mut agreed = [[0; 4]; 2];
    for (_, entry) in types.as_object().expect("the file is an object") {
        let name = entry["name"].as_str().unwrap_or("").trim();
        let figure = entry["balance"].as_str().and_then(|text| text.parse().ok()).unwrap_or(0.0);
        let own: Vec<GameFacts> = games
            .rows
            .iter()
            .zip(&labels)
            .filter(|(_, label)| label.as_deref().is_some_and(|label| label.trim() == name))
            .map(|(game, _)| *game)
            .collect();
        let published = PublishedBalance {
            source: "site".to_owned(),
            variant: name.to_owned(),
            figure: PublishedFigure::Ratio(figure),
        };
        let found = check_published(&published, &own, is_experienced);
        for (sums, agreement) in agreed.iter_mut().zip([found.all.agreement, found.experienced.agreement]) {
            sums[match agreement {
                Agreement::Same => 0,
                Agreement::WithinChance => 1,
                Agreement::Differs => 2,
                Agreement::Nothing => 3,
            }] += 1;
        }
        if found.all.agreement == Agreement::Differs {
            print!("{figure:+.2} against ");
            line(name, &found.all.tally, &found.all.balance);
            line("        both experienced", &found.experienced.tally, &found.experienced.balance);
        }
    }
    println!(
        "equal, within the interval, outside, not comparable: all games {:?}, experienced {:?}",
        agreed[0], agreed[1]
    );
}
