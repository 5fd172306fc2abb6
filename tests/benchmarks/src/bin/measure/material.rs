//! The input of a measurement: files, or records of random games.

use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;

use anyhow::{Context, bail};
use tafl_parser::{Batch, Format, ReadOptions, Record, Records, WriteGame, Written, unpack, write_record};
use tafl_rules::{AnyRulebook, Rng, Span, catalog};
use tafl_tests::random_game::play;

use crate::figure::Size;
use crate::options::Options;

/// A text with records, in memory.
pub(crate) struct Material {
    /// The name of the file; that of random games names the variant.
    pub(crate) name: String,
    /// The text, unpacked.
    pub(crate) bytes: Vec<u8>,
    /// The size.
    pub(crate) size: Size,
    format: Option<Format>,
}

/// The number of different games; the text repeats them.
const GAMES: usize = 50;
/// The maximum number of plies of a game.
const MAX_PLIES: usize = 100;

/// Returns the input files, or records of random games in two notations.
pub(crate) fn materials(options: &Options) -> anyhow::Result<Vec<Material>> {
    if options.input.is_empty() {
        return random_games(options.size as usize * 1_000_000);
    }
    let read = |path: &PathBuf| {
        let name = path.display().to_string();
        let mut bytes = Vec::new();
        let read = File::open(path).and_then(unpack).and_then(|mut text| text.read_to_end(&mut bytes));
        read.with_context(|| name.clone())?;
        Material::new(name, bytes, None)
    };
    options.input.iter().map(read).collect()
}

/// Returns records of random games in two notations, of about `bytes` bytes each.
fn random_games(bytes: usize) -> anyhow::Result<Vec<Material>> {
    let variant = catalog::find("copenhagen11").context("the catalog has Copenhagen")?;
    let rules = variant.rules();
    let book = AnyRulebook::compile(&rules)?;
    let mut rng = Rng::new(1);
    let mut records: Vec<Record> =
        (0..GAMES).map(|_| play(&book, &mut rng, MAX_PLIES).record(book.shape())).collect();
    let lists = text_of(&records, Format::MoveList)?;
    for record in &mut records {
        record.rules = Some(Written { text: rules.to_string().into(), span: Span::default() });
    }
    let games = text_of(&records, Format::OpenTafl)?;
    [(Format::MoveList, lists), (Format::OpenTafl, games)]
        .into_iter()
        .map(|(format, text)| {
            let text = text.repeat((bytes / text.len()).max(1));
            Material::new(format!("{}.{}", variant.name, format.extension()), text.into_bytes(), Some(format))
        })
        .collect()
}

fn text_of(records: &[Record], format: Format) -> anyhow::Result<String> {
    let mut text = String::new();
    for record in records {
        write_record(WriteGame { record, played: None }, format, &mut text)?;
    }
    Ok(text)
}

impl Material {
    fn new(name: String, bytes: Vec<u8>, format: Option<Format>) -> anyhow::Result<Material> {
        let mut material = Material { name, bytes, size: Size::default(), format };
        let mut size = Size::default();
        let read = material.batches(|batch| {
            for (source, parsed) in batch.parse() {
                size.bytes += source.text.len() as u64;
                size.games += 1;
                size.moves += parsed.value.main().moves.len() as u64;
            }
        });
        read.with_context(|| material.name.clone())?;
        if size.games == 0 {
            bail!("{}: no readable record", material.name);
        }
        material.size = size;
        Ok(material)
    }

    /// Starts to read the records.
    pub(crate) fn records(&self) -> io::Result<Records<'_>> {
        let options = ReadOptions { format: self.format, ..ReadOptions::default() };
        Records::new(&self.name, self.bytes.as_slice(), options)
    }

    /// Reads all records.
    pub(crate) fn batches(&self, mut each: impl FnMut(&Batch)) -> io::Result<()> {
        let mut records = self.records()?;
        while let Some(batch) = records.next_batch()? {
            each(&batch);
        }
        Ok(())
    }
}
