use rstest::rstest;

use crate::{Client, Home, Kind, Service};

const PLANS: &str = "[plans.self_hosted]\nsites = 7\nmonthly_runs = 9\npaid = true\n";

/// Counts the log lines of requests.
fn requests(service: &Service) -> usize {
    let log = service.log.lock().unwrap();
    log.lines().filter(|line| line.contains("/healthz")).count()
}

#[rstest]
#[case::sqlite(Kind::Sqlite)]
#[case::postgresql(Kind::Postgresql)]
fn sighup_reloads_the_log_filter_and_the_plans(#[case] kind: Kind) {
    let home = Home::new(kind);
    let service = home.serve(&[]);
    let client = service.client();
    let limits = |client: &Client| client.get("/api/mcp/account").body["plan"]["limits"].clone();
    assert_eq!(limits(&client)["sites"], serde_json::Value::Null);
    client.get("/healthz");
    service.wait_for_log("/healthz");
    let before = requests(&service);

    let file = home.path("assay.toml");
    let text = format!("{PLANS}[logs]\nfilter = \"info,api=warn\"\n[crawl]\nmax_pages = 7\n");
    std::fs::write(&file, text).unwrap();
    service.signal("HUP");
    service.wait_for_log("these settings take effect at the next start");
    let log = service.log.lock().unwrap().clone();
    assert!(log.contains("configuration reloaded"), "{log}");
    assert!(log.contains("\"settings\":\"crawl.max_pages\""), "{log}");
    assert_eq!(limits(&client)["sites"], 7);
    client.get("/healthz");
    let (status, _) = {
        service.signal("USR1");
        service.wait_for_log("signal ignored");
        assert_eq!(requests(&service), before);
        service.stop()
    };
    assert_eq!(status, Some(0));
}

#[test]
fn a_configuration_that_cannot_be_used_changes_nothing() {
    let home = Home::new(Kind::Sqlite);
    let file = home.path("assay.toml");
    std::fs::write(&file, PLANS.replace("self_hosted", "team")).unwrap();
    let service = home.serve(&[]);
    let client = service.client();
    let org = client.get("/api/mcp/account").body["organization"]["organizationId"]
        .as_str()
        .unwrap()
        .to_owned();
    home.printed(&["plans", "set", "--org", &org, "--plan", "team"]);
    let sites = || client.get("/api/mcp/account").body["plan"]["limits"]["sites"].clone();
    assert_eq!(sites(), 7);
    let mut refused = 0;
    for (text, why) in [
        ("[plans.team]\nsites = many\n", "assay.toml"),
        ("[plans.team]\nsite = 8\n", "unknown field"),
        ("[logs]\nfilter = \"a=b=c\"\n", "logs.filter"),
        // An organization is on the plan that is no longer configured.
        ("[plans.other]\nsites = 8\n", "is on the plan `team`"),
    ] {
        std::fs::write(&file, text).unwrap();
        service.signal("HUP");
        refused += 1;
        let log = loop {
            let log = service.log.lock().unwrap().clone();
            if log.matches("configuration not reloaded").count() == refused {
                break log;
            }
            std::thread::yield_now();
        };
        let last = log
            .lines()
            .rfind(|line| line.contains("configuration not reloaded"));
        assert!(last.unwrap().contains(why), "{why}: {last:?}");
        assert_eq!(sites(), 7);
    }
    assert_eq!(service.stop().0, Some(0));
}

#[rstest]
#[case::sqlite(Kind::Sqlite)]
#[case::postgresql(Kind::Postgresql)]
fn sigquit_drains_and_user_signals_are_ignored(#[case] kind: Kind) {
    let home = Home::new(kind);
    let service = home.serve(&[]);
    for signal in ["USR1", "USR2"] {
        service.signal(signal);
        service.wait_for_log(&format!("\"signal\":\"SIG{signal}\""));
        assert_eq!(service.client().get("/healthz").status, 200);
    }
    service.signal("QUIT");
    let (status, log) = service.wait();
    assert_eq!(status, Some(0), "{log}");
    assert!(log.contains("\"signal\":\"SIGQUIT\""), "{log}");
    assert!(log.contains("stopped"), "{log}");
}

#[test]
fn a_worker_handles_the_same_signals() {
    let home = Home::new(Kind::Postgresql);
    home.serve(&[]).stop();
    let worker = Service::start_until(home.command(&["worker"]), &home.path("key"), "working");
    worker.signal("USR1");
    worker.wait_for_log("\"signal\":\"SIGUSR1\"");
    worker.signal("USR2");
    worker.wait_for_log("\"signal\":\"SIGUSR2\"");
    worker.signal("HUP");
    worker.wait_for_log("configuration reloaded");
    std::fs::write(home.path("assay.toml"), "[logs\n").unwrap();
    worker.signal("HUP");
    worker.wait_for_log("configuration not reloaded");
    worker.signal("QUIT");
    let (status, log) = worker.wait();
    assert_eq!(status, Some(0), "{log}");
    assert!(log.contains("\"signal\":\"SIGQUIT\""), "{log}");
}
