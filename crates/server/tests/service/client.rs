//! An HTTP client: one request for each connection.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Timeout for everything in a test.
const PATIENCE: Duration = Duration::from_secs(60);

/// A response.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Value,
    /// Whether the service closed the connection, as requested.
    pub(crate) is_closed: bool,
}

/// A client with a key.
#[derive(Debug, Clone)]
pub(crate) struct Client {
    address: String,
    key: String,
}

impl Client {
    pub(crate) fn new(address: &str, key: &str) -> Self {
        Self {
            address: address.to_owned(),
            key: key.to_owned(),
        }
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        self.send("GET", path, "")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Reply {
        self.send("POST", path, &body.to_string())
    }

    pub(crate) fn send(&self, method: &str, path: &str, body: &str) -> Reply {
        let authorization = format!("Bearer {}", self.key);
        let headers = [
            ("Authorization", authorization.as_str()),
            ("Content-Type", "application/json"),
        ];
        self.raw(method, path, &headers, body.as_bytes())
    }

    /// Sends only these headers, plus those that HTTP itself requires.
    pub(crate) fn raw(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Reply {
        let (answer, is_closed) = self.exchange(method, path, headers, body);
        let answer = String::from_utf8(answer).unwrap();
        let (head, body) = answer
            .split_once("\r\n\r\n")
            .unwrap_or_else(|| panic!("{method} {path}: no whole answer: {answer:?}"));
        Reply {
            status: head.split(' ').nth(1).unwrap().parse().unwrap(),
            head: head.to_owned(),
            body: serde_json::from_str(&unchunked(head, body)).unwrap_or_default(),
            is_closed,
        }
    }

    /// Returns a 200 response that is not JSON.
    pub(crate) fn text(&self, path: &str, headers: &[(&str, &str)]) -> String {
        let (answer, _) = self.exchange("GET", path, headers, b"");
        let answer = String::from_utf8(answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 200"), "{head}");
        unchunked(head, body)
    }

    /// Sends a request without a key; returns the head and the raw body, which must have a length.
    pub(crate) fn bytes(&self, method: &str, path: &str) -> (String, Vec<u8>) {
        let (answer, _) = self.exchange(method, path, &[], b"");
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n");
        let (head, body) = answer.split_at(end.unwrap() + 4);
        (String::from_utf8(head.to_vec()).unwrap(), body.to_vec())
    }

    /// Sends a request, and reads to the end of the connection.
    fn exchange(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> (Vec<u8>, bool) {
        let address = &self.address;
        let mut connection = TcpStream::connect(address).unwrap();
        connection.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut head =
            format!("{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n");
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        if !body.is_empty() {
            head.push_str(&format!("Content-Length: {}\r\n", body.len()));
        }
        // A server that rejects a large body may close the connection before it has read all of it.
        let _ = connection
            .write_all(format!("{head}\r\n").as_bytes())
            .and_then(|()| connection.write_all(body));
        let mut answer = Vec::new();
        let is_closed = connection.read_to_end(&mut answer).is_ok();
        (answer, is_closed)
    }

    /// Starts an audit, and returns the run's id.
    pub(crate) fn start(&self, url: &str) -> String {
        let answer = self.post("/api/mcp/start-audit", &json!({ "url": url }));
        assert_eq!(answer.status, 202, "{answer:?}");
        answer.body["runId"].as_str().unwrap().to_owned()
    }

    pub(crate) fn run(&self, run: &str) -> Value {
        let answer = self.get(&format!("/api/mcp/runs/{run}"));
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.body
    }

    /// Polls a run until it matches.
    pub(crate) fn run_when(&self, run: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let end = Instant::now() + PATIENCE;
        loop {
            let state = self.run(run);
            if wanted(&state) {
                return state;
            }
            assert!(Instant::now() < end, "{state:#}");
            std::thread::yield_now();
        }
    }

    /// Polls a run until it has ended.
    pub(crate) fn ended(&self, run: &str) -> Value {
        self.run_when(run, |state| {
            !matches!(state["status"].as_str(), Some("queued" | "running"))
        })
    }

    /// Audits a site, and returns the report.
    pub(crate) fn report_on(&self, url: &str) -> Value {
        let run = self.ended(&self.start(url));
        assert_eq!(run["status"], "completed", "{run:#}");
        let report = run["reportId"].as_str().unwrap();
        self.get(&format!("/api/mcp/reports/{report}")).body
    }
}

/// Removes the chunk headers of chunked transfer coding.
fn unchunked(head: &str, body: &str) -> String {
    if !head
        .to_ascii_lowercase()
        .contains("transfer-encoding: chunked")
    {
        return body.to_owned();
    }
    let mut out = String::new();
    let mut rest = body;
    while let Some((size, after)) = rest.split_once("\r\n") {
        let size = usize::from_str_radix(size.trim(), 16).unwrap();
        out.push_str(after.get(..size).unwrap());
        rest = after.get(size + 2..).unwrap_or_default();
        if size == 0 {
            break;
        }
    }
    out
}
