//! Readers of the log and of standard output that stall or close the pipe: `assay serve 2>&1 | reader`.

use std::io::{BufRead, BufReader, PipeReader};
use std::process::{Child, Stdio};

use serde_json::Value;

use crate::{Client, Home, Kind};

/// Length of a request path in bytes: the maximum that its log line repeats.
const PATH_BYTES: usize = 300;
/// Number of requests whose log lines exceed the capacity of the pipe, the queue and the writer thread together,
/// even if each line has only its path.
const MOST_REQUESTS: usize = 10_000;
/// Requests between two checks for dropped lines.
const REQUESTS_AT_ONCE: usize = 500;
const TOKEN: &str = "a-token-that-nobody-guesses";

/// A service whose standard output and standard error are the same pipe.
struct Piped {
    child: Child,
    address: String,
    lines: BufReader<PipeReader>,
}

impl Piped {
    fn start(home: &Home) -> Self {
        let (reader, writer) = std::io::pipe().unwrap();
        let key_file = home.path("key");
        let mut command = home.command(&[
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--bootstrap-key-file",
            key_file.to_str().unwrap(),
        ]);
        command
            .env("ASSAY_METRICS__TOKEN", TOKEN)
            .stdin(Stdio::null())
            .stdout(writer.try_clone().unwrap())
            .stderr(writer);
        let child = command.spawn().unwrap();
        // The command holds the other end of the pipe.
        drop(command);
        let mut lines = BufReader::new(reader);
        let address = loop {
            let event = next(&mut lines).expect("the service did not start");
            if event["message"] == "listening" {
                break event["address"].as_str().unwrap().to_owned();
            }
        };
        Self {
            child,
            address,
            lines,
        }
    }

    /// Sends requests whose log lines are not read, until lines are dropped.
    fn fill(&self) {
        let client = Client::new(&self.address, "nothing");
        let path = format!("/{}", "x".repeat(PATH_BYTES));
        let mut sent = 0;
        while self.dropped_lines() == 0 {
            assert!(sent < MOST_REQUESTS, "no line was dropped");
            for _ in 0..REQUESTS_AT_ONCE {
                assert_eq!(client.get(&path).status, 404);
            }
            sent += REQUESTS_AT_ONCE;
        }
        assert_eq!(client.get("/healthz").status, 200);
    }

    fn dropped_lines(&self) -> u64 {
        let client = Client::new(&self.address, TOKEN);
        let authorization = format!("Bearer {TOKEN}");
        let page = client.text("/metrics", &[("Authorization", &authorization)]);
        let mut lines = page.lines();
        let value = lines.find_map(|line| line.strip_prefix("assay_log_lines_dropped_total "));
        value.unwrap().parse().unwrap()
    }

    fn terminate(&self) {
        let pid = self.child.id().to_string();
        let kill = std::process::Command::new("kill").arg(&pid).status();
        assert!(kill.unwrap().success());
    }
}

impl Drop for Piped {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the next event; an empty one for a line that is not an event.
fn next(lines: &mut impl BufRead) -> Option<Value> {
    let mut line = String::new();
    let length = lines.read_line(&mut line).unwrap();
    (length > 0).then(|| serde_json::from_str(&line).unwrap_or_default())
}

#[test]
fn a_stalled_reader_blocks_nothing_and_sees_the_number_of_dropped_lines() {
    let home = Home::new(Kind::Sqlite);
    let mut service = Piped::start(&home);
    service.fill();
    // The reader continues.
    let logged = loop {
        let event = next(&mut service.lines).expect("the service ended");
        if event["message"] == "log lines dropped" {
            break event["lines"].as_u64().unwrap();
        }
    };
    assert_eq!(logged, service.dropped_lines());
    service.terminate();
    while next(&mut service.lines).is_some() {}
    assert!(service.child.wait().unwrap().success());
}

#[test]
fn a_stalled_reader_does_not_block_the_end_of_the_process() {
    let home = Home::new(Kind::Sqlite);
    let mut service = Piped::start(&home);
    service.fill();
    service.terminate();
    assert!(service.child.wait().unwrap().success());
}

#[test]
fn a_closed_pipe_loses_only_log_lines() {
    let home = Home::new(Kind::Sqlite);
    let mut service = Piped::start(&home);
    let (nobody, _) = std::io::pipe().unwrap();
    service.lines = BufReader::new(nobody);
    let key = std::fs::read_to_string(home.path("key")).unwrap();
    let client = Client::new(&service.address, key.trim());
    for _ in 0..20 {
        assert_eq!(client.get("/api/mcp/account").status, 200);
    }
    // The writer thread has noticed it.
    while service.dropped_lines() == 0 {
        std::thread::yield_now();
    }
    service.terminate();
    assert!(service.child.wait().unwrap().success());
}

#[test]
fn an_unread_first_key_is_logged_and_the_service_continues() {
    let home = Home::new(Kind::Sqlite);
    let mut command = home.command(&["serve", "--listen", "127.0.0.1:0"]);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    command.stdin(Stdio::null()).stdout(writer);
    command.stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap());
    let mut logged = None;
    loop {
        let event = next(&mut lines).expect("the service did not start");
        let message = event["message"].as_str().unwrap_or_default();
        if message.contains("could not be written") {
            assert!(!message.contains("sk_service_"), "{message}");
            logged = Some(message.to_owned());
        }
        if message == "listening" {
            break;
        }
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let logged = logged.expect("the key was not mentioned");
    assert!(logged.contains("assay keys create --org org_"), "{logged}");
}
