//! Pictures as SVG 1.1: a single file without scripts, style sheets, or external references.

use tafl_rules::{Setup, Side};

use super::BoardPicture;
use super::paint::Painting;
use super::svg_canvas::SvgCanvas;

impl BoardPicture {
    /// Renders the picture as an SVG document.
    ///
    /// It has a title (the caption, or the shape of the board) and a description that lists the pieces for
    /// screen readers. It can be embedded in HTML unchanged.
    ///
    /// # Examples
    ///
    /// ```
    /// use tafl_reports::{BoardPicture, Zones};
    /// use tafl_rules::{Setup, Shape};
    ///
    /// let board = Shape::hex(4).unwrap();
    /// let setup = Setup::parse(board, "/t2t/5/3T2/t1TK2t/3T2/5/t2t/").unwrap();
    /// let mut picture = BoardPicture::new(setup, Zones::default());
    /// picture.caption = Some("4 < 5".to_owned());
    /// assert!(picture.to_svg().contains("<title>4 &lt; 5</title>"));
    /// ```
    pub fn to_svg(&self) -> String {
        let painting = Painting::of(self);
        let mut canvas = SvgCanvas::new(self.view.theme);
        let size = (painting.layout.width, painting.layout.height);
        canvas.open(size, &title(self), &describe(self));
        canvas.define(self.setup.pieces().map(|(_, piece)| piece));
        canvas.items(painting.items());
        canvas.close()
    }
}

/// Returns the title of a picture.
pub(crate) fn title(picture: &BoardPicture) -> String {
    let caption = picture.caption.as_deref().map(str::trim).filter(|caption| !caption.is_empty());
    caption.map_or_else(|| format!("Tafl board, {}", picture.setup.shape()), ToOwned::to_owned)
}

/// Describes the picture in words.
fn describe(picture: &BoardPicture) -> String {
    let setup = &picture.setup;
    let shape = setup.shape();
    let mut text = describe_setup(setup);
    for mv in picture
        .marks
        .moves
        .iter()
        .filter(|mv| mv.from.index() < shape.n_cells() && mv.to.index() < shape.n_cells())
    {
        text += &format!(" Last move: {}.", mv.display(shape));
    }
    let captured: Vec<String> = picture
        .marks
        .captured
        .iter()
        .filter(|captured| captured.cell.index() < shape.n_cells())
        .map(|captured| shape.name(captured.cell))
        .collect();
    if !captured.is_empty() {
        text += &format!(" Captured: {}.", captured.join(", "));
    }
    text
}

/// Describes the pieces of a board in words.
pub(crate) fn describe_setup(setup: &Setup) -> String {
    let shape = setup.shape();
    let mut text = format!("Board: {shape}.");
    for side in Side::ALL {
        let places: Vec<String> = setup
            .pieces()
            .filter(|(_, piece)| piece.side == side)
            .map(|(cell, piece)| match piece.role {
                tafl_rules::Role::Soldier => shape.name(cell),
                role => format!("{} {}", role.as_str(), shape.name(cell)),
            })
            .collect();
        let name = match side {
            Side::Attackers => "Attackers",
            Side::Defenders => "Defenders",
        };
        if places.is_empty() {
            text += &format!(" {name}: none.");
        } else {
            text += &format!(" {name}: {}.", places.join(", "));
        }
    }
    text
}
