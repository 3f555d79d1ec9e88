use audit_engine::browser::Sandbox;

use super::*;

fn with_environment(variables: &[(&str, &str)]) -> Result<AuditDefaults, ConfigError> {
    let file = std::env::temp_dir().join(format!("assay-empty-{}.toml", std::process::id()));
    std::fs::write(&file, "").unwrap();
    let variables = variables
        .iter()
        .map(|(k, v)| ((*k).to_owned(), (*v).to_owned()));
    load(Some(&file), variables, Flags::default()).map(|settings| settings.audit)
}

fn with_file(text: &str) -> Result<AuditDefaults, ConfigError> {
    settings(text).map(|settings| settings.audit)
}

fn settings(text: &str) -> Result<Settings, ConfigError> {
    let layers = Layers::default().with(&parse("defaults", DEFAULTS)?)?;
    validate(layers.with(&parse("assay.toml", text)?)?.merged()?)
}

#[test]
fn the_embedded_defaults_are_valid_and_equal_the_librarys() {
    let defaults = with_file("").unwrap();
    assert_eq!(defaults.max_pages, audit_engine::DEFAULT_MAX_PAGES);
    assert_eq!(
        defaults.crawl_budget,
        audit_engine::AuditOptions::default().crawl_budget
    );
    assert_eq!(
        defaults.deadline,
        audit_engine::AuditOptions::default().deadline
    );
}

#[test]
fn an_unknown_key_is_refused_with_its_line() {
    let error = with_file("[crawl]\nmax_page = 3\n")
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("max_page") && error.contains("line 2"),
        "{error}"
    );
}

#[test]
fn a_value_out_of_range_names_its_key() {
    let error = with_file("[crawl]\nmax_pages = 0\n")
        .unwrap_err()
        .to_string();
    assert_eq!(error, "crawl.max_pages: must be a number from 1 to 100000");
}

#[test]
fn environment_variables_win_over_the_file() {
    let defaults = with_environment(&[
        ("ASSAY_CRAWL__MAX_PAGES", "7"),
        ("ASSAY_CRAWL__EXTERNAL_LINKS", "skip"),
        ("ASSAY_EGRESS__ALLOW_TARGETS", "[\"127.0.0.1\"]"),
        ("ASSAY_API_KEY", "not ours"),
        ("ASSAY_HEADERS", "not ours"),
        ("ASSAY_BASIC_AUTH", "not ours"),
    ])
    .unwrap();
    assert_eq!((defaults.max_pages, defaults.external), (7, false));
    assert_eq!(defaults.allow_targets.len(), 1);
}

#[test]
fn an_unknown_variable_is_refused() {
    let error = with_environment(&[("ASSAY_CRAWL__SPEED", "9")])
        .unwrap_err()
        .to_string();
    assert!(error.contains("ASSAY_CRAWL__SPEED"), "{error}");
}

#[test]
fn a_missing_file_that_was_named_is_an_error() {
    let error = load(
        Some(Path::new("/nonexistent/assay.toml")),
        std::iter::empty(),
        Flags::default(),
    );
    assert!(
        error
            .unwrap_err()
            .to_string()
            .contains("/nonexistent/assay.toml")
    );
}

#[test]
fn a_weight_can_be_set_alone() {
    assert!(with_file("[scoring.weights]\nseo = 3\n").is_ok());
    let error = with_file("[scoring.weights]\nspeed = 3\n")
        .unwrap_err()
        .to_string();
    assert!(error.contains("aiReadiness"), "{error}");
}

#[test]
fn a_deadline_below_the_budget_is_refused() {
    let error = with_file("[crawl]\nbudget_seconds = 900\n")
        .unwrap_err()
        .to_string();
    assert!(error.contains("crawl.deadline_seconds"), "{error}");
}

#[test]
fn weights_that_are_all_zero_are_refused() {
    let zeros: String = Dimension::ALL
        .map(|dimension| format!("{} = 0\n", dimension.as_str()))
        .concat();
    assert!(with_file(&format!("[scoring.weights]\n{zeros}")).is_err());
}

#[test]
fn the_service_has_the_published_defaults() {
    let service = settings("").unwrap().service;
    assert_eq!(service.listen.to_string(), "127.0.0.1:8080");
    assert_eq!(service.base_url_at(service.listen), "http://127.0.0.1:8080");
    assert_eq!(
        service.database,
        storage::DatabaseUrl::Sqlite("./assay-data/assay.db".into())
    );
    assert_eq!(service.queue, domain::ports::QueueRules::DEFAULT);
    assert!(service.plans.get(domain::plan::SELF_HOSTED).unwrap().paid);
}

#[test]
fn flags_win_and_the_data_folder_moves_the_default_database() {
    let flags = Flags {
        listen: Some("0.0.0.0:9000".parse().unwrap()),
        data_dir: Some("/srv/assay".into()),
        database_url: None,
        ..Flags::default()
    };
    let file = parse("assay.toml", "[server]\nlisten = \"127.0.0.1:1\"\n").unwrap();
    let layers = Layers::default().with(&parse("defaults", DEFAULTS).unwrap());
    let layers = layers.unwrap().with(&file).unwrap();
    let raw = layers.with(&flags.into()).unwrap().merged().unwrap();
    let service = validate(raw).unwrap().service;
    assert_eq!(service.listen.port(), 9000);
    assert_eq!(service.base_url_at(service.listen), "http://127.0.0.1:9000");
    assert_eq!(
        service.database,
        storage::DatabaseUrl::Sqlite("/srv/assay/assay.db".into())
    );
}

#[test]
fn a_crawl_leaves_time_of_its_deadline_for_the_rest() {
    let times = |text: &str| {
        let audit = settings(text).unwrap().audit;
        (audit.crawl_budget.as_secs(), audit.deadline.as_secs())
    };
    assert_eq!(times(""), (480, 600));
    assert_eq!(times("[crawl]\ndeadline_seconds = 300\n"), (240, 300));
    assert_eq!(times("[crawl]\nbudget_seconds = 100\n"), (100, 600));
    assert!(settings("[crawl]\nbudget_seconds = 600\n").is_err());
}

#[test]
fn plans_of_a_file_are_added() {
    let service = settings("[plans.team]\nsites = 3\nmonthly_runs = 50\npaid = true\n")
        .unwrap()
        .service;
    let team = service.plans.get("team").unwrap();
    assert_eq!(
        (team.limits.sites, team.limits.monthly_runs, team.paid),
        (Some(3), Some(50), true)
    );
    assert!(service.plans.get(domain::plan::SELF_HOSTED).is_some());
}

#[test]
fn wrong_values_of_the_service_name_their_key() {
    for (text, key) in [
        ("[server]\nlisten = \"8080\"\n", "server.listen"),
        ("[server]\nbase_url = \"example.com\"\n", "server.base_url"),
        ("[server]\ndrain_seconds = 301\n", "server.drain_seconds"),
        (
            "[storage]\ndatabase_url = \"mysql://h/d\"\n",
            "storage.database_url",
        ),
        (
            "[storage]\nmax_connections = 0\n",
            "storage.max_connections",
        ),
        (
            "[worker]\nheartbeat_seconds = 30\n",
            "worker.heartbeat_seconds",
        ),
        ("[worker]\nconcurrent_runs = 0\n", "worker.concurrent_runs"),
        (
            "[worker]\nconcurrent_runs = 257\n",
            "worker.concurrent_runs",
        ),
        ("[crawl]\nconcurrency = 257\n", "crawl.concurrency"),
        ("[crawl]\ndeadline_seconds = 0\n", "crawl.deadline_seconds"),
        (
            "[crawl]\ndeadline_seconds = 9000000000000\n",
            "crawl.deadline_seconds",
        ),
        (
            "[egress]\ndns_server = \"dns.example\"\n",
            "egress.dns_server",
        ),
        (
            "[egress]\ndns_server = \"10.0.0.53\"\n",
            "egress.dns_server",
        ),
        ("[egress]\nproxy = \"proxy:3128\"\n", "egress.proxy"),
        ("[browser]\nsandbox = \"no\"\n", "browser.sandbox"),
        ("[browser]\nmemory_mb = 499\n", "browser.memory_mb"),
        ("[browser]\nmemory_mb = 64001\n", "browser.memory_mb"),
        ("[logs]\nformat = \"xml\"\n", "logs.format"),
        ("[logs]\nfilter = \"a=b=c\"\n", "logs.filter"),
        ("[plans.\"a b\"]\n", "plans"),
    ] {
        let error = settings(text).unwrap_err().to_string();
        assert!(error.starts_with(&format!("{key}: ")), "{text}: {error}");
    }
}

#[test]
fn a_name_server_and_a_proxy_are_read_and_its_password_is_not_shown() {
    let audit = settings(
        "[egress]\ndns_server = \"10.0.0.53:5353\"\nproxy = \"http://u:geheim@proxy.example:3128\"\n",
    )
    .unwrap()
    .audit;
    assert_eq!(audit.dns_server, Some("10.0.0.53:5353".parse().unwrap()));
    let shown = format!("{audit:?}");
    assert!(
        shown.contains("proxy.example") && !shown.contains("geheim"),
        "{shown}"
    );
    let wrong = settings("[egress]\nproxy = \"socks5://u:geheim@proxy.example\"\n");
    assert!(!wrong.unwrap_err().to_string().contains("geheim"));
    let unset = settings("").unwrap().audit;
    assert_eq!((unset.dns_server, unset.proxy), (None, None));
}

#[test]
fn an_error_shows_no_value() {
    for text in [
        "[storage]\ndatabase_urls = \"postgres://u:geheim@h/d\"\n",
        "[storage]\ndatabase_url = \"postgres://u:geheim@h/d\n",
        "[storage]\ndatabase_url = \"postgres://u:geheim@h/d\" max_connections = 3\n",
    ] {
        let error = settings(text).unwrap_err().to_string();
        assert!(error.contains("line 2"), "{error}");
        assert!(!error.contains("geheim"), "{error}");
    }
}

#[test]
fn the_browser_of_rendered_mode_is_configured() {
    let defaults = with_file("").unwrap().browser;
    assert_eq!((defaults.path, defaults.sandbox), (None, Sandbox::On));
    assert_eq!(defaults.memory_bytes, 1_500_000_000);
    let own = "[browser]\npath = \"/opt/chromium\"\nsandbox = \"off\"\nmemory_mb = 800\n";
    let own = with_file(own).unwrap().browser;
    assert_eq!(own.path.as_deref(), Some(Path::new("/opt/chromium")));
    assert_eq!((own.sandbox, own.memory_bytes), (Sandbox::Off, 800_000_000));
}

#[test]
fn the_place_of_the_browser_of_runs_is_configured() {
    let runs = |text: &str| settings(text).map(|settings| settings.service.browser_runs);
    assert_eq!(runs("").unwrap(), BrowserRuns::Here);
    assert_eq!(
        runs("[browser]\nruns = \"off\"\n").unwrap(),
        BrowserRuns::Off
    );
    let elsewhere = "[browser]\nruns = \"elsewhere\"\n";
    let on_postgresql = format!("{elsewhere}[storage]\ndatabase_url = \"postgres://a@b/c\"\n");
    assert_eq!(runs(&on_postgresql).unwrap(), BrowserRuns::Elsewhere);
    for (text, words) in [
        (elsewhere, "only one process"),
        ("[browser]\nruns = \"on\"\n", "`here`, `elsewhere` or `off`"),
    ] {
        let error = runs(text).unwrap_err().to_string();
        assert!(
            error.contains("browser.runs") && error.contains(words),
            "{error}"
        );
    }
}
