//! A second implementation of the rules: slow, obvious, and written from the texts of the rules alone.
//!
//! It shares data types with `tafl-rules` (pieces, shapes, rule sets, outcomes) and nothing else, so that where the two
//! agree on random games of random rule sets, the same mistake would have had to be made twice.
//!
//! # Readings
//!
//! What the texts leave open is read as follows here.
//!
//! Words: a *man* is every piece but royal kings and guards; a king that is not royal is a man. A piece is an *anvil* or a
//! *hammer* unless it is a guard, or a king whose arming says otherwise. *Hostile* is what `board::hostile` says: a
//! cell of camps or fortresses hostile to the piece, empty or not (without the spared cells for attackers); the empty throne
//! and empty corners hostile to it; the throne with any king on it for `throne_hostile_occupied`; what is off the board for
//! `edge_hostile`. A piece on another special cell counts by itself.
//!
//! Moves:
//! - A cell in several zones obeys all of them.
//! - A piece inside camps or fortresses may pass those cells on which it may stop; re-entering is asked only of a piece
//!   that starts outside of the zone. Passing never asks for re-entering. With `camps_apart`, "inside" is the same
//!   connected camp. The cell where the move starts decides.
//! - Jumps go along axes, also for queens, have no limit of length, and ask only whether the piece may stop where it lands.
//!   Whom a jump
//!   may cross is said by role.
//! - A restricted jump starts or ends on the throne, a corner or a fortress of the piece's own side, as
//!   OpenTafl's specification has it.
//!
//! Captures, all on the board after the move and before anything is removed:
//! - A mover that is not a hammer captures nothing by any rule. The mover counts as a captor by its hammer, every other
//!   piece by its anvil: fronts and ends of shieldwalls, partners at hexagonal corners, neighbors of kings.
//! - Royal kings are captured by the mode of their place only; `all4` asks for neighbors on the board, the edge does not
//!   help even where it is hostile; `alt3` asks for pieces, `any3` for three hostile neighbors of any kind.
//! - Commanders pierce a king wherever he stands except on the throne, whatever the mode: the mover is one of them, the
//!   opposite cell holds another one or is an empty corner hostile to him.
//! - A shieldwall's row is closed by an anvil, by the mover, or by an empty corner cell, hostile or not; never by the end of the
//!   board. Its men fall, royal kings and guards stay. Where no flank move is asked for, the move may also fill a front.
//!   Where one wall falls only, rows along ranks come before those along files, and the rising one first.
//! - A jump that captures takes any enemy it crosses, a royal king too, but no guard and no dux. A dux falls to three hostile
//!   neighbors on the board and to nothing else.
//! - Mercenaries change sides after all captures are known; that counts as a capture in every respect.
//!
//! Ends:
//! - While a chain of captures goes on, only captured kings, goals, forts, encirclement and lost armies are judged; lack of
//!   moves, repetition and limits when the turn passes, as it also does when the game ends. Each step of a chain is a ply.
//! - Who declines to go on in a chain ends his turn without a ply and without a judgment: the other side just moves.
//! - An encirclement needs a defender on the board. A fort is the fort of one defenders' king; guards cannot be taken out
//!   of its wall, a dux only where three of his neighbors can become hostile.
//! - Repetition looks at the boards at the ends of turns since the last capture, the first of them being the one that the
//!   capture left. The configuration of the defenders occurs there and after each of their own turns. With several rules a
//!   decisive one comes before a draw.
//! - Under `defko` no earlier board since the last capture may be made again, by either side.

mod board;
mod captures;
mod ends;
mod facts;
mod game;
mod kings;
mod moves;
mod walls;

pub use game::Naive;
