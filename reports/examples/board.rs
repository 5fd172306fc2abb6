//! Draws the start of a variant as SVG.
//!
//! `cargo run --release -p tafl-reports --example board -- brandubh7 > board.svg`

use std::error::Error;

use tafl_reports::BoardPicture;
use tafl_rules::catalog;

fn main() -> Result<(), Box<dyn Error>> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "brandubh7".to_owned());
    let variant = catalog::find(&name).ok_or_else(|| format!("unknown variant `{name}`"))?;
    let mut picture = BoardPicture::of(&variant.rules());
    picture.caption = Some(variant.name.to_owned());
    println!("{}", picture.to_svg());
    Ok(())
}
