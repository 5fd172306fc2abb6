//! What is measured on: files, or records of games that the program plays.

use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;

use anyhow::{Context, bail};
use tafl_parser::reader::{Batch, ReadOptions, Records, unpacked};
use tafl_parser::record::Written;
use tafl_parser::write::{WriteGame, write};
use tafl_parser::{Format, Record};
use tafl_rules::Rng;
use tafl_rules::{AnyRulebook, Span, catalog};

use super::figure::Size;
use crate::args::tools::BenchArgs;
use crate::random_game::play;

/// A text with records, in memory.
pub(super) struct Material {
    /// The file's name, which also says the variant of games that the program played.
    pub(super) name: String,
    /// The text, unpacked.
    pub(super) bytes: Vec<u8>,
    /// How large it is.
    pub(super) size: Size,
    format: Option<Format>,
}

/// How many different games are played; the text repeats them.
const GAMES: usize = 50;
/// The most plies of a game.
const MOST_PLIES: usize = 100;

/// Returns the files that are named, or records of the program's own games in two notations.
pub(super) fn materials(args: &BenchArgs) -> anyhow::Result<Vec<Material>> {
    if args.input.is_empty() {
        return own(args.size as usize * 1_000_000);
    }
    let read = |path: &PathBuf| {
        let name = path.display().to_string();
        let mut bytes = Vec::new();
        let read = File::open(path).and_then(unpacked).and_then(|mut text| text.read_to_end(&mut bytes));
        read.with_context(|| name.clone())?;
        Material::new(name, bytes, None)
    };
    args.input.iter().map(read).collect()
}

/// Returns about so many bytes of records of games that the program plays, once in each of two notations.
fn own(bytes: usize) -> anyhow::Result<Vec<Material>> {
    let variant = catalog::find("copenhagen11").context("the catalog has Copenhagen")?;
    let rules = variant.rules();
    let book = AnyRulebook::compile(&rules)?;
    let mut dice = Rng::new(1);
    let mut records: Vec<Record> =
        (0..GAMES).map(|_| play(&book, &mut dice, MOST_PLIES).record(book.shape())).collect();
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
        write(WriteGame { record, played: None }, format, &mut text)?;
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
            bail!("{}: there is no record that could be read", material.name);
        }
        material.size = size;
        Ok(material)
    }

    /// Begins to read the records.
    pub(super) fn records(&self) -> io::Result<Records<'_>> {
        let options = ReadOptions { format: self.format, ..ReadOptions::default() };
        Records::new(&self.name, self.bytes.as_slice(), options)
    }

    /// Reads all records.
    pub(super) fn batches(&self, mut each: impl FnMut(&Batch)) -> io::Result<()> {
        let mut records = self.records()?;
        while let Some(batch) = records.next_batch()? {
            each(&batch);
        }
        Ok(())
    }
}
