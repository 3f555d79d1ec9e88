use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use rstest::rstest;
use testkit::LoopbackServer;

use crate::{Home, Kind, page};

/// A site that does not respond with its second page until the gate is opened.
pub(crate) fn gated() -> (LoopbackServer, Arc<Gate>) {
    let gate = Arc::new(Gate::default());
    let at_gate = Arc::clone(&gate);
    let site = LoopbackServer::start(move |request| {
        if request.target == "/slow" {
            at_gate.wait();
        }
        page(&request.target, "<a href=/slow>Slow</a>")
    });
    (site.unwrap(), gate)
}

#[derive(Default)]
pub(crate) struct Gate {
    open: Mutex<bool>,
    changed: Condvar,
    reached: AtomicBool,
}

impl Gate {
    fn wait(&self) {
        self.reached.store(true, Ordering::SeqCst);
        let mut open = self.open.lock().unwrap();
        while !*open {
            open = self.changed.wait(open).unwrap();
        }
    }

    pub(crate) fn open(&self) {
        *self.open.lock().unwrap() = true;
        self.changed.notify_all();
    }

    pub(crate) fn wait_until_reached(&self) {
        while !self.reached.load(Ordering::SeqCst) {
            std::thread::yield_now();
        }
    }
}

#[rstest]
#[case::sqlite_stopped(Kind::Sqlite, "TERM")]
#[case::sqlite_killed(Kind::Sqlite, "KILL")]
#[case::postgresql_stopped(Kind::Postgresql, "TERM")]
#[case::postgresql_killed(Kind::Postgresql, "KILL")]
fn a_running_run_is_resumed_and_ends_once(#[case] kind: Kind, #[case] signal: &str) {
    let (home, (site, gate)) = (Home::new(kind), gated());
    let service = home.serve(&["--allow-target", &site.target()]);
    let run = service.client().start(site.url("/").as_str());
    gate.wait_until_reached();
    let state = service
        .client()
        .run_when(&run, |state| state["status"] == "running");
    assert!(state["startedAt"].is_string());
    let began = Instant::now();
    service.signal(signal);
    let (status, log) = service.wait();
    let expected = if signal == "TERM" { Some(0) } else { None };
    assert_eq!(status, expected, "{log}");
    assert!(began.elapsed() < Duration::from_secs(15));
    gate.open();

    let service = home.serve(&["--allow-target", &site.target()]);
    let ended = service.client().ended(&run);
    assert_eq!(ended["status"], "completed", "{ended:#}");
    assert_eq!(ended["startedAt"], state["startedAt"]);
    let site_id = ended["siteId"].as_str().unwrap();
    let history = service
        .client()
        .get(&format!("/api/mcp/sites/{site_id}/history"))
        .body;
    assert_eq!(history["runs"].as_array().unwrap().len(), 1);
}

/// A service that kept the stream open until its drain timeout would cut it off.
#[test]
fn an_open_event_stream_does_not_delay_shutdown() {
    let (home, (site, gate)) = (Home::new(Kind::Sqlite), gated());
    let service = home.serve(&["--allow-target", &site.target()]);
    let run = service.client().start(site.url("/").as_str());
    gate.wait_until_reached();
    let mut watcher = TcpStream::connect(&service.address).unwrap();
    watcher
        .set_read_timeout(Some(Duration::from_secs(60)))
        .unwrap();
    let request = format!(
        "GET /api/mcp/runs/{run}/events HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer {}\r\n\r\n",
        service.key()
    );
    watcher.write_all(request.as_bytes()).unwrap();
    let (mut seen, mut chunk) = (Vec::new(), [0; 4_096]);
    while !String::from_utf8_lossy(&seen).contains("event: progress\n") {
        let length = watcher.read(&mut chunk).unwrap();
        assert!(length > 0, "{}", String::from_utf8_lossy(&seen));
        seen.extend_from_slice(&chunk[..length]);
    }
    service.signal("TERM");
    watcher.read_to_end(&mut seen).unwrap();
    let seen = String::from_utf8(seen).unwrap();
    assert!(seen.ends_with("\r\n0\r\n\r\n"), "{seen}");
    gate.open();
    let (status, log) = service.wait();
    assert_eq!(status, Some(0), "{log}");
}
