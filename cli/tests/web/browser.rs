//! A headless browser, controlled through WebDriver.
//!
//! Each command is an HTTP request to chromedriver. A WebDriver library would enable features of shared packages, so that
//! `cargo test` after `cargo run` would rebuild all of polars.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use super::http;

/// The time limit for a change on a page. It is long, because other builds may slow the machine.
const TIMEOUT: Duration = Duration::from_secs(40);

const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// Returns the path of a program in `PATH`.
fn find_program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// Returns a required program that is not installed, or `None`.
pub(crate) fn missing_program() -> Option<&'static str> {
    if find_program("chromedriver").is_none() {
        return Some("chromedriver");
    }
    BROWSERS.iter().all(|name| find_program(name).is_none()).then_some("chromium")
}

/// A browser and its driver, which are stopped when they are dropped.
pub(crate) struct Browser {
    driver: ChromeDriver,
    session: String,
    base_url: String,
}

/// An element of a page.
pub(crate) struct Element<'b> {
    browser: &'b Browser,
    id: String,
}

impl Element<'_> {
    /// Clicks the element.
    pub(crate) fn click(&self) {
        self.browser.command(&format!("element/{}/click", self.id), &json!({}));
    }

    /// Types into the element.
    pub(crate) fn send_keys(&self, keys: &str) {
        self.browser.command(&format!("element/{}/value", self.id), &json!({ "text": keys }));
    }
}

/// Returns the ID of the element in a response.
fn id_of(response: &Value) -> String {
    let mut ids = response.as_object().expect("an element is an object").values();
    ids.next().and_then(Value::as_str).expect("an element has an ID").to_owned()
}

/// Keys without a character.
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
        // Code points from the WebDriver specification.
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

/// The process of chromedriver.
struct ChromeDriver {
    child: Child,
    address: String,
}

impl ChromeDriver {
    /// Starts chromedriver. It exits if another program takes its port, so several attempts are made.
    fn start() -> ChromeDriver {
        (0..5).find_map(|_| ChromeDriver::try_start()).expect("chromedriver prints its port")
    }

    fn try_start() -> Option<ChromeDriver> {
        let mut child = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver can be started");
        let mut lines = BufReader::new(child.stdout.take().expect("stdout is piped")).lines();
        let port = lines.find_map(|line| {
            let line = line.ok()?;
            line.trim_end_matches('.')
                .rsplit_once("on port ")
                .map(|(_, port)| port.to_owned())
                .filter(|_| line.contains("successfully"))
        });
        // Keep reading, so that chromedriver does not block on a full pipe.
        std::thread::spawn(move || lines.for_each(drop));
        let driver =
            ChromeDriver { child, address: format!("127.0.0.1:{}", port.as_deref().unwrap_or_default()) };
        port.map(|_| driver)
    }

    /// Sends a command, and returns the value of the response.
    fn send(&self, method: &str, path: &str, body: &Value) -> Value {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let (status, response) = http::request(&self.address, method, path, &body);
        assert_eq!(status, 200, "{method} {path} {body}: {response}");
        serde_json::from_str::<Value>(&response).expect("the response is JSON")["value"].take()
    }
}

impl Drop for ChromeDriver {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Only the driver can end the browser; killing the driver would leave the browser running.
        http::request_without_response(&self.driver.address, "DELETE", &format!("/session/{}", self.session));
    }
}

impl Browser {
    /// Starts a browser for the pages of a server.
    pub(crate) fn start(base_url: String) -> Browser {
        let driver = ChromeDriver::start();
        let binary =
            BROWSERS.iter().find_map(|name| find_program(name)).expect("`missing_program` found a browser");
        let arguments = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--window-size=1200,900",
            "--hide-scrollbars",
            "--force-prefers-reduced-motion",
        ];
        let capabilities = json!({ "capabilities": { "alwaysMatch": {
            "goog:chromeOptions": { "args": arguments, "binary": binary },
            "goog:loggingPrefs": { "browser": "ALL" },
        } } });
        let response = driver.send("POST", "/session", &capabilities);
        let session = response["sessionId"].as_str().expect("the session has an ID").to_owned();
        Browser { driver, session, base_url }
    }

    /// Opens a page of the server.
    pub(crate) fn open(&self, path: &str) {
        self.command("url", &json!({ "url": format!("{}{path}", self.base_url) }));
    }

    /// Sends a command of the session, and returns the value of the response.
    fn command(&self, command: &str, body: &Value) -> Value {
        self.driver.send("POST", &format!("/session/{}/{command}", self.session), body)
    }

    /// Sends a command of the Chrome DevTools Protocol.
    fn devtools(&self, command: &str, parameters: &Value) {
        self.command("goog/cdp/execute", &json!({ "cmd": command, "params": parameters }));
    }

    /// Sets the size of the viewport; a width below 600 emulates a phone.
    pub(crate) fn set_viewport(&self, width: u32, height: u32) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600 });
        self.devtools("Emulation.setDeviceMetricsOverride", &size);
    }

    /// Sets the color scheme that the system prefers, `light` or `dark`.
    pub(crate) fn set_color_scheme(&self, scheme: &str) {
        let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.devtools("Emulation.setEmulatedMedia", &features);
    }

    /// Waits for the element of a selector, and returns it.
    pub(crate) fn find(&self, selector: &str) -> Element<'_> {
        self.wait_until(&format!("document.querySelector({})", json!(selector)));
        let found = self.command("element", &json!({ "using": "css selector", "value": selector }));
        Element { browser: self, id: id_of(&found) }
    }

    /// Clicks the element of a selector.
    pub(crate) fn click(&self, selector: &str) {
        self.find(selector).click();
    }

    /// Returns the text of an element, or an empty text if the element does not exist.
    pub(crate) fn text(&self, selector: &str) -> String {
        let text = self.evaluate(&format!("document.querySelector({})?.innerText ?? ''", json!(selector)));
        text.as_str().unwrap_or_default().to_owned()
    }

    /// Types keys into the focused element.
    pub(crate) fn press(&self, keys: &str) {
        let response =
            self.driver.send("GET", &format!("/session/{}/element/active", self.session), &Value::Null);
        Element { browser: self, id: id_of(&response) }.send_keys(keys);
    }

    /// Evaluates a JavaScript expression on the page.
    pub(crate) fn evaluate(&self, expression: &str) -> Value {
        self.command("execute/sync", &json!({ "script": format!("return ({expression})"), "args": [] }))
    }

    /// Waits until a JavaScript expression on the page is true. While elements that it needs are missing, it is false.
    pub(crate) fn wait_until(&self, expression: &str) {
        let start = Instant::now();
        loop {
            let script =
                format!("(() => {{ try {{ return Boolean({expression}) }} catch {{ return false }} }})()");
            let value = self.evaluate(&script);
            if value == Value::Bool(true) {
                return;
            }
            if start.elapsed() > TIMEOUT {
                let address = self.evaluate("location.href");
                panic!("timed out waiting for {expression}\nat {address}\n{}", self.text("main"));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Goes back in the history.
    pub(crate) fn go_back(&self) {
        self.command("back", &json!({}));
    }

    /// Writes a screenshot of the page to `target/web-screenshots`.
    pub(crate) fn screenshot(&self, name: &str) {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap().join("web-screenshots");
        std::fs::create_dir_all(&folder).unwrap();
        let response =
            self.driver.send("GET", &format!("/session/{}/screenshot", self.session), &Value::Null);
        let image = BASE64_STANDARD.decode(response.as_str().expect("a screenshot is a string")).unwrap();
        std::fs::write(folder.join(format!("{name}.png")), image).unwrap();
    }

    /// Returns the messages on the browser's console since the last call.
    pub(crate) fn console_messages(&self) -> Vec<String> {
        let log = self.command("se/log", &json!({ "type": "browser" }));
        log.as_array()
            .unwrap()
            .iter()
            .map(|entry| format!("{}: {}", entry["level"], entry["message"]))
            .collect()
    }

    /// Asserts that the console has no messages, such as errors or violations of the content security policy.
    pub(crate) fn assert_console_is_empty(&self) {
        let log = self.console_messages();
        assert!(log.is_empty(), "{}", log.join("\n"));
    }

    /// Asserts that the page is not wider than the window.
    pub(crate) fn assert_fits_width(&self) {
        let widths = self.evaluate("[document.documentElement.scrollWidth, innerWidth]");
        let (page, window) = (widths[0].as_u64().unwrap(), widths[1].as_u64().unwrap());
        assert!(page <= window, "the page is {page} pixels wide, and the window {window}");
    }
}
