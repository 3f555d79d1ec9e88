//! Migration of a database of every earlier version, with rows in all tables that the version has.

use crate::support::{TestDatabase, after};
use crate::upgrade::run_pending;
use diesel::sql_types::{BigInt, Text};
use diesel::{Connection, PgConnection, QueryableByName, RunQueryDsl, SqliteConnection, sql_query};
use domain::id::{OrgId, ReportId};
use domain::ports::{ReportDetail, ReportStore};
use domain::report::Variant;
use storage::{DatabaseUrl, Expected};

const ORG: &str = "org_01KXZZ9Q800000000000000001";
const REPORT: &str = "rep_01KXZZ9Q800000000000000001";

/// The rows of each version: the name of the migration that creates their tables, and the statements as the version
/// wrote them. `$T` is a time, `$U` a ULID, `$O` the organization.
const ROWS: &[(&str, &str)] = &[
    (
        "create_organizations",
        "INSERT INTO organizations (id, name, plan, created_at) VALUES ('$O', 'Acme', 'self_hosted', $T);
         INSERT INTO members (id, org_id, name, email, role, created_at)
         VALUES ('mem_$U', '$O', 'Ada', 'ada@example.com', 'admin', $T);",
    ),
    (
        "create_api_keys",
        "INSERT INTO api_keys (id, org_id, name, prefix, hash, role, created_at)
         VALUES ('key_$U', '$O', 'deploy', 'asy_abcd', 'hash', 'member', $T);",
    ),
    (
        "create_sites",
        "INSERT INTO sites (id, org_id, host, url, name, created_at)
         VALUES ('site_$U', '$O', 'example.com', 'https://example.com/', 'example.com', $T);",
    ),
    (
        "create_runs",
        "INSERT INTO runs (id, org_id, site_id, url, trigger_kind, options, status, phase, pages_discovered, pages_fetched,
                           pages_audited, percent, created_at, started_at, finished_at)
         VALUES ('run_$U', '$O', 'site_$U', 'https://example.com/', 'api',
                 '{\"max_pages\":9,\"max_depth\":null,\"mode\":\"static\",\"device\":\"desktop\",\"include\":[],\"exclude\":[]}',
                 'completed', 'done', 1, 1, 1, 100, $T, $T, $T);
         INSERT INTO runs (id, org_id, site_id, url, trigger_kind, options, status, phase, pages_discovered, pages_fetched,
                           pages_audited, percent, created_at)
         VALUES ('run_01KXZZ9Q800000000000000002', '$O', 'site_$U', 'https://example.com/', 'api',
                 '{\"max_pages\":9,\"max_depth\":null,\"mode\":\"static\",\"device\":\"desktop\",\"include\":[],\"exclude\":[]}',
                 'queued', 'queued', 0, 0, 0, 0, $T);",
    ),
    (
        "create_jobs",
        "INSERT INTO jobs (id, kind, subject_id, org_id, run_id, host, queued_at, available_at, attempts, epoch)
         VALUES ('job_$U', 'run', 'run_01KXZZ9Q800000000000000002', '$O', 'run_01KXZZ9Q800000000000000002', 'example.com',
                 $T, $T, 0, 0);",
    ),
    (
        "create_occurrences",
        "INSERT INTO occurrences (run_id, epoch, issue_position, ordinal, url, message)
         VALUES ('run_$U', 2, 0, 0, 'https://example.com/', 'The image has no text.');",
    ),
    (
        "create_reports",
        "INSERT INTO reports (id, org_id, run_id, site_id, epoch, created_at, requested_url, url, overall_score,
                              overall_score_legacy, performance, accessibility, seo, security, content, ai_readiness, weights,
                              weights_legacy, coverage, unjudged, summaries, summaries_legacy, scoring, engine_version,
                              catalogue_version)
         VALUES ('rep_$U', '$O', 'run_$U', 'site_$U', 2, $T, 'https://example.com/', 'https://example.com/', 90, 90, 90, 90,
                 90, 90, 90, 90,
                 '{\"performance\":1,\"accessibility\":1,\"seo\":1,\"security\":1,\"content\":1,\"ai_readiness\":1}',
                 '{\"performance\":1,\"accessibility\":1,\"seo\":1,\"security\":1,\"content\":1,\"ai_readiness\":0}',
                 '{\"mode\":\"static\",\"complete\":true,\"stopped_by\":null,\"pages_discovered\":1,\"pages_fetched\":1,\"pages_audited\":1,\"requests\":2,\"skipped\":[]}',
                 '[]', '{\"overall\":\"Good.\",\"dimensions\":{}}', '{\"overall\":\"Good.\",\"dimensions\":{}}',
                 '[{\"dimension\":\"accessibility\",\"subscore\":90,\"sum_of_weights\":7,\"cap\":null,\"checks\":[{\"check_id\":\"image-alt\",\"weight\":7,\"applicable\":1,\"affected\":1,\"score\":\"0/1\",\"deduction\":\"10/1\"}]}]',
                 '0.1.0', '1');
         INSERT INTO issues (id, org_id, report_id, position, fingerprint, check_id, dimension, severity, confidence, effort,
                             cause, title, description, why, recommendation, sources, affected, applicable, subject,
                             affected_pages, score_impact, score_impact_legacy, occurrences_total, occurrences_stored)
         VALUES ('iss_$U', '$O', 'rep_$U', 0, 'print', 'image-alt', 'accessibility', 'serious', 'high', 'small', '', 'Images',
                 'On 1 page.', 'It matters.', 'Write a text.', '[\"WCAG\"]', 1, 1, 'page', 1, 0.5, 0.5, 1, 1);",
    ),
    (
        "create_schedules",
        "INSERT INTO schedules (site_id, org_id, enabled, frequency, timezone, next_run_at)
         VALUES ('site_$U', '$O', true, 'daily', 'UTC', $T);",
    ),
    (
        "create_usage_counters",
        "INSERT INTO usage_counters (org_id, period, runs) VALUES ('$O', '2026-11', 2);",
    ),
    (
        "create_audit_log",
        "INSERT INTO audit_log (org_id, at, actor, event, subject, detail) VALUES ('$O', $T, 'system', 'key.created', 'key_$U', '');",
    ),
    (
        "create_actions",
        "INSERT INTO actions (id, org_id, title, description, status, priority, comment_count, created_at, updated_at)
         VALUES ('act_$U', '$O', 'Write texts', '', 'open', 1, 1, $T, $T);",
    ),
    (
        "create_action_comments",
        "INSERT INTO action_comments (id, org_id, action_id, body, author_kind, author_id, author_name, created_at)
         VALUES ('cmt_$U', '$O', 'act_$U', 'Begun.', 'member', 'mem_$U', 'Ada', $T);",
    ),
    (
        "create_action_briefs",
        "INSERT INTO action_briefs (action_id, org_id, status, content, generated_at, generation, queued_at, attempts)
         VALUES ('act_$U', '$O', 'ready', 'Do it.', $T, 1, $T, 0);",
    ),
    (
        "create_idempotent_calls",
        "INSERT INTO idempotent_calls (org_id, operation, call_key, fingerprint, status, body, created_at)
         VALUES ('$O', 'start_audit', 'once', 'print', 202, '{}', $T);",
    ),
    (
        "create_signing_keys",
        "INSERT INTO signing_keys (id, secret, created_at)
         VALUES ('one', '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef', $T);",
    ),
    (
        "create_pages",
        "INSERT INTO pages (run_id, epoch, position, url, status, depth, title, bytes, audited, issues, issues_legacy)
         VALUES ('run_$U', 2, 0, 'https://example.com/', 200, 0, 'Home', 900, true, 1, 1);",
    ),
    (
        "take_turns_in_claims",
        "INSERT INTO organization_claims (org_id, last_claim) VALUES ('$O', 1);",
    ),
    (
        "create_events",
        "INSERT INTO events (id, org_id, kind, facts, created_at) VALUES ('evt_$U', '$O', 'run.completed', '{}', $T);",
    ),
    (
        "create_webhooks",
        "INSERT INTO webhooks (id, org_id, url, events, state, sealed_secret, created_at, updated_at)
         VALUES ('whk_$U', '$O', 'https://hooks.example/', 'run.failed', 'enabled', '', $T, $T);",
    ),
    (
        "create_deliveries",
        "INSERT INTO deliveries (id, org_id, webhook_id, event_id, kind, status, attempts, created_at, finished_at, epoch)
         VALUES ('dlv_$U', '$O', 'whk_$U', 'evt_$U', 'test', 'delivered', '[]', $T, $T, 1);",
    ),
    (
        "create_org_retention",
        "INSERT INTO org_retention (org_id, reports_days) VALUES ('$O', 90);",
    ),
    (
        "trim_audit_log",
        "INSERT INTO audit_log_trims (org_id, trimmed_before) VALUES ('$O', $T);",
    ),
    (
        "create_secret_checks",
        "INSERT INTO secret_checks (id, sealed) VALUES (1, 'sealed');",
    ),
    (
        "create_health_probes",
        "INSERT INTO health_probes (id, writes) VALUES (1, 1) ON CONFLICT DO NOTHING;",
    ),
    (
        "create_accounts",
        "INSERT INTO accounts (id, email, name, password_hash, created_at, password_changed_at)
         VALUES ('acc_$U', 'ada@example.com', 'Ada', 'hash', $T, $T);
         UPDATE members SET account_id = 'acc_$U' WHERE id = 'mem_$U';
         INSERT INTO sessions (token_hash, id, account_id, org_id, created_at, password_entered_at, last_seen_at, user_agent, address)
         VALUES ('hash', 'ses_$U', 'acc_$U', '$O', $T, $T, $T, '', '127.0.0.1');
         INSERT INTO one_time_links (token_hash, purpose, org_id, created_at, expires_at) VALUES ('hash', 'setup', '$O', $T, $T);",
    ),
    (
        "create_waivers",
        "INSERT INTO waivers (id, org_id, site_id, check_id, reason, author_kind, author_id, author_name, created_at)
         VALUES ('wvr_$U', '$O', 'site_$U', 'llms-txt-missing', 'Not wanted.', 'member', 'mem_$U', 'Ada', $T);",
    ),
    (
        "describe_pages",
        "INSERT INTO page_orders (run_id, epoch, sort, part, known, positions) VALUES ('run_$U', 2, 'bytes', 0, 1, '0');",
    ),
    (
        "create_link_targets",
        "INSERT INTO link_targets (run_id, epoch, position, url, internal, verdict, redirects, linking_pages, first_pages)
         VALUES ('run_$U', 2, 0, 'https://example.com/a', true, 'ok', false, 1, '[]');
         INSERT INTO redirect_chains (run_id, epoch, position, hops, is_loop, linking_pages) VALUES ('run_$U', 2, 0, '[]', false, 1);
         INSERT INTO folders (run_id, epoch, position, url, level, pages, failed, bytes, issues, issues_legacy)
         VALUES ('run_$U', 2, 0, 'https://example.com/', 0, 1, 0, 900, 1, 1);",
    ),
    (
        "create_second_factors",
        "INSERT INTO second_factors (account_id, sealed_secret, last_step, created_at, enabled_at)
         VALUES ('acc_$U', 'sealed', 1, $T, $T);
         INSERT INTO recovery_codes (account_id, code_hash) VALUES ('acc_$U', 'hash');
         INSERT INTO pending_sign_ins (token_hash, account_id, org_id, created_at) VALUES ('hash', 'acc_$U', '$O', $T);",
    ),
    (
        "create_artifacts",
        "INSERT INTO artifacts (run_id, epoch, number, org_id, kind, url, width, height, sha256, size_bytes, readable, delete_at)
         VALUES ('run_$U', 2, 1, '$O', 'viewport', 'https://example.com/', 412, 823, 'ab', 30000, true, $T);",
    ),
];

/// The last migration of the first version: those before it were never in use without it.
const FIRST_VERSION: &str = "2026-11-21-120010_create_audit_log";

/// Tables to which later migrations add rows: work that waited elsewhere becomes a job.
const GROWING: [&str; 1] = ["jobs"];

/// Inserts the rows of the tables that a migration created.
fn insert_rows_of(place: &TestDatabase, migration: &str) {
    for (name, rows) in ROWS {
        if migration.ends_with(&format!("_{name}")) {
            let rows = rows
                .replace("$T", "'2026-11-21 12:00:00'")
                .replace("$U", "01KXZZ9Q800000000000000001")
                .replace("$O", ORG);
            let inserted = place.execute(&rows);
            assert_eq!(inserted, Ok(()), "{migration}");
        }
    }
}

#[derive(QueryableByName)]
struct Name {
    #[diesel(sql_type = Text)]
    name: String,
}

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    rows: i64,
}

/// Each table, with the number of its rows.
fn tables(place: &TestDatabase) -> Vec<(String, i64)> {
    fn count<C>(connection: &mut C, tables: &str) -> Vec<(String, i64)>
    where
        C: Connection,
        diesel::query_builder::SqlQuery: for<'query> diesel::query_dsl::methods::LoadQuery<'query, C, Name>
            + for<'query> diesel::query_dsl::methods::LoadQuery<'query, C, Count>,
    {
        let names: Vec<Name> = sql_query(tables).load(connection).unwrap();
        let names = names.into_iter().map(|found| found.name);
        let names: Vec<_> = names.filter(|name| !name.starts_with("__")).collect();
        let mut found = Vec::new();
        for name in names {
            let rows: Vec<Count> = sql_query(format!("SELECT count(*) AS rows FROM {name}"))
                .load(connection)
                .unwrap();
            found.push((name, rows[0].rows));
        }
        found
    }
    match &place.url {
        DatabaseUrl::Sqlite(path) => count(
            &mut SqliteConnection::establish(path.to_str().unwrap()).unwrap(),
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
        ),
        DatabaseUrl::Postgres(url) => count(
            &mut PgConnection::establish(url).unwrap(),
            "SELECT table_name::text AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY table_name",
        ),
    }
}

/// Migrates with the program's own migrations, and reads what the version before wrote.
fn upgrade(place: &TestDatabase, version: &str) {
    let tables_before = tables(place);
    let database = place.migrated();
    let tables_after = tables(place);
    for (table, rows) in tables_before {
        let found = tables_after.iter().find(|(name, _)| *name == table);
        let found = found.map(|(_, rows)| *rows);
        if GROWING.contains(&table.as_str()) {
            assert!(found >= Some(rows), "{version}: {table}");
        } else {
            assert_eq!(found, Some(rows), "{version}: {table}");
        }
    }
    let violations = database.violations(&Expected::default(), after(0));
    assert_eq!(violations.unwrap(), [], "{version}");
    let (org, report) = (OrgId::parse(ORG).unwrap(), ReportId::parse(REPORT).unwrap());
    let report = database.report(&org, &report, Variant::Current, ReportDetail::Inline);
    let report = report.unwrap().unwrap().report;
    assert_eq!(report.score.overall, 90, "{version}");
    let issues: Vec<_> = report
        .issues
        .iter()
        .map(|issue| (issue.check_id.as_str(), issue.causes.len()))
        .collect();
    assert_eq!(issues, [("image-alt", 1)], "{version}");
}

#[test]
fn rows_of_every_earlier_version_survive_the_upgrade() {
    let place = TestDatabase::sqlite();
    let DatabaseUrl::Sqlite(file) = &place.url else {
        unreachable!("it is a SQLite database");
    };
    run_pending(&place, |migration| {
        insert_rows_of(&place, migration);
        if migration < FIRST_VERSION {
            return;
        }
        // The database of this version, upgraded at once.
        let copy = TestDatabase::sqlite();
        if let DatabaseUrl::Sqlite(other) = &copy.url {
            std::fs::copy(file, other).unwrap();
        }
        upgrade(&copy, migration);
    });
    // Each table has rows, so that no migration was tried on an empty one.
    let empty: Vec<_> = tables(&place)
        .into_iter()
        .filter(|(_, rows)| *rows == 0)
        .collect();
    assert_eq!(empty, []);
}

#[test]
fn rows_of_every_earlier_version_survive_the_upgrade_on_postgresql() {
    let place = TestDatabase::postgres();
    let mut last = String::new();
    run_pending(&place, |migration| {
        insert_rows_of(&place, migration);
        migration.clone_into(&mut last);
    });
    upgrade(&place, &last);
    let empty: Vec<_> = tables(&place)
        .into_iter()
        .filter(|(_, rows)| *rows == 0)
        .collect();
    assert_eq!(empty, []);
}
