//! All placements of a pattern on boards of one shape.

use std::collections::HashSet;

use tafl_rules::{Cell, Coord, PieceSet, Shape, Symmetry, shape_symmetries};

use super::{Anchor, Colors, ContentMask, Layer, Pattern, content_of};
use crate::pattern::PatternSymmetries;
use crate::ply_state::{CellContent, PlyState};
use crate::query::Placement;

/// The properties of a board and its rules that placements of patterns depend on.
#[derive(Debug, Clone)]
pub(crate) struct BoardInfo {
    /// The shape of the board.
    pub(crate) shape: Shape,
    /// The thrones.
    pub(crate) thrones: Vec<Cell>,
    /// The kinds of pieces that can be on the board.
    pub(crate) pieces: PieceSet,
    /// The number of cells with each content at the start. Rare contents are tested first.
    pub(crate) counts: [u16; CellContent::COUNT],
    /// Whether both sides have a king.
    pub(crate) two_kings: bool,
}

/// A cell and its allowed contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct CellCondition {
    pub(crate) cell: u16,
    pub(crate) mask: ContentMask,
}

/// A list of conditions: `start..end` of [`PatternPlacements::conditions`].
#[derive(Debug, Clone, Copy)]
struct ConditionRange {
    start: u32,
    end: u32,
}

/// A pattern under one placement.
#[derive(Debug, Clone)]
struct PlacedPattern {
    look_for: Vec<ConditionRange>,
    except: Vec<ConditionRange>,
    placement: Placement,
}

/// The conditions of the layers of a pattern under one placement.
#[derive(Debug, Clone)]
pub(crate) struct PlacedLayers<'p> {
    /// One of these must hold.
    pub(crate) look_for: Vec<&'p [CellCondition]>,
    /// None of these may hold.
    pub(crate) except: Vec<&'p [CellCondition]>,
}

/// A pattern under all its placements.
#[derive(Debug, Clone)]
pub(crate) struct PatternPlacements {
    /// The rarest condition of each placement, which rules out nearly all placements.
    rarest: Vec<CellCondition>,
    patterns: Vec<PlacedPattern>,
    conditions: Vec<CellCondition>,
    /// Whether it fits on the board, regardless of the pieces.
    pub(crate) fits: bool,
}

/// The conditions of all layers under one placement, before they are stored.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct LayerConditions {
    look_for: Vec<Vec<CellCondition>>,
    except: Vec<Vec<CellCondition>>,
}

impl PatternPlacements {
    /// Returns the placements of a pattern; `number` is its number in the query.
    pub(crate) fn new(pattern: &Pattern, board_info: &BoardInfo, number: u16) -> PatternPlacements {
        let mut placements = PatternPlacements {
            rarest: Vec::new(),
            patterns: Vec::new(),
            conditions: Vec::new(),
            fits: false,
        };
        let mut seen = HashSet::new();
        let symmetries = match pattern.symmetries {
            PatternSymmetries::All => shape_symmetries(board_info.shape),
            PatternSymmetries::AsWritten => shape_symmetries(board_info.shape).into_iter().take(1).collect(),
        };
        for colors in colors_of(pattern, board_info) {
            for symmetry in &symmetries {
                for origin in origins(pattern, board_info, symmetry) {
                    let builder = PlacementBuilder { pattern, board_info, symmetry, origin, colors };
                    let Some(layers) = builder.layers(&mut placements.fits) else { continue };
                    if seen.insert(layers.clone()) {
                        placements.add(&layers, builder.placement(number));
                    }
                }
            }
        }
        placements
    }

    fn add(&mut self, layers: &LayerConditions, placement: Placement) {
        let rarest = match &layers.look_for[..] {
            [only] => only.first().copied(),
            _ => None,
        };
        // If the only layer has no condition, or there are several layers, the first test always holds.
        let rarest = rarest.unwrap_or(CellCondition { cell: 0, mask: ContentMask::ANY });
        let mut store = |layers: &[Vec<CellCondition>]| -> Vec<ConditionRange> {
            layers
                .iter()
                .map(|layer| {
                    let start = self.conditions.len() as u32;
                    self.conditions.extend(layer);
                    ConditionRange { start, end: self.conditions.len() as u32 }
                })
                .collect()
        };
        let (look_for, except) = (store(&layers.look_for), store(&layers.except));
        self.rarest.push(rarest);
        self.patterns.push(PlacedPattern { look_for, except, placement });
    }

    /// Returns the first placement that matches a board.
    pub(crate) fn find(&self, state: &PlyState) -> Option<Placement> {
        self.find_placed(state.board()).map(|placed| placed.placement)
    }

    /// Returns whether a placement matches a board.
    #[inline]
    pub(crate) fn holds(&self, board: &[CellContent]) -> bool {
        self.find_placed(board).is_some()
    }

    #[inline]
    fn find_placed(&self, board: &[CellContent]) -> Option<&PlacedPattern> {
        let mut places = self.rarest.iter().zip(&self.patterns);
        let found = places.find(|(rarest, placed)| {
            rarest.mask.fits(board[usize::from(rarest.cell)]) && self.matches(placed, board)
        });
        found.map(|(_, placed)| placed)
    }

    #[inline(never)]
    fn matches(&self, placed: &PlacedPattern, board: &[CellContent]) -> bool {
        let all = |conditions: &ConditionRange| {
            self.of(*conditions).iter().all(|it| it.mask.fits(board[usize::from(it.cell)]))
        };
        placed.look_for.iter().any(all) && !placed.except.iter().any(all)
    }

    fn of(&self, conditions: ConditionRange) -> &[CellCondition] {
        &self.conditions[conditions.start as usize..conditions.end as usize]
    }

    /// Returns the number of placements.
    pub(crate) fn len(&self) -> usize {
        self.patterns.len()
    }

    /// Returns the conditions of every placement.
    pub(crate) fn places(&self) -> impl Iterator<Item = PlacedLayers<'_>> {
        let layers = |layers: &[ConditionRange]| layers.iter().map(|layer| self.of(*layer)).collect();
        self.patterns.iter().map(move |placed| PlacedLayers {
            look_for: layers(&placed.look_for),
            except: layers(&placed.except),
        })
    }
}

/// Returns the color swaps under which a pattern is searched for.
fn colors_of(pattern: &Pattern, board_info: &BoardInfo) -> Vec<Colors> {
    let kings = ContentMask::of_pieces(PieceSet::KINGS);
    let sides = [ContentMask::of_pieces(PieceSet::ATTACKERS), ContentMask::of_pieces(PieceSet::DEFENDERS)];
    // "Any defender" and "anything" do not name the king, though he fits.
    let names_king = |mask: &ContentMask| {
        let is_general = sides.contains(mask) || *mask == ContentMask::PIECE || *mask == ContentMask::ANY;
        !is_general && mask.intersection(kings) != ContentMask::NEVER
    };
    let mut masks =
        pattern.look_for.iter().chain(&pattern.except).flat_map(|layer| layer.rows.iter().flatten());
    let has_king = pattern.anchor == Anchor::King || masks.any(names_king);
    match pattern.colors {
        Colors::Swapped if !has_king || board_info.two_kings => vec![Colors::AsWritten, Colors::Swapped],
        Colors::Swapped | Colors::AsWritten => vec![Colors::AsWritten],
    }
}

/// Returns the coordinates of the first cell of a pattern, before the symmetry is applied.
fn origins(pattern: &Pattern, board_info: &BoardInfo, symmetry: &Symmetry) -> Vec<Coord> {
    let shape = board_info.shape;
    let rows = pattern.look_for[0].rows.len() as i16;
    let columns = pattern.look_for[0].rows.iter().map(Vec::len).max().unwrap_or(0) as i16;
    let anywhere = || {
        let (last_file, last_rank) = (shape.n_ranks() - 1, shape.n_ranks() - 1);
        let ranks = 1 - rows..=last_rank;
        ranks.flat_map(move |rank| (1 - columns..=last_file).map(move |file| Coord::new(file, rank)))
    };
    match pattern.anchor {
        Anchor::Anywhere | Anchor::King => anywhere().collect(),
        Anchor::Board | Anchor::Corner => vec![Coord::new(0, 0)],
        Anchor::Edge => anywhere().filter(|origin| origin.rank == 0).collect(),
        Anchor::At(coord) => vec![coord],
        Anchor::Throne => {
            let middle = |cell: &Cell| {
                let before = symmetry.map.iter().position(|image| image == cell);
                let coord = shape.coord(Cell::new(before.expect("a symmetry reaches every cell")));
                Coord::new(coord.file - columns / 2, coord.rank - rows / 2)
            };
            board_info.thrones.iter().map(middle).collect()
        }
    }
}

/// A candidate placement of a pattern.
struct PlacementBuilder<'a> {
    pattern: &'a Pattern,
    board_info: &'a BoardInfo,
    symmetry: &'a Symmetry,
    origin: Coord,
    colors: Colors,
}

impl PlacementBuilder<'_> {
    /// Returns the conditions of all layers that can hold here, or `None` if the pattern cannot lie here.
    fn layers(&self, fits: &mut bool) -> Option<LayerConditions> {
        let is_board = self.pattern.anchor == Anchor::Board;
        if is_board && self.pattern.look_for[0].board() != Some(self.board_info.shape) {
            return None;
        }
        let look_for: Vec<Vec<(Cell, ContentMask)>> =
            self.pattern.look_for.iter().filter_map(|layer| self.cells(layer)).collect();
        *fits |= !look_for.is_empty();
        let mut look_for: Vec<Vec<CellCondition>> =
            look_for.iter().filter_map(|layer| self.conditions(layer)).collect();
        let except: Vec<Vec<(Cell, ContentMask)>> =
            self.pattern.except.iter().filter_map(|layer| self.cells(layer)).collect();
        let mut except: Vec<Vec<CellCondition>> =
            except.iter().filter_map(|layer| self.conditions(layer)).collect();
        if look_for.is_empty() || except.iter().any(Vec::is_empty) {
            return None;
        }
        for layers in [&mut look_for, &mut except] {
            layers.sort();
            layers.dedup();
            layers.iter_mut().for_each(|layer| layer.sort_by_key(|it| (self.frequency(it.mask), *it)));
        }
        // A layer without conditions makes the others redundant.
        if look_for.iter().any(Vec::is_empty) {
            look_for = vec![Vec::new()];
        }
        Some(LayerConditions { look_for, except })
    }

    /// Returns the cells of a layer with a condition, or `None` if one of them is off the board.
    fn cells(&self, layer: &Layer) -> Option<Vec<(Cell, ContentMask)>> {
        let shape = self.board_info.shape;
        let mut cells = Vec::new();
        for (row, rank) in layer.rows.iter().zip(0..) {
            let first_file = if self.pattern.anchor == Anchor::Board { shape.first_file(rank) } else { 0 };
            for (mask, file) in row.iter().zip(first_file..) {
                let mask = self.mask(layer, *mask, Coord::new(file, rank));
                if mask != ContentMask::ANY {
                    let coord = Coord::new(self.origin.file + file, self.origin.rank + rank);
                    cells.push((self.symmetry.image(shape.cell(coord)?), mask));
                }
            }
        }
        Some(cells)
    }

    /// Returns the mask of a cell of a layer, with the king in the middle if the pattern is anchored to him.
    fn mask(&self, layer: &Layer, mask: ContentMask, at: Coord) -> ContentMask {
        let middle = Coord::new(layer.rows[0].len() as i16 / 2, layer.rows.len() as i16 / 2);
        let mask = if self.pattern.anchor == Anchor::King && middle == at {
            mask.intersection(ContentMask::of(content_of('K')))
        } else {
            mask
        };
        match self.colors {
            Colors::AsWritten => mask,
            Colors::Swapped => mask.swapped(),
        }
    }

    /// Returns the conditions without contents that this board never has, or `None` if one of them can never hold.
    fn conditions(&self, cells: &[(Cell, ContentMask)]) -> Option<Vec<CellCondition>> {
        let possible = ContentMask::of_pieces(self.board_info.pieces).union(ContentMask::EMPTY);
        let mut conditions = Vec::with_capacity(cells.len());
        for (cell, mask) in cells {
            let mask = mask.intersection(possible);
            if mask == ContentMask::NEVER {
                return None;
            }
            if mask != possible {
                conditions.push(CellCondition { cell: cell.index() as u16, mask });
            }
        }
        Some(conditions)
    }

    /// Returns the number of cells that match a mask at the start.
    fn frequency(&self, mask: ContentMask) -> u16 {
        mask.contents().map(|content| self.board_info.counts[usize::from(content.code())]).sum()
    }

    fn placement(&self, pattern: u16) -> Placement {
        Placement {
            pattern,
            symmetry: self.symmetry.id,
            files: self.origin.file as i8,
            ranks: self.origin.rank as i8,
            swapped: self.colors == Colors::Swapped,
        }
    }
}
