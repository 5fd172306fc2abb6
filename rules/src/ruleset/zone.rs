//! Zones: the special cells of a board and their effects on pieces.

use std::ops::{Index, IndexMut};

use crate::piece::{Piece, PieceSet, Role};
use crate::shape::{Cell, Shape};
use crate::side::Side;

/// A kind of special cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ZoneKind {
    /// The throne.
    Throne,
    /// The corners.
    Corner,
    /// The attackers' fortresses, called camps.
    Camp,
    /// The defenders' fortresses.
    Fort,
}

impl ZoneKind {
    /// Every kind. A cell in several zones has the first of their kinds.
    pub const ALL: [ZoneKind; 4] = [ZoneKind::Throne, ZoneKind::Corner, ZoneKind::Camp, ZoneKind::Fort];

    /// Returns the English noun for a cell of this kind.
    pub const fn as_str(self) -> &'static str {
        match self {
            ZoneKind::Throne => "throne",
            ZoneKind::Corner => "corner",
            ZoneKind::Camp => "camp",
            ZoneKind::Fort => "fortress",
        }
    }

    /// Returns whether the zone is a side's fortress, which is also hostile while occupied and open
    /// to pieces inside it.
    pub const fn is_fortress(self) -> bool {
        matches!(self, ZoneKind::Camp | ZoneKind::Fort)
    }

    /// Returns the fortress of a side.
    pub const fn fortress_of(side: Side) -> ZoneKind {
        match side {
            Side::Attackers => ZoneKind::Camp,
            Side::Defenders => ZoneKind::Fort,
        }
    }
}

/// The cells of a zone and its rules for pieces.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Zone {
    /// The cells, in ascending order.
    pub cells: Vec<Cell>,
    /// The pieces to which a cell of the zone is hostile while it is empty, and always in the zones
    /// that are fortresses, see [`ZoneKind::is_fortress`].
    pub hostile: PieceSet,
    /// The pieces that may pass over a cell of the zone.
    pub pass: PieceSet,
    /// The pieces that may stop on a cell of the zone.
    pub stop: PieceSet,
    /// The pieces that may enter from outside; others may only move within the zone.
    pub reenter: PieceSet,
}

impl Zone {
    /// Returns whether the zone contains a cell.
    pub fn contains(&self, cell: Cell) -> bool {
        self.cells.contains(&cell)
    }

    /// Returns whether the zone has no cells.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }
}

/// A table with one value for each kind of zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ByZone<T> {
    /// The value of the throne.
    pub throne: T,
    /// The value of the corners.
    pub corners: T,
    /// The value of the attackers' fortresses.
    pub camps: T,
    /// The value of the defenders' fortresses.
    pub forts: T,
}

impl<T> ByZone<T> {
    /// Returns the table with the values returned by `make`.
    pub fn from_fn(mut make: impl FnMut(ZoneKind) -> T) -> ByZone<T> {
        ByZone {
            throne: make(ZoneKind::Throne),
            corners: make(ZoneKind::Corner),
            camps: make(ZoneKind::Camp),
            forts: make(ZoneKind::Fort),
        }
    }

    /// Returns the values with their kinds, in the order of [`ZoneKind::ALL`].
    pub fn iter(&self) -> impl Iterator<Item = (ZoneKind, &T)> {
        ZoneKind::ALL.into_iter().map(|kind| (kind, &self[kind]))
    }

    /// Returns the values, in the order of [`ZoneKind::ALL`].
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.iter().map(|(_, value)| value)
    }
}

impl ByZone<Zone> {
    /// Returns the zones of a rules string that does not mention them.
    pub(super) fn with_defaults(shape: Shape) -> ByZone<Zone> {
        let king = PieceSet::of(Piece::new(Side::Defenders, Role::King));
        let attackers = PieceSet::ATTACKERS;
        let others = PieceSet::ALL.without(attackers);
        let all = PieceSet::ALL;
        let zone = |cells, hostile, pass, stop| Zone { cells, hostile, pass, stop, reenter: all };
        ByZone {
            throne: zone(shape.center().into_iter().collect(), all, all, king),
            corners: zone(shape.corners(), all, king, king),
            camps: zone(Vec::new(), others, all, all),
            forts: zone(Vec::new(), attackers, others, others),
        }
    }

    /// Returns the first kind of zone that contains a cell.
    pub fn kind_at(&self, cell: Cell) -> Option<ZoneKind> {
        self.iter().find(|(_, zone)| zone.contains(cell)).map(|(kind, _)| kind)
    }
}

impl<T> Index<ZoneKind> for ByZone<T> {
    type Output = T;
    fn index(&self, kind: ZoneKind) -> &T {
        match kind {
            ZoneKind::Throne => &self.throne,
            ZoneKind::Corner => &self.corners,
            ZoneKind::Camp => &self.camps,
            ZoneKind::Fort => &self.forts,
        }
    }
}

impl<T> IndexMut<ZoneKind> for ByZone<T> {
    fn index_mut(&mut self, kind: ZoneKind) -> &mut T {
        match kind {
            ZoneKind::Throne => &mut self.throne,
            ZoneKind::Corner => &mut self.corners,
            ZoneKind::Camp => &mut self.camps,
            ZoneKind::Fort => &mut self.forts,
        }
    }
}
