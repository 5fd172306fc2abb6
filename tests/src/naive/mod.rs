//! A second implementation of the rules: slow, simple, and written from the rule texts alone.
//!
//! It shares only data types with `tafl-rules` (pieces, shapes, rule sets, outcomes). Where both agree on random
//! games of random rule sets, an error would have to be present in both, independently.
//!
//! # Interpretations
//!
//! Where the texts are silent or ambiguous, this model follows these interpretations.
//!
//! Terms: a *man* is every piece except royal kings and guards; a king that is not royal is a man. Every piece is an
//! *anvil* and a *hammer* except guards, and kings whose arming excludes it. *Hostile* cells are defined by
//! `board::hostile`: cells of camps and fortresses that are hostile to the piece, empty or not (for attackers,
//! without the exempt cells); the empty throne and empty corners that are hostile to it; the throne with a king on
//! it, under `throne_hostile_occupied`; and beyond the edge, under `edge_hostile`. A piece on any other special cell
//! counts as that piece.
//!
//! Moves:
//! - A cell in several zones obeys the rules of all of them.
//! - A piece that starts inside a camp or fortress may pass those of its cells on which it may stop. Re-entry rules
//!   apply only to pieces that start outside of the zone, and never to passing. With `camps_apart`, "inside" means
//!   the same connected camp. The start of the move is decisive.
//! - Jumps follow axes, for queens as well, have no maximum length, and require only that the piece may stop on the
//!   landing cell. The pieces that a jump may cross depend on their roles.
//! - A restricted jump starts or ends on the throne, a corner, or a fortress of the piece's own side, as in the
//!   specification of OpenTafl.
//! - Under `forced_capture`, the first move of a turn must capture if any piece of its side could capture by a move,
//!   whatever it captures. Steps of a chain are exempt.
//!
//! Captures are decided on the board after the move, before any piece is removed:
//! - A moved piece that is not a hammer captures nothing by any rule. The moved piece counts as a captor if it is a
//!   hammer, every other piece if it is an anvil: in fronts and ends of shieldwalls, as a partner at a hexagonal
//!   corner, and next to a king.
//! - Royal kings are captured only by the mode of their cell. `all4` requires neighbors on the board, so the edge
//!   does not help even if it is hostile; `alt3` requires pieces; `any3` accepts three hostile neighbors of any kind.
//! - Commanders capture a king by piercing anywhere except on the throne, in every mode: the moved piece is a
//!   commander, and the opposite cell holds another one, or is an empty corner that is hostile to the king.
//! - The row of a shieldwall is closed by an anvil, by the moved piece, or by an empty corner, hostile or not, but
//!   never by the end of the board. Its men are captured; royal kings and guards are not. If no flanking move is
//!   required, the move may also complete the front. If only one wall is captured, rows along ranks precede those
//!   along files, and the one in ascending direction precedes the other.
//! - A capturing jump captures every enemy that it crosses, including a royal king, but no guard and no dux. A dux is
//!   captured only by three hostile neighbors on the board.
//! - Mercenaries change sides after all captures are determined. In every other respect this is a capture.
//!
//! Ends:
//! - Within a chain of captures, only captured kings, goals, forts, encirclement, and lost armies end the game.
//!   Missing moves, repetition, and limits are checked when the turn passes, which includes the end of the game. Each
//!   step of a chain is a ply.
//! - A side that declines to continue a chain ends its turn without a ply and without a check: the other side moves.
//! - Encirclement requires a defender on the board. A fort belongs to one king of the defenders. Guards cannot be
//!   removed from its wall, and a dux only if three of its neighbors can become hostile.
//! - Repetition compares the boards at the ends of turns since the last capture; the first of them is the board after
//!   that capture. The configuration of the defenders is compared on these boards and after each of their own turns.
//!   If several rules apply, a decisive one precedes a draw.
//! - Under `defko`, a move of the defenders must not recreate an earlier board since the last capture.

mod board;
mod captures;
mod ends;
mod facts;
mod game;
mod kings;
mod moves;
mod walls;

pub use game::Naive;
