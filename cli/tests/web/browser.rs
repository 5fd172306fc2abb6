//! A browser without a window, and what tests do with it.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use fantoccini::elements::Element;
use fantoccini::wd::Capabilities;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
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
    client: Client,
    driver: Driver,
    session: String,
    base: String,
}

/// The program that steers the browser.
struct Driver {
    child: Child,
    address: String,
}

impl Driver {
    fn start() -> Driver {
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
        let port = port.expect("chromedriver says its port");
        // It writes on; what it writes must go somewhere.
        std::thread::spawn(move || lines.for_each(drop));
        Driver { child, address: format!("127.0.0.1:{port}") }
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Browser {
    /// Starts a browser for the pages of a server.
    pub(crate) async fn start(base: String) -> Browser {
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
        let wanted = json!({
            "goog:chromeOptions": { "args": arguments, "binary": binary },
            "goog:loggingPrefs": { "browser": "ALL" },
        });
        let Value::Object(wanted) = wanted else { unreachable!("it is an object") };
        let client = ClientBuilder::new(HttpConnector::new())
            .capabilities(wanted.into_iter().collect::<Capabilities>())
            .connect(&format!("http://{}", driver.address))
            .await
            .expect("a session begins");
        let session = client.session_id().await.unwrap().expect("the session has a number");
        Browser { client, driver, session, base }
    }

    /// Opens an address of the server.
    pub(crate) async fn open(&self, path: &str) {
        self.client.goto(&format!("{}{path}", self.base)).await.unwrap();
    }

    /// Sends a command of the driver that has no name in the library.
    fn raw(&self, command: &str, body: &Value) -> Value {
        let path = format!("/session/{}/{command}", self.session);
        let (status, answer) = http::ask(&self.driver.address, "POST", &path, &body.to_string());
        assert_eq!(status, 200, "{command}: {answer}");
        serde_json::from_str::<Value>(&answer).unwrap()["value"].clone()
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
    pub(crate) async fn find(&self, selector: &str) -> Element {
        let found = self.client.wait().at_most(PATIENCE).for_element(Locator::Css(selector)).await;
        match found {
            Ok(element) => element,
            Err(error) => panic!("{selector}: {error}\n{}", self.words("main").await),
        }
    }

    /// Clicks the element of a selector.
    pub(crate) async fn click(&self, selector: &str) {
        self.find(selector).await.click().await.unwrap_or_else(|error| panic!("{selector}: {error}"));
    }

    /// Returns the text of an element that is there.
    pub(crate) async fn words(&self, selector: &str) -> String {
        let text = self.js(&format!("document.querySelector({})?.innerText ?? ''", json!(selector))).await;
        text.as_str().unwrap_or_default().to_owned()
    }

    /// Presses keys where the focus is.
    pub(crate) async fn press(&self, keys: &str) {
        self.client.active_element().await.unwrap().send_keys(keys).await.unwrap();
    }

    /// Returns the value of an expression of the page.
    pub(crate) async fn js(&self, expression: &str) -> Value {
        self.client
            .execute(&format!("return ({expression})"), Vec::new())
            .await
            .unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    /// Waits until an expression of the page is true.
    pub(crate) async fn until(&self, expression: &str) {
        let began = Instant::now();
        loop {
            let value = self.js(&format!("Boolean({expression})")).await;
            if value == Value::Bool(true) {
                return;
            }
            if began.elapsed() > PATIENCE {
                let address = self.client.current_url().await.unwrap();
                panic!("never true: {expression}\nat {address}\n{}", self.words("main").await);
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Goes back, as the button of the browser does.
    pub(crate) async fn back(&self) {
        self.client.back().await.unwrap();
    }

    /// Keeps a picture of the page in `target/web-screenshots`.
    pub(crate) async fn picture(&self, name: &str) {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap().join("web-screenshots");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(format!("{name}.png")), self.client.screenshot().await.unwrap()).unwrap();
    }

    /// Returns what the browser wrote on its console since it was asked last.
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
    pub(crate) async fn fits(&self) {
        let widths = self.js("[document.documentElement.scrollWidth, innerWidth]").await;
        let (page, window) = (widths[0].as_u64().unwrap(), widths[1].as_u64().unwrap());
        assert!(page <= window, "the page is {page} wide, the window {window}");
    }
}
