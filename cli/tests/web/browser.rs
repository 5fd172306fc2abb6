//! A browser without a window, and what tests do with it.
//!
//! The driver is asked in the words of WebDriver: a request for each command. A library for it would bring features into the
//! packages of others with which all of polars is built a second time, for `cargo test` after `cargo run`.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use super::http;

/// How long a page may take to show something; machines that build at the same time are slow.
const PATIENCE: Duration = Duration::from_secs(40);

const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// Returns where a program is.
fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// Returns which of the programs that these tests need is not there.
pub(crate) fn missing() -> Option<&'static str> {
    if program("chromedriver").is_none() {
        return Some("chromedriver");
    }
    BROWSERS.iter().all(|name| program(name).is_none()).then_some("chromium")
}

/// A browser with its driver, which end with their test.
pub(crate) struct Browser {
    driver: Driver,
    session: String,
    base: String,
}

/// An element of a page.
pub(crate) struct Element<'b> {
    browser: &'b Browser,
    id: String,
}

impl Element<'_> {
    /// Clicks it.
    pub(crate) fn click(&self) {
        self.browser.raw(&format!("element/{}/click", self.id), &json!({}));
    }

    /// Types into it.
    pub(crate) fn send_keys(&self, keys: &str) {
        self.browser.raw(&format!("element/{}/value", self.id), &json!({ "text": keys }));
    }
}

/// Returns the number of the element that an answer names.
fn id_of(answer: &Value) -> String {
    let mut ids = answer.as_object().expect("an element is an object").values();
    ids.next().and_then(Value::as_str).expect("an element has a number").to_owned()
}

/// Keys that have no letter.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Key {
    Left,
    Right,
    Home,
    End,
    Enter,
    Escape,
}

impl std::fmt::Display for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The numbers are those of WebDriver.
        let symbol = match self {
            Key::Left => '\u{e012}',
            Key::Right => '\u{e014}',
            Key::Home => '\u{e011}',
            Key::End => '\u{e010}',
            Key::Enter => '\u{e007}',
            Key::Escape => '\u{e00c}',
        };
        write!(f, "{symbol}")
    }
}

/// The program that steers the browser.
struct Driver {
    child: Child,
    address: String,
}

impl Driver {
    /// Starts the program; where something else took its port in the meantime it ends, and is started again.
    fn start() -> Driver {
        (0..5).find_map(|_| Driver::begin()).expect("chromedriver says its port")
    }

    fn begin() -> Option<Driver> {
        let mut child = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver runs");
        let mut lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
        let port = lines.find_map(|line| {
            let line = line.ok()?;
            line.trim_end_matches('.')
                .rsplit_once("on port ")
                .map(|(_, port)| port.to_owned())
                .filter(|_| line.contains("successfully"))
        });
        // It writes on; what it writes must go somewhere.
        std::thread::spawn(move || lines.for_each(drop));
        let driver = Driver { child, address: format!("127.0.0.1:{}", port.as_deref().unwrap_or_default()) };
        port.map(|_| driver)
    }

    /// Sends a command, and returns what is answered.
    fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let (status, answer) = http::ask(&self.address, method, path, &body);
        assert_eq!(status, 200, "{method} {path} {body}: {answer}");
        serde_json::from_str::<Value>(&answer).expect("the driver answers in JSON")["value"].take()
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Only the driver can end the browser: a driver that is killed leaves it behind.
        http::tell(&self.driver.address, "DELETE", &format!("/session/{}", self.session));
    }
}

impl Browser {
    /// Starts a browser for the pages of a server.
    pub(crate) fn start(base: String) -> Browser {
        let driver = Driver::start();
        let binary = BROWSERS.iter().find_map(|name| program(name)).expect("it was looked for");
        let arguments = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--window-size=1200,900",
            "--hide-scrollbars",
            "--force-prefers-reduced-motion",
        ];
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "goog:chromeOptions": { "args": arguments, "binary": binary },
            "goog:loggingPrefs": { "browser": "ALL" },
        } } });
        let answer = driver.ask("POST", "/session", &wanted);
        let session = answer["sessionId"].as_str().expect("the session has a number").to_owned();
        Browser { driver, session, base }
    }

    /// Opens an address of the server.
    pub(crate) fn open(&self, path: &str) {
        self.raw("url", &json!({ "url": format!("{}{path}", self.base) }));
    }

    /// Sends a command of the session, and returns what is answered.
    fn raw(&self, command: &str, body: &Value) -> Value {
        self.driver.ask("POST", &format!("/session/{}/{command}", self.session), body)
    }

    /// Sends a command to the tools of the browser.
    fn tools(&self, command: &str, parameters: &Value) {
        self.raw("goog/cdp/execute", &json!({ "cmd": command, "params": parameters }));
    }

    /// Gives the page a size, as a telephone has it or a screen.
    pub(crate) fn size(&self, width: u32, height: u32) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600 });
        self.tools("Emulation.setDeviceMetricsOverride", &size);
    }

    /// Lets the system ask for light or dark pages.
    pub(crate) fn prefer(&self, scheme: &str) {
        let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.tools("Emulation.setEmulatedMedia", &features);
    }

    /// Returns the element of a selector, waiting for it.
    pub(crate) fn find(&self, selector: &str) -> Element<'_> {
        self.until(&format!("document.querySelector({})", json!(selector)));
        let found = self.raw("element", &json!({ "using": "css selector", "value": selector }));
        Element { browser: self, id: id_of(&found) }
    }

    /// Clicks the element of a selector.
    pub(crate) fn click(&self, selector: &str) {
        self.find(selector).click();
    }

    /// Returns the text of an element that is there.
    pub(crate) fn words(&self, selector: &str) -> String {
        let text = self.js(&format!("document.querySelector({})?.innerText ?? ''", json!(selector)));
        text.as_str().unwrap_or_default().to_owned()
    }

    /// Presses keys where the focus is.
    pub(crate) fn press(&self, keys: &str) {
        let answer =
            self.driver.ask("GET", &format!("/session/{}/element/active", self.session), &Value::Null);
        Element { browser: self, id: id_of(&answer) }.send_keys(keys);
    }

    /// Returns the value of an expression of the page.
    pub(crate) fn js(&self, expression: &str) -> Value {
        self.raw("execute/sync", &json!({ "script": format!("return ({expression})"), "args": [] }))
    }

    /// Waits until an expression of the page is true.
    pub(crate) fn until(&self, expression: &str) {
        let began = Instant::now();
        loop {
            let value = self.js(&format!("Boolean({expression})"));
            if value == Value::Bool(true) {
                return;
            }
            if began.elapsed() > PATIENCE {
                let address = self.js("location.href");
                panic!("never true: {expression}\nat {address}\n{}", self.words("main"));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Goes back, as the button of the browser does.
    pub(crate) fn back(&self) {
        self.raw("back", &json!({}));
    }

    /// Keeps a picture of the page in `target/web-screenshots`.
    pub(crate) fn picture(&self, name: &str) {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap().join("web-screenshots");
        std::fs::create_dir_all(&folder).unwrap();
        let answer = self.driver.ask("GET", &format!("/session/{}/screenshot", self.session), &Value::Null);
        let picture = BASE64_STANDARD.decode(answer.as_str().expect("a picture is a string")).unwrap();
        std::fs::write(folder.join(format!("{name}.png")), picture).unwrap();
    }

    /// Returns the messages on the browser's console since the last call.
    pub(crate) fn console(&self) -> Vec<String> {
        let log = self.raw("se/log", &json!({ "type": "browser" }));
        log.as_array()
            .unwrap()
            .iter()
            .map(|entry| format!("{}: {}", entry["level"], entry["message"]))
            .collect()
    }

    /// Checks that nothing was written on the console, such as an error or a broken content policy.
    pub(crate) fn is_quiet(&self) {
        let log = self.console();
        assert!(log.is_empty(), "{}", log.join("\n"));
    }

    /// Checks that nothing sticks out at the sides of the page.
    pub(crate) fn fits(&self) {
        let widths = self.js("[document.documentElement.scrollWidth, innerWidth]");
        let (page, window) = (widths[0].as_u64().unwrap(), widths[1].as_u64().unwrap());
        assert!(page <= window, "the page is {page} wide, the window {window}");
    }
}
