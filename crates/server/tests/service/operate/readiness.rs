use std::time::{Duration, Instant};

use diesel::Connection;
use diesel::connection::SimpleConnection;

use crate::{Client, Home, Kind, Service};

/// How long a fault and its end may take to show.
const SHOWN_WITHIN: Duration = Duration::from_secs(10);
/// Additional time on a busy machine.
const SLACK: Duration = Duration::from_secs(50);

/// Waits until `/readyz` returns the reason, or no reason.
fn wait_for(service: &Service, reason: Option<&str>) {
    let nobody = Client::new(&service.address, "nothing");
    let began = Instant::now();
    loop {
        let answer = nobody.get("/readyz");
        match reason {
            None if answer.status == 200 => return,
            Some(reason) if answer.body["reason"] == reason => {
                assert_eq!(answer.status, 503, "{answer:?}");
                assert_eq!(answer.body["code"], "unavailable");
                let text = answer.body.to_string();
                assert!(!text.contains("assay.db") && !text.contains("assay_"));
                break;
            }
            _ => assert!(
                began.elapsed() < SHOWN_WITHIN + SLACK,
                "{reason:?}: {answer:?}"
            ),
        }
        std::thread::yield_now();
    }
    // The process is still alive.
    assert_eq!(nobody.get("/healthz").status, 200);
}

#[test]
fn a_database_file_that_is_moved_or_replaced_is_not_ready() {
    let home = Home::new(Kind::Sqlite);
    let service = home.serve(&[]);
    wait_for(&service, None);
    let (file, away) = (home.path("data/assay.db"), home.path("data/away.db"));
    std::fs::rename(&file, &away).unwrap();
    wait_for(&service, Some("database_file_missing"));
    assert!(!file.exists(), "no new one is created");
    std::fs::rename(&away, &file).unwrap();
    wait_for(&service, None);
    std::fs::rename(&file, &away).unwrap();
    std::fs::copy(&away, &file).unwrap();
    wait_for(&service, Some("database_file_replaced"));
    // The log is written a little later than the response.
    service.wait_for_log("database_file_replaced");
    let log = service.log.lock().unwrap().clone();
    for words in ["not ready", "ready again", "database_file_missing"] {
        assert!(log.contains(words), "{words}: {log}");
    }
    // Only each change is logged, not each probe or request.
    assert_eq!(log.matches("\"not ready\"").count(), 2, "{log}");
}

#[test]
fn a_database_that_cannot_be_written_or_reached_is_not_ready() {
    let home = Home::new(Kind::Postgresql);
    let service = home.serve(&[]);
    wait_for(&service, None);
    home.execute("ALTER TABLE health_probes RENAME TO away");
    wait_for(&service, Some("database_failed"));
    home.execute("ALTER TABLE away RENAME TO health_probes");
    wait_for(&service, None);

    let url = home.database.as_ref().unwrap().url();
    let (server, name) = url.rsplit_once('/').unwrap();
    let mut beside = diesel::PgConnection::establish(&format!("{server}/postgres")).unwrap();
    // Two batches, because the server runs the statements of a batch in one transaction.
    let mut connections = |allowed: bool| {
        for batch in [
            format!("ALTER DATABASE {name} ALLOW_CONNECTIONS {allowed}"),
            format!(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
            ),
        ] {
            beside.batch_execute(&batch).unwrap();
        }
    };
    connections(false);
    wait_for(&service, Some("database_unreachable"));
    connections(true);
    wait_for(&service, None);
}

#[test]
fn a_stopping_service_says_so_and_still_answers_until_a_second_signal() {
    let home = Home::new(Kind::Sqlite);
    let service = home.serve_with(&[], &[("ASSAY_SERVER__DRAIN_SECONDS", "300")]);
    wait_for(&service, None);
    service.signal("TERM");
    wait_for(&service, Some("stopping"));
    let answer = service.client().get("/api/mcp/sites");
    assert_eq!(answer.status, 200, "{answer:?}");
    let (status, log) = service.stop();
    assert_eq!(status, Some(0), "{log}");
}
