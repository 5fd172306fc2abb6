//! The gaps and contradictions in the sources of variants, and the choices of the catalog.

/// The choices for each variant: sentences that name the gap or contradiction in the source first.
pub(super) const CHOICES: &[(&[&str], &[&str])] = &[
    (&["fetlar11"], FETLAR),
    (&["sympkyn11"], SYMPKYN),
    (&["fetlar11-panel2013"], PANEL_2013),
    (&["copenhagen11", "copenhagen11-relaxed"], COPENHAGEN),
    (&["sca11", "sca9", "sca13"], SCA),
    (&["brandubh7"], BRANDUBH),
    (&["magpie7"], MAGPIE),
    (&["tablut9_linnaeus"], LINNAEUS),
    (&["tablut9_wtf"], SAAMI),
    (&["ashton9"], ASHTON),
    (&["ardri7"], ARD_RI),
    (&["tawlbwrdd11"], TAWLBWRDD),
    (&["seabattle9", "seabattle11"], SEA_BATTLE),
    (&["berserk11"], BERSERK),
    (&["alea19"], ALEA),
    (&["cyngesheall7"], CYNGESHEALL),
    (&["hexentafl4", "hexentafl5"], HEXENTAFL),
];

/// The choice for all variants of aagenielsen.dk.
pub(super) const SITE_GAMES: &str = "The site names its variants, but publishes few of their rules. Here each rule is the one \
    under which the moves, captures, and ends of the recorded games agree. A game cannot contradict a rule that only \
    forbids moves: such a rule holds here if no game has a move that is common in games of similar variants.";
/// The choice for a variant of the site with other editions.
pub(super) const SITE_EDITIONS: &str = "Games of several editions have the same name, with another start or other rules. Here the \
    edition of most games is described; the replay of a record uses the first one that fits.";
/// The choices for the variants of the site with an option: the beginning of a word of the rules string.
pub(super) const OF_SITE: &[(&str, &str)] = &[
    (
        "xrep:pos3def",
        "The site ends games for repetition, but not always: some end when a position occurs for the third time, \
      others continue. Here the defenders lose if their move brings a position for the third time; the replay of a record \
      only reports it.",
    ),
    (
        "ber:",
        "The records have only the first step of a turn of several steps. Here the others are reconstructed if the \
      record cannot be played without them, and continuing a turn is optional.",
    ),
];

/// Choices that several variants share.
const REPEATED: &str = "The game is drawn if moves are \"repeated three times\". Here the game is drawn when a position \
    with the same side to move occurs for the third time; the start counts as its first occurrence.";
const BARE_KING: &str = "On the edge the king is captured only if he is the last defender and completely surrounded. \
    Here that is not a capture: the defenders lose because they have no legal move. A lone king on the edge who can still \
    move is not lost.";
const EDGE_POCKET: &str = "The attackers win by surrounding the king and all remaining defenders. Here a region that \
    includes an edge cell is not surrounded, even if no piece in it can leave it.";
const BREAKABLE_RING: &str = "The text does not say whether the ring around the defenders may be breakable. Here it may: \
    the game ends as soon as no defender can reach the edge through empty cells.";
const DEAD_POSITION: &str =
    "A position that neither side can win is drawn only by agreement, never automatically.";
const START_LAYOUT: &str = "The text does not name the cells of the start. Here the pieces start in the diamond of \
    aagenielsen.dk, from which the text derives.";
const THRONE_WITH_KING: &str = "The throne is \"always hostile to the attackers\". With the king on it, this is the same \
    as a capture against the king himself, because he takes part in captures.";

const FETLAR: &[&str] = &[
    START_LAYOUT,
    "The corners are \"hostile to all pieces, except the King\". That has no effect: only edge cells touch a corner, and \
     the king cannot be captured on the edge.",
    THRONE_WITH_KING,
    BARE_KING,
    EDGE_POCKET,
    BREAKABLE_RING,
    REPEATED,
    DEAD_POSITION,
];

const SYMPKYN: &[&str] = &[
    START_LAYOUT,
    "The corners are hostile \"just like the throne\", which would include the king. That has no effect: only edge cells \
     touch a corner, and the king cannot be captured on the edge.",
    THRONE_WITH_KING,
    BARE_KING,
    EDGE_POCKET,
    BREAKABLE_RING,
    "The game is drawn \"because of repetitions\", without a number. Here it is drawn when a position with the same side \
     to move occurs for the third time.",
    "The game is drawn if \"both sides have too few pieces left\", without a number. Here such a game is drawn only by \
     agreement.",
];

const PERPETUAL: &str = "Perpetual repetition loses for the defenders, but the source gives no number. Here they lose if \
                         their move brings about the third occurrence of a position.";

const PANEL_2013: &[&str] = &[START_LAYOUT, BARE_KING, DEAD_POSITION];

const COPENHAGEN: &[&str] = &[
    "The text requires a row of two or more pieces for a shieldwall. Here the king counts as one of them, but stays on \
     the board.",
    "The text does not say what happens if one move closes two shieldwalls. Here both are captured.",
    "The text does not say whether the king must already be on the edge for an exit fort. Here he must, and must be \
     able to move.",
    PERPETUAL,
    "Replay of records only reports repetition.",
    BARE_KING,
    EDGE_POCKET,
    BREAKABLE_RING,
];

const SCA: &[&str] = &[
    "The size of the board and the start are in pictures that are lost. Here the board has 11 by 11 cells with the usual \
     diamond; `sca9` and `sca13` are other choices.",
    "The attackers begin, \"or may draw lots to decide\". Here the attackers always begin.",
    "The sheet does not say whether throne and corners help to capture men. Here they do not.",
    "Next to the throne three attackers capture the king. Here the empty throne therefore counts against him, and only \
     against him.",
    "The sheet does not say whether three sides suffice next to a corner, which no attacker can enter. Here the king \
     cannot be captured there.",
    "Any piece may pass the throne. Here it may do so only while the throne is empty, because no piece jumps.",
    "The sheet does not say whether the king helps to capture. Here he does.",
    "The sheet does not mention surrounding all defenders. Here it does not win.",
    "The sheet does not mention a side without a legal move. Here that side loses.",
    "The sheet does not mention repetition. Here the third occurrence of a position draws.",
];

const BRANDUBH: &[&str] = &[
    "The text does not say whether a corner helps to capture the king. Here it does, as in 14 games of the archive.",
    "The text does not say whether men may pass the empty throne. Here they may, as in 166 games of the archive.",
    "Some rules let no piece return to the throne. Here the king may, as in 123 games of the archive.",
    PERPETUAL,
];

const MAGPIE: &[&str] = &[
    "The source does not fix the start for all sites. Here it is the cross of Brandubh; `magpie7_ballinderry` is the other \
     one.",
    "The source does not say whether men may pass the empty throne. Here they may.",
    "The source does not mention surrounding all defenders. Here it wins.",
    "The source does not say whether a corner helps to capture the king on the edge. Here it does.",
];

const LINNAEUS: &[&str] = &[
    "Linnaeus does not say who begins. Here the attackers do.",
    "No piece may enter the castle again. Linnaeus does not say whether pieces may pass it. Here they may.",
    "Linnaeus does not say whether the empty castle helps to capture. Here it is hostile to every piece.",
    "Linnaeus does not mention a side without a legal move. Here the game is drawn.",
    "Linnaeus does not mention repetition. Here the third occurrence of a position draws.",
];

const SAAMI: &[&str] = &[
    "Tournaments have been played with either side first. Here the attackers begin.",
    "The source does not say whether men may pass the empty throne. Here they may.",
    PERPETUAL,
];

const ASHTON: &[&str] = &[
    "The program limits moves inside a camp by their length. Here attackers may move inside the camp they started in.",
    "The program does not handle a side without a legal move. Here that side loses.",
];

const ARD_RI: &[&str] = &[
    "Three games share the name. This one has rook moves, no special cells, and a king captured by two; `ardri7_step` \
     and `ardri7-pto` are the others.",
    PERPETUAL,
];

const TAWLBWRDD: &[&str] = &[
    "Sources differ on the throne. Here there is one, as on aagenielsen.dk; `tawlbwrdd11_bell` has no special cells.",
    PERPETUAL,
];

const SEA_BATTLE: &[&str] = &[
    "Sources differ on who begins. Here the attackers do.",
    "The king \"may not take part in captures\". Here he captures neither by moving nor by standing opposite.",
    PERPETUAL,
];

const BERSERK: &[&str] = &[
    "The king may jump \"from and to restricted squares\". Here one of the two suffices.",
    "Sources differ on whether a capturing piece must go on capturing. Here it must while it can, and the king may end \
     such a chain in a corner.",
    "Sources differ on commanders against the throne. Here a commander and the empty throne do not capture the king.",
    "Sources differ on who begins. Here the attackers do.",
    "Here surrounding all defenders does not win, because some of them can jump.",
];

const ALEA: &[&str] = &[
    "Sources differ on the start. Here it is that of OpenTafl.",
    "Sources differ on how the king is captured. Here four attackers are needed everywhere.",
    "Sources differ on whether the king may return to the throne. Here no piece may stop there again.",
    "Sources differ on the goals. Here all 16 cells of the corners are goals.",
];

const CYNGESHEALL: &[&str] = &[
    "The rules do not say which color starts in which corner. Here dark starts at a1 and light at g7.",
    "The rules speak of \"approximately 16\" stones. Here each side has 8 men, a commander, and a king.",
    "The rules do not say whether kings and commanders capture. Here \"two friendly pieces\" means any two.",
    "The rules do not say whether men and commanders may stop on the corners. Here they may. A man on a corner can never be \
     captured, so a player can block the goal of the other king for the whole game.",
    "The rules do not mention a side that has lost all its pieces. Here it loses.",
    "The rules do not mention a side without a legal move. Here that side loses.",
    "The rules do not mention repetition. Here the third occurrence of a position draws.",
];

const HEXENTAFL: &[&str] = &[
    "The start is in pictures. Here its cells are those of the published programs.",
    "Either side may begin, usually the defenders. Here they begin.",
    "The rules do not say whether men may pass the empty throne. Here they may.",
    "On the throne the king is captured from three sides, as in a picture. Here no two of them may be next to each other.",
    "Captures \"on two sides\" are shown in pictures. Here the two sides are opposite ones, and on a corner its two \
     neighbors on the rim.",
    "The rules do not say whether the empty throne or an empty corner helps to capture. Here they do not.",
    "The rules do not say whether the king helps to capture. Here he does.",
    "The rules do not say whether men may stop on the corners. Here they may, as attackers start there.",
    "The rules do not mention a side without a legal move. Here that side loses.",
    "The rules do not mention repetition. Here the third occurrence of a position draws.",
];
