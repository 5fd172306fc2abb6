//! Players as a request names them: `taflbase:nodes=2000`, `random`, `uci:COMMAND`.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tafl_analyzer::{
    Depth, Engine, EnginePlayer, LEVELS, Level, Limits, NetChoice, Network, Nodes, Params, Player,
    PlayerError, Protocol, RandomPlayer, RemotePlayer, RemoteProcess, SearchOptions, Weights, Wire,
};
use tafl_rules::AnyRulebook;

use crate::escape::escape;
use crate::{Bounded, Error, ErrorKind, Seconds};

/// A player that a request names.
///
/// # Examples
///
/// ```
/// use taflbase::play::PlayerSpec;
///
/// let player = PlayerSpec::read("taflbase:nodes=2000;hash=4")?;
/// assert_eq!(player.text, "taflbase:nodes=2000;hash=4");
/// assert!(PlayerSpec::read("stockfish").is_err());
/// # Ok::<(), taflbase::play::PlayerSpecError>(())
/// ```
#[derive(Debug, Clone)]
pub struct PlayerSpec {
    /// The text that names it.
    pub text: String,
    kind: PlayerKind,
    limits: OwnLimits,
}

#[derive(Debug, Clone)]
enum PlayerKind {
    Engine(Box<EngineSpec>),
    Random,
    Program(ProgramSpec),
}

/// Our engine with settings of its own.
#[derive(Debug, Clone, Default)]
struct EngineSpec {
    params: Params,
    /// The text of a file with weights.
    weights: Option<String>,
    net: NetChoice,
    mebibytes: Option<usize>,
}

/// Another program.
#[derive(Debug, Clone)]
struct ProgramSpec {
    protocol: Protocol,
    name: Option<String>,
    folder: Option<PathBuf>,
    words: Vec<String>,
}

/// Limits that a player has for itself.
#[derive(Debug, Clone, Copy, Default)]
struct OwnLimits {
    nodes: Option<u64>,
    depth: Option<u8>,
    time: Option<Duration>,
}

/// The reason why a text does not name a player.
#[derive(Debug, thiserror::Error)]
pub enum PlayerSpecError {
    /// The kind of player is unknown.
    #[error("unknown player `{0}`; expected taflbase, random, uci:COMMAND, otep:COMMAND, or htp:COMMAND")]
    Unknown(String),
    /// A part is not of the form `key=value`.
    #[error("`{0}` is not of the form key=value")]
    NoValue(String),
    /// The key means nothing here.
    #[error("unknown player key `{0}`; `tafl match --help` lists the keys")]
    UnknownKey(String),
    /// The value does not fit.
    #[error("{key}: `{value}` is {why}")]
    BadValue {
        /// The key.
        key: String,
        /// The text.
        value: String,
        /// The problem of the value.
        why: String,
    },
    /// A program is to be started, but none is named.
    #[error("missing command after `{0}:`")]
    NoCommand(&'static str),
}

impl From<PlayerSpecError> for Error {
    fn from(error: PlayerSpecError) -> Error {
        Error::new(ErrorKind::BadParameter, escape(&error.to_string()))
    }
}

impl PlayerSpec {
    /// Reads a player.
    ///
    /// # Errors
    ///
    /// Returns the mistake in the text.
    pub fn read(text: &str) -> Result<PlayerSpec, PlayerSpecError> {
        let (head, rest) = text.split_once(':').unwrap_or((text, ""));
        let mut limits = OwnLimits::default();
        let kind = match (head, Protocol::from_name(head)) {
            (_, Some(protocol)) => PlayerKind::Program(ProgramSpec::read(protocol, rest, &mut limits)?),
            ("taflbase", None) => PlayerKind::Engine(Box::new(EngineSpec::read(rest, &mut limits)?)),
            ("random", None) if rest.is_empty() => PlayerKind::Random,
            (_, None) => return Err(PlayerSpecError::Unknown(text.to_owned())),
        };
        Ok(PlayerSpec { text: text.to_owned(), kind, limits })
    }

    /// Returns the name of the player in records, which distinguishes it from others.
    pub fn identity(&self, book: &AnyRulebook) -> String {
        match &self.kind {
            PlayerKind::Engine(engine) => Engine::new(book, engine.options(book, 0)).identity().to_string(),
            PlayerKind::Random => "random".to_owned(),
            PlayerKind::Program(program) => program.name(),
        }
    }

    /// Returns the limits of the player: its own, or else those of the match.
    pub fn limits(&self, shared: &Limits) -> Limits {
        let own = self.limits;
        if own.nodes.is_none() && own.depth.is_none() && own.time.is_none() {
            return shared.clone();
        }
        let (nodes, depth) = (own.nodes.map(Nodes), own.depth.map(Depth));
        Limits { nodes, depth, time: own.time, ..shared.clone() }
    }

    /// Returns whether the player always makes the same moves in the same game: this engine without a time limit.
    pub fn repeats_games(&self, shared: &Limits) -> bool {
        matches!(self.kind, PlayerKind::Engine(_)) && self.limits(shared).time.is_none()
    }

    /// Returns whether the player is another program.
    pub const fn is_program(&self) -> bool {
        matches!(self.kind, PlayerKind::Program(_))
    }

    /// Returns the error of a player that can't start a game.
    pub fn not_started(&self, cause: &PlayerError) -> Error {
        let mut message = format!("`{}` does not start: {cause}", self.text);
        if !cause.stderr().is_empty() {
            message += &format!("; its standard error: {}", cause.stderr().join(" | "));
        }
        let error = Error::new(ErrorKind::Io, escape(&message));
        match (&self.kind, cause) {
            (PlayerKind::Program(program), PlayerError::Silent { .. }) => {
                error.with_help(format!("check that it uses the protocol {}", program.protocol.name()))
            }
            _ => error,
        }
    }

    /// Creates the player for a pair of games.
    ///
    /// # Errors
    ///
    /// Fails if the player can't be created.
    pub fn player(
        &self,
        book: &AnyRulebook,
        seed: u64,
        shared: &Limits,
        grace: Duration,
    ) -> Result<Box<dyn Player>, PlayerError> {
        let limits = self.limits(shared);
        Ok(match &self.kind {
            PlayerKind::Engine(engine) => {
                Box::new(EnginePlayer::new("taflbase", book, engine.options(book, 16), limits))
            }
            PlayerKind::Random => Box::new(RandomPlayer::new(seed)),
            PlayerKind::Program(program) => {
                let (words, folder) = (program.words.clone(), program.folder.clone());
                let connect = move || {
                    RemoteProcess::start(&words, folder.as_deref())
                        .map(|process| Box::new(process) as Box<dyn Wire>)
                };
                let remote = RemotePlayer::new(&program.name(), program.protocol, limits, Box::new(connect));
                Box::new(remote.with_grace(grace))
            }
        })
    }
}

impl EngineSpec {
    fn read(text: &str, limits: &mut OwnLimits) -> Result<EngineSpec, PlayerSpecError> {
        let mut spec = EngineSpec::default();
        for part in text.split(';').filter(|part| !part.is_empty()) {
            let (key, value) = pair(part)?;
            match key {
                "params" => {
                    spec.params =
                        value.parse().map_err(|error| bad(key, value, format!("wrong: {error}")))?;
                }
                "weights" => {
                    let text = fs::read_to_string(value)
                        .map_err(|error| bad(key, value, format!("not readable: {error}")))?;
                    text.parse::<Weights>().map_err(|error| bad(key, value, format!("wrong: {error}")))?;
                    spec.weights = Some(text);
                }
                "net" if value == "none" => spec.net = NetChoice::Terms,
                "net" => {
                    let bytes =
                        fs::read(value).map_err(|error| bad(key, value, format!("not readable: {error}")))?;
                    let net = Network::from_bytes(&bytes)
                        .map_err(|error| bad(key, value, format!("no network: {error}")))?;
                    spec.net = NetChoice::Given(Arc::new(net));
                }
                "level" => {
                    let level = number(key, value).ok().and_then(Level::of_number);
                    let none = || bad(key, value, format!("not a level from 1 to {}", LEVELS.len()));
                    limits.nodes = Some(level.ok_or_else(none)?.nodes.0);
                }
                "elo" => limits.nodes = Some(Level::nodes_of_elo(number(key, value)?).0),
                "hash" => {
                    let size = value.parse::<Bounded<1, 65_536, 16>>();
                    let why = || bad(key, value, "not a number from 1 to 65536".to_owned());
                    spec.mebibytes = Some(size.map_err(|_| why())?.size());
                }
                _ if limits.read(key, value)? => {}
                _ => return Err(PlayerSpecError::UnknownKey(key.to_owned())),
            }
        }
        Ok(spec)
    }

    fn options(&self, book: &AnyRulebook, mebibytes: usize) -> SearchOptions {
        let weights = self.weights.as_ref().map(|text| {
            let mut weights = Weights::of_rules(book.rules());
            weights.read(text).expect("the text was read as weights before");
            weights
        });
        let mebibytes = self.mebibytes.filter(|_| mebibytes > 0).unwrap_or(mebibytes);
        SearchOptions {
            mebibytes,
            weights,
            net: self.net.clone(),
            params: self.params,
            ..SearchOptions::default()
        }
    }
}

impl ProgramSpec {
    fn read(protocol: Protocol, text: &str, limits: &mut OwnLimits) -> Result<ProgramSpec, PlayerSpecError> {
        let (mut name, mut folder) = (None, None);
        let mut rest = text;
        // A command may hold semicolons, too: what does not begin with a word and `=` belongs to it.
        while let Some((part, after)) = rest.split_once(';') {
            let Some((key, value)) = part.split_once('=') else { break };
            if !key.bytes().all(|letter| letter.is_ascii_lowercase()) {
                break;
            }
            match key {
                "name" => name = Some(value.to_owned()),
                "in" => folder = Some(PathBuf::from(value)),
                _ if limits.read(key, value)? => {}
                _ => return Err(PlayerSpecError::UnknownKey(key.to_owned())),
            }
            rest = after;
        }
        let words = words(rest);
        if words.is_empty() {
            return Err(PlayerSpecError::NoCommand(protocol.name()));
        }
        Ok(ProgramSpec { protocol, name, folder, words })
    }

    fn name(&self) -> String {
        let file =
            || PathBuf::from(&self.words[0]).file_name().map(|name| name.to_string_lossy().into_owned());
        self.name.clone().or_else(file).unwrap_or_else(|| self.words[0].clone())
    }
}

impl OwnLimits {
    /// Sets the limit that a key names, and returns whether the key is a limit.
    fn read(&mut self, key: &str, value: &str) -> Result<bool, PlayerSpecError> {
        let is_zero = value.parse().is_ok_and(|number: f64| number <= 0.0);
        match key {
            "nodes" | "depth" | "time" if is_zero => {
                return Err(bad(key, value, "not above 0".to_owned()));
            }
            "nodes" => self.nodes = Some(number(key, value)?),
            "depth" => self.depth = Some(number(key, value)?),
            "time" => {
                let wrong = |_| bad(key, value, "not a number of seconds".to_owned());
                self.time = Some(value.parse::<Seconds<1, 1>>().map_err(wrong)?.get());
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

fn pair(part: &str) -> Result<(&str, &str), PlayerSpecError> {
    part.split_once('=').ok_or_else(|| PlayerSpecError::NoValue(part.to_owned()))
}

fn number<T: std::str::FromStr>(key: &str, value: &str) -> Result<T, PlayerSpecError> {
    value.parse().map_err(|_| bad(key, value, "not a valid number".to_owned()))
}

fn bad(key: &str, value: &str, why: String) -> PlayerSpecError {
    PlayerSpecError::BadValue { key: key.to_owned(), value: value.to_owned(), why }
}

/// Returns the words of a command line; quotes keep blanks together.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let (mut word, mut quote, mut is_open) = (String::new(), None, false);
    for letter in text.chars() {
        match (quote, letter) {
            (Some(mark), letter) if letter == mark => quote = None,
            (None, '"' | '\'') => {
                quote = Some(letter);
                is_open = true;
            }
            (None, letter) if letter.is_whitespace() => {
                if is_open {
                    words.push(std::mem::take(&mut word));
                }
                is_open = false;
            }
            (_, letter) => {
                word.push(letter);
                is_open = true;
            }
        }
    }
    if is_open {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_read() {
        let limits = Limits::nodes(7);
        let of = |text: &str| PlayerSpec::read(text).unwrap().limits(&limits);
        assert_eq!(of("taflbase").nodes, Some(Nodes(7)));
        assert_eq!(of("taflbase:depth=3;hash=1").depth, Some(Depth(3)));
        assert_eq!(of("taflbase:depth=3").nodes, None);
        assert_eq!(of("taflbase:level=4").nodes, Some(LEVELS[3].nodes));
        assert_eq!(of(&format!("taflbase:elo={}", LEVELS[3].elo)).nodes, Some(LEVELS[3].nodes));
        assert_eq!(of("uci:time=0.5;name=A B;x y").time, Some(Duration::from_millis(500)));
        let spec = PlayerSpec::read("otep:in=/tmp;java -cp 'a b' X").unwrap();
        let PlayerKind::Program(program) = spec.kind else { panic!() };
        assert_eq!(program.words, ["java", "-cp", "a b", "X"]);
        assert_eq!(program.name(), "java");
    }

    #[test]
    fn an_invalid_player_is_an_error() {
        let why = |text: &str| PlayerSpec::read(text).unwrap_err().to_string();
        assert!(why("stockfish").contains("unknown player"));
        assert_eq!(why("taflbase:nodes"), "`nodes` is not of the form key=value");
        assert_eq!(why("taflbase:speed=3"), "unknown player key `speed`; `tafl match --help` lists the keys");
        assert_eq!(why("taflbase:nodes=many"), "nodes: `many` is not a valid number");
        assert_eq!(why("taflbase:nodes=0"), "nodes: `0` is not above 0");
        assert_eq!(why("taflbase:time=nan"), "time: `nan` is not a number of seconds");
        assert_eq!(why("taflbase:level=8"), "level: `8` is not a level from 1 to 7");
        for size in ["0", "65537", "17592186044416", "99999999999999"] {
            let text = format!("taflbase:hash={size}");
            assert_eq!(why(&text), format!("hash: `{size}` is not a number from 1 to 65536"));
        }
        assert!(why("taflbase:weights=/no/such/file").contains("not readable"));
        assert_eq!(why("uci:"), "missing command after `uci:`");
    }

    #[test]
    fn a_program_that_does_not_start_is_named_with_its_last_lines() {
        let spec = PlayerSpec::read("uci:name=Net;./engine").unwrap();
        let stderr = vec!["loading".to_owned(), "net.onnx is missing".to_owned()];
        let gone = spec.not_started(&PlayerError::Gone { why: "it ended".to_owned(), stderr });
        let program = "`uci:name=Net;./engine` does not start";
        let expected =
            "the program is not running: it ended; its standard error: loading | net.onnx is missing";
        assert_eq!(gone.to_string(), format!("{program}: {expected}"));
        let silent = spec.not_started(&PlayerError::silent(Duration::from_secs(20)));
        let expected = "no answer within 20.0 s (check that it uses the protocol uci)";
        assert_eq!(silent.to_string(), format!("{program}: {expected}"));
    }
}
