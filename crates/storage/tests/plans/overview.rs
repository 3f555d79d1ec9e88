//! The query plans of the overview of all sites.

use diesel::connection::set_default_instrumentation;
use domain::id::{RunId, SiteId};
use domain::ports::{OverviewStore, RunStore};
use domain::report::Variant;

use super::{ASKED, listener, plan};
use crate::support::{TestDatabase, new_org, new_run};

/// However many runs and sites there are, the overview looks up only the newest runs of the sites that it shows.
#[test]
fn the_overview_looks_up_only_what_it_shows() {
    set_default_instrumentation(listener).unwrap();
    for place in TestDatabase::all() {
        let database = place.migrated();
        let org = new_org(&database);
        let run = new_run("example.com");
        let site = database.start_run(&org, &run).unwrap().site_id;
        place.execute(&copies_of_site(&site, &run.id)).unwrap();
        place.execute("ANALYZE").unwrap();
        ASKED.take();
        let first = database.site_cards(&org, Variant::Current, None, 50);
        let first = first.unwrap();
        assert_eq!(first.cards.len(), 50);
        let page = database.site_cards(&org, Variant::Current, first.next.as_ref(), 50);
        assert_eq!(page.unwrap().cards.len(), 50);
        let asked = ASKED.take();
        // There are no reports, and PostgreSQL scans an empty table whatever its indexes.
        let tables = ["sites", "runs"];
        let looked_at = asked.iter().filter(|sql| {
            let is_of = |table: &&str| sql.contains(*table);
            sql.starts_with("SELECT") && tables.iter().any(is_of)
        });
        let mut steps_of_runs = 0;
        for sql in looked_at {
            for step in plan(&place, sql) {
                let is_scan = |table: &&str| {
                    step.contains(&format!("Seq Scan on {table}"))
                        || step.starts_with(&format!("SCAN {table}"))
                };
                // The empty table of reports is sorted, too.
                let is_sorted = sql.contains("schedules")
                    && (step.contains("Sort") || step.contains("TEMP B-TREE FOR ORDER BY"));
                assert!(!tables.iter().any(is_scan) && !is_sorted, "{step}\n{sql}");
                steps_of_runs += usize::from(step.contains("runs_history"));
            }
        }
        assert!(steps_of_runs > 0, "{asked:#?}");
    }
}

/// SQL that adds 1,999 sites like the existing one, and 4 runs for each of them.
fn copies_of_site(site: &SiteId, run: &RunId) -> String {
    let numbers = |last: u32| {
        format!(
            "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {last})"
        )
    };
    format!(
        "INSERT INTO sites (id, org_id, host, url, name, created_at)
         {sites} SELECT substr(id, 1, length(id) - 6) || (100000 + n), org_id, host || n, url, name, created_at
         FROM sites, numbers WHERE id = '{site}';
         INSERT INTO runs (id, org_id, site_id, url, trigger_kind, options, status, phase,
             pages_discovered, pages_fetched, pages_audited, percent, created_at)
         {runs} SELECT substr(runs.id, 1, length(runs.id) - 12) || substr(sites.id, length(sites.id) - 5)
             || (100000 + n), runs.org_id, sites.id, runs.url, trigger_kind,
             runs.options, status, phase, 0, 0, 0, 0, runs.created_at
         FROM runs, sites, numbers WHERE runs.id = '{run}'",
        sites = numbers(1_999),
        runs = numbers(4),
    )
}
