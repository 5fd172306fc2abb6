//! Figures on a page: what SVG, PNG, and PDF are written from.

use super::BoardPicture;
use super::paint::Painting;
use super::scene::SceneItem;

/// The figures of a page, bottom first, and its size.
#[derive(Debug)]
pub(crate) struct BoardDrawing {
    pub(crate) width: f32,
    pub(crate) height: f32,
    pub(crate) items: Vec<SceneItem>,
}

impl BoardDrawing {
    /// Returns the drawing of one board.
    pub(crate) fn of(picture: &BoardPicture) -> BoardDrawing {
        let painting = Painting::of(picture);
        let items = painting.items().cloned().collect();
        BoardDrawing { width: painting.layout.width, height: painting.layout.height, items }
    }
}
