//! An open-loop load of explorer requests on a running `tafl serve`: response times at a given rate.
//!
//! ```text
//! serve_load 127.0.0.1:8080 --rate 200 --seconds 30
//! ```
//!
//! Positions are drawn from openings of the corpus: walks along `/api/explore`, each move with the probability of its frequency.
//! The time of each request is scheduled in advance, and waiting for a free connection counts, so that a slow server does
//! not reduce the load.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tafl_rules::Rng;

/// The command line options.
struct Load {
    address: String,
    rate: f64,
    seconds: f64,
    connections: usize,
    positions: usize,
    variant: Option<String>,
    token: Option<String>,
    seed: u64,
}

/// A connection that is reused; see [`Connection::get`].
struct Connection<'l> {
    load: &'l Load,
    stream: Option<BufReader<TcpStream>>,
}

fn main() -> ExitCode {
    match read_arguments().and_then(|load| run(&load).map_err(|error| error.to_string())) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

fn read_arguments() -> Result<Load, String> {
    let mut words = std::env::args().skip(1);
    let usage = "serve_load ADDRESS [--rate N] [--seconds N] [--connections N] [--positions N] [--variant NAME] \
                 [--token TOKEN] [--seed N]";
    let address = words.next().ok_or(usage)?;
    let mut load = Load {
        address: address.trim_start_matches("http://").trim_end_matches('/').to_owned(),
        rate: 200.0,
        seconds: 30.0,
        connections: 16,
        positions: 2000,
        variant: None,
        token: None,
        seed: 1,
    };
    while let Some(word) = words.next() {
        let value = words.next().ok_or_else(|| format!("{word} needs a value\n{usage}"))?;
        let number = || value.parse::<u32>().map_err(|_| format!("{word} needs a number, not `{value}`"));
        match word.as_str() {
            "--rate" => load.rate = f64::from(number()?.max(1)),
            "--seconds" => load.seconds = f64::from(number()?.max(1)),
            "--connections" => load.connections = number()?.max(1) as usize,
            "--positions" => load.positions = number()?.max(1) as usize,
            "--seed" => load.seed = u64::from(number()?),
            "--variant" => load.variant = Some(value),
            "--token" => load.token = Some(value),
            _ => return Err(format!("unknown option {word}\n{usage}")),
        }
    }
    Ok(load)
}

/// Runs the load, prints the results, and returns the number of failed requests.
fn run(load: &Load) -> io::Result<usize> {
    let mut rng = Rng::new(load.seed);
    let addresses = openings(load, &mut rng)?;
    let n = (load.rate * load.seconds).ceil() as usize;
    let requests: Vec<&str> = (0..n).map(|_| addresses[rng.below(addresses.len())].as_str()).collect();
    println!("{} different positions, {n} requests, {} per second", addresses.len(), load.rate);
    let (next, times, failures) =
        (AtomicUsize::new(0), Mutex::new(Vec::new()), Mutex::new(BTreeMap::<String, usize>::new()));
    let begun = Instant::now();
    thread::scope(|scope| {
        for _ in 0..load.connections {
            scope.spawn(|| {
                let mut connection = Connection { load, stream: None };
                while let Some((nth, path)) = take(&next, &requests) {
                    let due = begun + Duration::from_secs_f64(nth as f64 / load.rate);
                    thread::sleep(due.saturating_duration_since(Instant::now()));
                    let answer = connection.get(path);
                    times.lock().expect("no thread panics while it adds").push(due.elapsed());
                    let failure = match answer {
                        Ok((200, _)) => continue,
                        Ok((status, _)) => format!("status {status}"),
                        Err(error) => error.to_string(),
                    };
                    *failures
                        .lock()
                        .expect("no thread panics while it counts")
                        .entry(failure)
                        .or_default() += 1;
                }
            });
        }
    });
    let took = begun.elapsed();
    let times: Vec<Duration> = times.into_inner().expect("no thread panics while it adds");
    let failures = failures.into_inner().expect("no thread panics while it counts");
    println!("{:.1} requests per second, including failed ones", n as f64 / took.as_secs_f64());
    print_times(times);
    let n_failures = failures.values().sum();
    println!("{n_failures} requests failed");
    failures.iter().for_each(|(failure, count)| println!("  {count} x {failure}"));
    Ok(n_failures)
}

fn take<'r>(next: &AtomicUsize, requests: &[&'r str]) -> Option<(usize, &'r str)> {
    let nth = next.fetch_add(1, Ordering::Relaxed);
    requests.get(nth).map(|path| (nth, *path))
}

fn print_times(mut times: Vec<Duration>) {
    times.sort_unstable();
    let part = |part: f64| times[((times.len() - 1) as f64 * part).round() as usize].as_secs_f64() * 1e3;
    println!(
        "milliseconds: p50 {:.2}, p90 {:.2}, p99 {:.2}, p99.9 {:.2}, max {:.2}",
        part(0.5),
        part(0.9),
        part(0.99),
        part(0.999),
        part(1.0)
    );
}

/// Returns addresses of positions of games in the corpus.
fn openings(load: &Load, rng: &mut Rng) -> io::Result<Vec<String>> {
    let mut connection = Connection { load, stream: None };
    let variant = match &load.variant {
        Some(variant) => variant.clone(),
        None => {
            let info = connection.json("/api/info")?;
            let named =
                info["variants"].as_array().into_iter().flatten().find_map(|one| one["name"].as_str());
            named.ok_or_else(|| io::Error::other("the corpus has no variant with a name"))?.to_owned()
        }
    };
    println!("openings of {variant}");
    let mut known: BTreeMap<String, Value> = BTreeMap::new();
    let mut n_walks = 0;
    while known.len() < load.positions && n_walks < 20 * load.positions {
        n_walks += 1;
        let mut moves = String::new();
        for _ in 0..1 + rng.below(16) {
            let path = format!("/api/explore?variant={variant}&moves={moves}");
            if !known.contains_key(&path) {
                let answer = connection.json(&path)?;
                known.insert(path.clone(), answer);
            }
            let Some(mv) = random_move(&known[&path], rng) else { break };
            let _ = write!(moves, "{}{mv}", if moves.is_empty() { "" } else { "," });
        }
    }
    Ok(known.into_keys().collect())
}

/// Returns a random move of an answer, each with the probability of its frequency.
fn random_move<'a>(answer: &'a Value, rng: &mut Rng) -> Option<&'a str> {
    let lines = answer["moves"].as_array()?;
    let games = |line: &Value| line["games"].as_u64().unwrap_or(0) as usize;
    let total: usize = lines.iter().map(games).sum();
    let mut left = rng.below(total);
    for line in lines {
        match left.checked_sub(games(line)) {
            Some(rest) => left = rest,
            None => return line["move"].as_str(),
        }
    }
    None
}

impl Connection<'_> {
    fn json(&mut self, path: &str) -> io::Result<Value> {
        let (status, body) = self.get(path)?;
        if status != 200 {
            return Err(io::Error::other(format!("{path}: {}", String::from_utf8_lossy(&body))));
        }
        Ok(serde_json::from_slice(&body)?)
    }

    /// Sends a request; on a new connection if the server has closed the old one.
    fn get(&mut self, path: &str) -> io::Result<(u16, Vec<u8>)> {
        let is_old = self.stream.is_some();
        match self.try_get(path) {
            Err(_) if is_old => self.try_get(path),
            result => result,
        }
    }

    fn try_get(&mut self, path: &str) -> io::Result<(u16, Vec<u8>)> {
        let mut stream = match self.stream.take() {
            Some(stream) => stream,
            None => {
                let stream = TcpStream::connect(&self.load.address)?;
                stream.set_nodelay(true)?;
                stream.set_read_timeout(Some(Duration::from_secs(30)))?;
                BufReader::new(stream)
            }
        };
        let mut head = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n", self.load.address);
        if let Some(token) = &self.load.token {
            let _ = write!(head, "Authorization: Bearer {token}\r\n");
        }
        head += "\r\n";
        stream.get_mut().write_all(head.as_bytes())?;
        let broken = || io::Error::other("the answer is truncated");
        let mut line = String::new();
        stream.read_line(&mut line)?;
        let status = line.split(' ').nth(1).and_then(|status| status.parse().ok()).ok_or_else(broken)?;
        let mut length = 0;
        loop {
            line.clear();
            if stream.read_line(&mut line)? == 0 {
                return Err(broken());
            }
            let Some((name, value)) = line.trim_end().split_once(':') else { break };
            if name.eq_ignore_ascii_case("content-length") {
                length = value.trim().parse().map_err(|_| broken())?;
            }
        }
        let mut body = vec![0; length];
        stream.read_exact(&mut body)?;
        self.stream = Some(stream);
        Ok((status, body))
    }
}
