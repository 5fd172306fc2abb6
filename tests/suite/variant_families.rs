//! The map of variants by behavior recovers families, which are not in its input, from games of an archive.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};

use flate2::read::GzDecoder;
use serde_json::Value;
use tafl_rules::Rng;
use tafl_tests::data;

use crate::in_process::tafl;

/// The number of games of each variant, so that the test stays short.
const GAMES: usize = 150;

/// Returns the family that the name of a variant states.
fn family(name: &str) -> Option<usize> {
    const FAMILIES: [&[&str]; 4] =
        [&["brandub"], &["sea battle", "sea-battle", "seabattle"], &["tawlbwrdd"], &["tablut"]];
    FAMILIES.iter().position(|words| words.iter().any(|word| name.to_lowercase().contains(word)))
}

/// Writes the first games of each variant of a family, in the notation of the archive.
fn write_games(to: &mut File) {
    let archive = File::open(data::records("aagenielsen").join("games.jsonl.gz")).unwrap();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for line in BufReader::new(GzDecoder::new(archive)).lines() {
        let line = line.unwrap();
        let game: Value = serde_json::from_str(&line).unwrap();
        let name = game["AageGameTypeName"].as_str().unwrap_or_default();
        if family(name).is_none() {
            continue;
        }
        let count = counts.entry(name.to_owned()).or_default();
        *count += 1;
        if *count <= GAMES {
            writeln!(to, "{line}").unwrap();
        }
    }
}

/// Returns the proportion of variants whose nearest one is of their family, and the proportion of triples in which a variant
/// is nearer to one of its family than to one of another.
fn recovered(distances: &[Vec<f64>], families: &[usize]) -> (f64, f64) {
    let n = families.len();
    let (mut nearest, mut right, mut all) = (0, 0.0, 0.0);
    for one in 0..n {
        let others = || (0..n).filter(|other| *other != one);
        let first = others().min_by(|a, b| distances[one][*a].total_cmp(&distances[one][*b])).unwrap();
        nearest += usize::from(families[first] == families[one]);
        for kin in others().filter(|other| families[*other] == families[one]) {
            for other in others().filter(|other| families[*other] != families[one]) {
                let (near, far) = (distances[one][kin], distances[one][other]);
                all += 1.0;
                right += if near < far { 1.0 } else { f64::from(u8::from(near == far)) / 2.0 };
            }
        }
    }
    (f64::from(nearest as u32) / n as f64, right / all)
}

#[test]
#[cfg_attr(not(has_records), ignore = "TAFL_RECORDS is not set")]
fn families_are_recovered_by_behavior() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let [games, corpus, map] = ["games.jsonl", "corpus", "map.json"].map(path);
    write_games(&mut File::create(&games).unwrap());
    tafl(&["import", &corpus, &games]);
    tafl(&["report", "map", &corpus, "--limit", "60", "-o", &map]);
    let map: Value = serde_json::from_str(&fs::read_to_string(&map).unwrap()).unwrap();
    // The distances come from the metrics of games alone; names are only labels of rows.
    let rows = map["sections"]["distances"]["tables"]["behavior_distances"]["rows"].as_object().unwrap();
    let names: Vec<&String> = rows.keys().collect();
    let mut families: Vec<usize> = names.iter().map(|name| family(name).unwrap_or(usize::MAX)).collect();
    let between = |one: &&String, other: &&String| rows[*one]["cells"][*other].as_f64().unwrap_or(0.0);
    let distances: Vec<Vec<f64>> =
        names.iter().map(|one| names.iter().map(|other| between(one, other)).collect()).collect();
    assert!(names.len() >= 25 && !families.contains(&usize::MAX), "{names:?}");
    let (nearest, triples) = recovered(&distances, &families);
    // Chance: the families are assigned to the variants at random.
    let mut rng = Rng::new(1);
    let (mut as_near, mut as_right) = (0, 0);
    for _ in 0..500 {
        rng.shuffle(&mut families);
        let (random_nearest, random_triples) = recovered(&distances, &families);
        as_near += usize::from(random_nearest >= nearest);
        as_right += usize::from(random_triples >= triples);
    }
    println!("{} variants: nearest {nearest:.2}, triples {triples:.2}", names.len());
    assert_eq!((as_near, as_right), (0, 0), "nearest {nearest}, triples {triples}");
}
