use serde_json::Value;

use super::said;
use crate::{Home, Kind};

#[test]
fn the_effective_configuration_is_shown_without_secrets() {
    let home = Home::new(Kind::Sqlite);
    std::fs::write(
        home.path("assay.toml"),
        "[crawl]\nmax_pages = 7\n[metrics]\ntoken = \"0123456789abcdef\"\n[plans.team]\nreports_days = 3\n",
    )
    .unwrap();
    let mut command = home.command(&["config", "show", "--json"]);
    command.env("ASSAY_CRAWL__DEADLINE_SECONDS", "50");
    let shown = command.output().unwrap();
    assert!(shown.status.success(), "{shown:?}");
    let shown: Value = serde_json::from_slice(&shown.stdout).unwrap();
    assert_eq!(shown["crawl"]["max_pages"], 7);
    assert_eq!(shown["crawl"]["budget_seconds"], 40);
    assert_eq!(shown["plans"]["team"]["reports_days"], 3);
    assert_eq!(shown["metrics"]["token"], "***");
    let data = home.path("data").display().to_string();
    assert_eq!(shown["storage"]["data_dir"], data);
    let text = home.printed(&["config", "show"]);
    assert!(
        text.contains("[crawl]") && text.contains("max_pages = 7"),
        "{text}"
    );
    assert!(!text.contains("0123456789abcdef"), "{text}");
}

#[test]
fn a_configuration_is_checked_without_being_used() {
    let home = Home::new(Kind::Sqlite);
    let fine = home.run(&["config", "check"]);
    assert_eq!(fine.status.code(), Some(0), "{fine:?}");
    std::fs::write(home.path("assay.toml"), "[retention]\nreports_day = 7\n").unwrap();
    for command in ["check", "show"] {
        let refused = home.run(&["config", command]);
        assert_eq!(refused.status.code(), Some(2));
        let words = said(&refused);
        assert!(
            words.contains("reports_day") && words.contains("line 2"),
            "{words}"
        );
    }
    assert!(!home.path("data").exists());
}

#[test]
fn a_logo_that_is_refused_is_found_before_anything_is_made() {
    let home = Home::new(Kind::Sqlite);
    std::fs::write(home.path("logo.svg"), "<svg><script/></svg>").unwrap();
    let settings = format!(
        "[organizations.default]\nname = \"Ferry\"\nlogo = {:?}\n",
        home.path("logo.svg")
    );
    std::fs::write(home.path("assay.toml"), settings).unwrap();
    for command in [
        &["config", "check"][..],
        &["doctor"],
        &["serve", "--listen", "127.0.0.1:0"],
    ] {
        let refused = home.run(command);
        let words = format!(
            "{}{}",
            said(&refused),
            String::from_utf8_lossy(&refused.stdout)
        );
        assert!(
            words.contains("the element \"script\""),
            "{command:?}: {words}"
        );
        assert_ne!(refused.status.code(), Some(0), "{command:?}: {words}");
        assert!(!words.contains("Assay is ready"), "{words}");
    }
    assert!(!home.path("data").exists());
}

#[test]
fn a_database_out_of_reach_is_not_a_missing_one() {
    let home = Home::new(Kind::Sqlite);
    std::fs::write(home.path("data"), "a file where the folder should be").unwrap();
    for command in ["backup", "doctor"] {
        let refused = home.run(&[command]);
        let words = format!(
            "{}{}",
            said(&refused),
            String::from_utf8_lossy(&refused.stdout)
        );
        assert!(!words.contains("does not exist"), "{command}: {words}");
        assert_ne!(refused.status.code(), Some(0), "{command}: {words}");
    }
}
