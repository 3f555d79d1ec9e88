//! Query plans: which indexes the queries of the stores use.

mod overview;

use std::cell::RefCell;
use std::collections::BTreeSet;

use crate::support::{Ids, TestDatabase, add_person, after, new_org, new_run, noon};
use chrono::TimeDelta;
use diesel::connection::{
    Instrumentation, InstrumentationEvent, SimpleConnection, set_default_instrumentation,
};
use diesel::prelude::*;
use diesel::sql_types::Text;
use domain::account::{
    CodeProof, LinkPurpose, OneTimeLink, RecoveryCode, Session, SessionLifetime, SignInStage,
    TimeStep, Token, TotpSecret,
};
use domain::action::{
    ActionComment, ActionFilter, ActionPatch, ActionStatus, Author, BriefRequest, CommentBody,
    CommentCursor, FieldPatch, NewComment, Priority,
};
use domain::audit_log::Actor;
use domain::event::EventKind;
use domain::id::{
    AccountId, CommentId, EventId, IssueId, KeyId, MemberId, OrgId, ReportId, SessionId, SiteId,
    WaiverId, WebhookId,
};
use domain::idempotency::{
    Fingerprint, IdempotencyKey, IdempotentCall, IdempotentWrite, StoredAnswer,
};
use domain::key::{KeyHash, Role};
use domain::plan::Period;
use domain::ports::{
    AccountStore, ActionStore, AnswerStore, DeliveryFairness, EnabledFactor, JobKind, JobQueue,
    JobStore, KeyStore, LeaseStatus, LinkRefused, NewAccount, NewSession, NewWebhook, OrgStore,
    OverviewStore, QueueRules, ReportDetail, ReportStore, RetentionStore, RunStore,
    ScheduleOutcome, ScheduleStore, SecondFactorStore, SiteStore, Taker, WaiverStore, WebhookStore,
    WorkerId,
};
use domain::report::{LinkKind, PageFilter, PageListing, PageOrder, Variant};
use domain::run::{RunError, RunFilter, RunProgress, RunStatus};
use domain::schedule::{DueSchedule, Frequency, ScheduleChange, SkipReason, Timetable};
use domain::waiver::{Waiver, WaiverAuthor, WaiverRequest};
use domain::webhook::{
    DeliveryAttempt, Verdict, Webhook, WebhookPatch, WebhookSecret, WebhookState,
};
use storage::{Database, DatabaseUrl, SecretKey};
use testkit::sample;

thread_local! {
    /// What this thread asked: other tests may run beside in the same process.
    static ASKED: RefCell<BTreeSet<String>> = const { RefCell::new(BTreeSet::new()) };
}

#[expect(clippy::unnecessary_wraps, reason = "required by Diesel")]
fn listener() -> Option<Box<dyn Instrumentation>> {
    Some(Box::new(|event: InstrumentationEvent<'_>| {
        if let InstrumentationEvent::StartQuery { query, .. } = event {
            let text = query.to_string();
            let sql = text
                .split(" -- binds")
                .next()
                .unwrap_or_default()
                .to_owned();
            ASKED.with_borrow_mut(|asked| asked.insert(sql));
        }
    }))
}

/// Tables that may be scanned, because the query returns all rows or the table is small. The last two are subqueries
/// with a row for each organization that waits.
const MAY_BE_SCANNED: [&str; 4] = [
    "organizations",
    "__diesel_schema_migrations",
    "waiting",
    "candidate",
];

#[derive(QueryableByName)]
struct Step {
    #[diesel(sql_type = Text)]
    detail: String,
}

#[test]
fn every_look_up_has_an_index() {
    set_default_instrumentation(listener).unwrap();
    let place = TestDatabase::sqlite();
    let database = place.migrated_with(SecretKey::new([7; 32]));
    let org = new_org(&database);
    let rules = QueueRules::DEFAULT;
    let worker = WorkerId("a".to_owned());
    ASKED.take();

    let run = new_run("example.com");
    let started = database.start_run(&org, &run).unwrap();
    let mut attached = new_run("example.com");
    attached.site_id = Some(started.site_id.clone());
    database.start_run(&org, &attached).unwrap();
    let claim = database.claim(&worker, &rules, after(1)).unwrap().unwrap();
    let _ = database.heartbeat(&claim, &RunProgress::QUEUED, &rules, after(1));
    let _ = database.write_causes(&claim, &[]);
    let _ = database.write_occurrences(&claim, &[]);
    let _ = database.holds(&claim);
    let _ = database.hand_back(&claim, domain::ports::HandBack::Stopped, after(1));
    let claim = database.claim(&worker, &rules, after(1)).unwrap().unwrap();
    let _ = database.fail(&claim, &RunError::internal(), after(2));
    database.claim(&worker, &rules, after(1)).unwrap().unwrap();
    database
        .reap(&rules, after(1) + TimeDelta::hours(1))
        .unwrap();
    database.release_all(after(1)).unwrap();
    database.run(&org, &run.id).unwrap().unwrap();
    let cancelled = new_run("example.com");
    database.start_run(&org, &cancelled).unwrap();
    database.cancel_run(&org, &cancelled.id, noon()).unwrap();
    about_kept_answers(&database, &org);
    let page = database.runs(&org, &RunFilter::default(), None, 1).unwrap();
    let cursor = page.unwrap().next.unwrap();
    for statuses in [
        &[][..],
        &[RunStatus::Queued],
        &[RunStatus::Queued, RunStatus::Failed],
    ] {
        for site_id in [None, Some(started.site_id.clone())] {
            let statuses = statuses.iter().copied().collect();
            let filter = RunFilter { site_id, statuses };
            database.runs(&org, &filter, Some(&cursor), 9).unwrap();
        }
    }
    about_items(&database, &org, &started.site_id);
    about_accounts(&database, &org);
    about_schedules(&database, &org, &started.site_id);
    about_webhooks(&database, &org);
    about_waivers(&database, &org, &started.site_id);
    database.sites(&org, Variant::Current).unwrap();
    let page = database.site_cards(&org, Variant::Current, None, 1);
    let next = page.unwrap().next;
    for variant in [Variant::Current, Variant::Legacy] {
        let page = database.site_cards(&org, variant, next.as_ref(), 9);
        assert_eq!(page.unwrap().next, None);
        database.site_totals(&org, variant).unwrap();
    }
    assert!(next.is_some());
    database.history(&org, &started.site_id, 9).unwrap();
    database.schedule(&org, &SiteId::make(&Ids)).unwrap();
    database
        .report(
            &org,
            &ReportId::make(&Ids),
            Variant::Current,
            ReportDetail::Inline,
        )
        .unwrap();
    let issue = (&ReportId::make(&Ids), &IssueId::make(&Ids));
    database
        .report_of_issue(&org, issue, Variant::Current)
        .unwrap();
    database
        .causes(&org, issue, Variant::Current, None, 9)
        .unwrap();
    database
        .occurrences(&org, issue, Variant::Current, None, None, 9)
        .unwrap();
    about_pages(&database, &org);
    database
        .key_by_hash(&KeyHash::stored("0".to_owned()))
        .unwrap();
    database
        .touch_key(&org, &KeyId::make(&Ids), noon())
        .unwrap();
    database.org_of_key(&KeyId::make(&Ids)).unwrap();
    database.keys(&org).unwrap();
    database.usage(&org, Period::containing(noon())).unwrap();
    database.members(&org).unwrap();
    let member = MemberId::make(&Ids);
    database
        .remove_member(&org, &member, noon(), &Actor::System)
        .unwrap();
    database.audit_log(&org).unwrap();

    let DatabaseUrl::Sqlite(path) = &place.url else {
        panic!("{:?}", place.url);
    };
    let asked = ASKED.take();
    let mut connection = SqliteConnection::establish(path.to_str().unwrap()).unwrap();
    connection
        .batch_execute("PRAGMA foreign_keys = ON")
        .unwrap();
    let mut looked_at = 0;
    for sql in asked.iter().filter(|sql| is_look_up(sql)) {
        looked_at += 1;
        let steps: Vec<Step> = diesel::sql_query(format!("EXPLAIN QUERY PLAN {sql}"))
            .load(&mut connection)
            .unwrap();
        for Step { detail } in steps {
            let scanned = detail.strip_prefix("SCAN ");
            let is_fine = scanned.is_none_or(|table| {
                table == "CONSTANT ROW" || MAY_BE_SCANNED.iter().any(|may| table.starts_with(may))
            });
            assert!(is_fine, "{detail}\n{sql}");
        }
    }
    assert!(looked_at > 60, "{asked:#?}");
}

/// However many deliveries wait for one organization, a claim for another looks up only its own webhooks.
#[test]
fn a_claim_uses_the_index_by_webhook() {
    set_default_instrumentation(listener).unwrap();
    for place in TestDatabase::all() {
        let database = place.migrated_with(SecretKey::new([7; 32]));
        let [much, little] = [20_000, 1].map(|count| {
            let org = new_org(&database);
            let webhook = new_webhook(&org);
            let (by, event) = (Actor::System, EventId::make(&Ids));
            database.create_webhook(&org, &webhook, &by).unwrap();
            let id = &webhook.webhook.id;
            database
                .test_webhook(&org, id, &event, noon(), &by)
                .unwrap();
            place.execute(&copies_of(&event, count - 1)).unwrap();
            org
        });
        place.execute("ANALYZE").unwrap();
        let turns = DeliveryFairness {
            last: Some(much),
            busy_webhooks: vec![WebhookId::make(&Ids)],
            ..DeliveryFairness::default()
        };
        ASKED.take();
        let worker = WorkerId("a".to_owned());
        let claimed = database.claim_delivery(&worker, TimeDelta::seconds(30), &turns, after(1));
        assert_eq!(claimed.unwrap().unwrap().event.org_id, little);
        let asked = ASKED.take();
        // Whether any delivery is due is a query on another index.
        let of_webhooks = |sql: &&String| {
            let plain = sql.replace(['`', '"'], "");
            plain.starts_with("SELECT") && plain.contains("jobs.host = ")
        };
        let due: Vec<_> = asked.iter().filter(of_webhooks).collect();
        assert!(due.len() >= 3, "{asked:#?}");
        for sql in due {
            for step in plan(&place, sql) {
                let is_look = step.contains("jobs") && step.to_uppercase().contains("SCAN")
                    || step.contains("SEARCH jobs");
                let is_fine = !is_look || step.contains("jobs_host");
                assert!(is_fine, "{step}\n{sql}");
            }
        }
    }
}

/// SQL that adds deliveries like the existing one, each of its own event.
fn copies_of(event: &EventId, count: u32) -> String {
    let numbers = format!(
        "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {count})"
    );
    let only = if count == 0 { "AND n = 0" } else { "" };
    format!(
        "INSERT INTO events (id, org_id, kind, facts, created_at)
         {numbers} SELECT id || n, org_id, kind, facts, created_at
         FROM events, numbers WHERE id = '{event}' {only};
         INSERT INTO deliveries (id, org_id, webhook_id, event_id, kind, status, attempts,
             next_attempt_at, created_at, epoch)
         {numbers} SELECT id || n, org_id, webhook_id, event_id || n, kind, status, attempts,
             next_attempt_at, created_at, epoch
         FROM deliveries, numbers WHERE event_id = '{event}' {only};
         INSERT INTO jobs (id, kind, subject_id, org_id, host, queued_at, available_at, attempts,
             epoch)
         {numbers} SELECT jobs.id || n, jobs.kind, jobs.subject_id || n, jobs.org_id, host, queued_at,
             available_at, 0, 0
         FROM jobs, numbers
         WHERE subject_id = (SELECT id FROM deliveries WHERE event_id = '{event}') {only}",
        event = event.as_str(),
    )
}

/// Returns the query plan, independent of the parameter values.
fn plan(place: &TestDatabase, sql: &str) -> Vec<String> {
    #[derive(QueryableByName)]
    struct Line {
        #[diesel(sql_type = Text, column_name = "QUERY PLAN")]
        text: String,
    }
    match &place.url {
        DatabaseUrl::Sqlite(path) => {
            let mut connection = SqliteConnection::establish(path.to_str().unwrap()).unwrap();
            let asked = diesel::sql_query(format!("EXPLAIN QUERY PLAN {sql}"));
            let steps: Vec<Step> = asked.load(&mut connection).unwrap();
            steps.into_iter().map(|step| step.detail).collect()
        }
        DatabaseUrl::Postgres(url) => {
            let mut connection = PgConnection::establish(url).unwrap();
            let prepare =
                format!("SET plan_cache_mode = force_generic_plan; PREPARE asked AS {sql}");
            connection.batch_execute(&prepare).unwrap();
            let values = vec!["NULL"; sql.matches('$').count()].join(", ");
            let asked = diesel::sql_query(format!("EXPLAIN (COSTS OFF) EXECUTE asked ({values})"));
            let lines: Vec<Line> = asked.load(&mut connection).unwrap();
            lines.into_iter().map(|line| line.text).collect()
        }
    }
}

/// Lists the pages and links of a report in every way.
fn about_pages(database: &Database, org: &OrgId) {
    let run = new_run("pages.example");
    database.start_run(org, &run).unwrap();
    let (worker, rules) = (WorkerId("a".to_owned()), QueueRules::DEFAULT);
    let claim = loop {
        let claim = database.claim(&worker, &rules, after(3)).unwrap().unwrap();
        if claim.run_id == run.id {
            break claim;
        }
        let failed = database.fail(&claim, &RunError::internal(), after(3));
        assert_eq!(failed.unwrap(), LeaseStatus::Held);
    };
    assert_eq!(database.write_pages(&claim, &[]), Ok(LeaseStatus::Held));
    let completed = sample::completed_run(&Ids, &sample::audit_result());
    let held = database.complete(&claim, &completed, &Ids, after(4));
    assert_eq!(held.unwrap(), LeaseStatus::Held);
    let report = &completed.report_id;
    let filters = [
        PageFilter::default(),
        PageFilter {
            statuses: PageFilter::parse_statuses("404,none").unwrap(),
            issue: completed.issue_ids.first().cloned(),
            text: Some("a".to_owned()),
        },
    ];
    for filter in filters {
        for order in ["crawl", "-words"] {
            let listing = PageListing {
                variant: Variant::Current,
                filter: filter.clone(),
                order: PageOrder::named(order).unwrap(),
            };
            let page = database.pages(org, report, &listing, None, 9).unwrap();
            assert!(page.is_some());
        }
    }
    for kind in std::iter::once(None).chain(LinkKind::ALL.map(Some)) {
        assert!(
            database
                .links(org, report, kind, None, 9)
                .unwrap()
                .is_some()
        );
    }
    assert!(database.redirects(org, report, None, 9).unwrap().is_some());
    assert!(database.folders(org, report).unwrap().is_some());
    let variant = Variant::Current;
    assert_eq!(database.page_of_report(org, report, "x", variant), Ok(None));
}

/// Runs all queries about action items, also those of a completing run.
fn about_items(database: &Database, org: &OrgId, site: &SiteId) {
    let (worker, by) = (WorkerId("a".to_owned()), Actor::System);
    for result in [sample::audit_result(), sample::clean_audit_result()] {
        let run = new_run("items.example");
        database.start_run(org, &run).unwrap();
        let claim = loop {
            let claimed = database.claim(&worker, &QueueRules::DEFAULT, after(3));
            let claim = claimed.unwrap().unwrap();
            if claim.run_id == run.id {
                break claim;
            }
            // A suspect, which would be claimed alone.
            let failed = database.fail(&claim, &RunError::internal(), after(3));
            assert_eq!(failed.unwrap(), LeaseStatus::Held);
        };
        let completed = sample::completed_run(&Ids, &result);
        let held = database.complete(&claim, &completed, &Ids, after(4));
        assert_eq!(held.unwrap(), LeaseStatus::Held);
    }
    let all = ActionFilter::all(Variant::Legacy);
    let page = database.actions(org, &all, None, 1).unwrap();
    let item = &page.items[0].id;
    for statuses in [vec![], vec![ActionStatus::Open]] {
        for priorities in [vec![], vec![Priority::High, Priority::Low]] {
            for assignee in [None, Some(MemberId::make(&Ids))] {
                for site in [None, Some(site.clone())] {
                    let filter = ActionFilter {
                        variant: Variant::Legacy,
                        statuses: statuses.iter().copied().collect(),
                        priorities: priorities.iter().copied().collect(),
                        site,
                        assignee: assignee.clone(),
                    };
                    for cursor in [None, page.next.as_ref()] {
                        database.actions(org, &filter, cursor, 9).unwrap();
                    }
                }
            }
        }
    }
    let dossier = database.dossier(org, item, Variant::Legacy).unwrap();
    assert!(dossier.unwrap().issue.is_some());
    let patch = ActionPatch {
        status: Some(ActionStatus::Dismissed),
        assignee: FieldPatch::Clear,
        ..ActionPatch::default()
    };
    database
        .patch_action(org, item, &patch, after(5), &by)
        .unwrap();
    let call = IdempotentCall {
        operation: "add_comment",
        key: IdempotencyKey::parse("a").unwrap(),
        fingerprint: Fingerprint::new("POST", "/", b""),
        at: after(6),
    };
    let answer = |_: &ActionComment| StoredAnswer {
        status: 201,
        location: None,
        body: String::new(),
    };
    let once = IdempotentWrite {
        call: &call,
        answer: &answer,
    };
    let comment = NewComment {
        id: CommentId::make(&Ids),
        body: CommentBody::parse("Said").unwrap(),
        author: Author::System,
        created_at: after(6),
    };
    database
        .add_comment(org, item, &comment, Some(&once))
        .unwrap();
    let page = database.comments(org, item, None, 1).unwrap().unwrap();
    assert_eq!(page.comments.len(), 1);
    let cursor = page.comments.last().map(CommentCursor::after);
    database.comments(org, item, cursor.as_ref(), 9).unwrap();
    for second in [7, 8] {
        let request = BriefRequest {
            instructions: None,
            at: after(second),
        };
        database
            .queue_brief(org, item, &request, &by, None)
            .unwrap();
        let claim = sample::claim_brief(database, &worker, after(9)).unwrap();
        let written = Ok(String::new());
        let held = database.finish_brief(&claim, &written, after(9)).unwrap();
        assert_eq!(held, LeaseStatus::Held);
    }
    database.brief(org, item).unwrap().unwrap();
}

/// Asks all that can be asked about accounts: one joins by a setup link, one by an invitation.
fn about_accounts(database: &Database, org: &OrgId) {
    let by = Actor::System;
    let set_up = add_person(database, org, "bob");
    let ada = sample::new_member(&Ids, "ada");
    assert!(database.add_member(org, &ada, &by).unwrap());
    let link = |purpose, member: Option<&MemberId>, account: Option<&AccountId>, second| {
        let link = OneTimeLink {
            purpose,
            org_id: org.clone(),
            member_id: member.cloned(),
            account_id: account.cloned(),
            created_at: after(second),
            expires_at: after(second + 60),
        };
        let token = Token::generate(&Ids).hash();
        assert!(database.create_link(&link, &token, &by).unwrap());
        assert!(database.link_by_hash(&token).unwrap().is_some());
        token
    };
    let invited = Taker::New(NewAccount {
        id: AccountId::make(&Ids),
        email: ada.email.clone(),
        name: ada.name.clone(),
        password_hash: String::new(),
        created_at: noon(),
    });
    let account = invited.id();
    let session = |account: &AccountId, second| NewSession {
        session: Session {
            id: SessionId::make(&Ids),
            account_id: account.clone(),
            created_at: after(second),
            ..set_up.session.clone()
        },
        token: Token::generate(&Ids).hash(),
    };
    let invitation = link(LinkPurpose::Invitation, Some(&ada.id), None, 0);
    let joined = database.take_invitation(&invitation, &invited, &session(account, 0));
    assert_eq!(joined, Ok(Ok(SignInStage::SignedIn)));
    let reset = link(LinkPurpose::PasswordReset, Some(&ada.id), Some(account), 0);
    let taken = database.take_password_reset(&reset, "", &session(account, 0));
    assert_eq!(taken, Ok(Ok(SignInStage::SignedIn)));
    // Somebody who has an account is refused, which is looked up too.
    let setup = link(LinkPurpose::Setup, None, None, 0);
    let known = Taker::Known(account.clone());
    let refused = database.take_setup_link(&setup, &known, &ada.id, &session(account, 0));
    assert_eq!(refused, Ok(Err(LinkRefused::MemberExists)));
    // A link and a session of later delete what has expired.
    link(LinkPurpose::Setup, None, None, 99);
    let later = session(&set_up.session.account_id, 9_999_999);
    let lifetime = SessionLifetime::default();
    database.sign_in(&later, None, lifetime).unwrap();
    about_sessions(database, &session(account, 0), (org, &ada.id));
    for member in database.members(org).unwrap() {
        let removed = database.remove_member(org, &member.id, noon(), &by);
        assert!(removed.unwrap());
    }
}

/// Asks all that can be asked about sessions and the account of one.
fn about_sessions(database: &Database, new: &NewSession, (org, member): (&OrgId, &MemberId)) {
    let (account, by) = (&new.session.account_id, Actor::System);
    let replaced = Token::generate(&Ids).hash();
    let lifetime = SessionLifetime::default();
    database.sign_in(new, Some(&replaced), lifetime).unwrap();
    assert!(database.rotate_session(&new.token, new).unwrap());
    assert!(database.session_by_hash(&new.token).unwrap().is_some());
    database.touch_session(&new.token, after(99)).unwrap();
    assert_eq!(database.sessions(account).unwrap().len(), 1);
    assert!(database.credentials("ada@example.com").unwrap().is_some());
    assert_eq!(database.memberships(account).unwrap().len(), 1);
    assert!(database.account_of(org, member).unwrap().is_some());
    assert_eq!(database.members_with_account(org).unwrap().len(), 2);
    let id = &new.session.id;
    database.set_password(account, "", id, noon()).unwrap();
    database
        .set_account_name(account, "Ada L.", noon())
        .unwrap();
    let changed = database.set_account_email(account, "ada@example.org", id, noon());
    assert_eq!(changed, Ok(Ok(())));
    about_second_factors(database, new, org);
    assert!(database.end_session(account, id).unwrap());
    let changed = database.set_member_role(org, member, Role::Admin, noon(), &by);
    assert!(changed.unwrap());
}

/// Asks all that can be asked about the second factor of an account, and its sign-ins that wait for a code.
fn about_second_factors(database: &Database, new: &NewSession, org: &OrgId) {
    let (account, id, by) = (&new.session.account_id, &new.session.id, Actor::System);
    let secret = TotpSecret::generate(&Ids);
    let codes = RecoveryCode::generate(&Ids);
    let hashes: Vec<_> = codes.iter().map(RecoveryCode::hash).collect();
    let turn_on = || {
        assert!(
            database
                .start_second_factor(account, &secret, noon())
                .unwrap()
        );
        let factor = EnabledFactor {
            created_at: noon(),
            step: TimeStep(1),
            recovery_codes: &hashes,
        };
        let enabled = database.enable_second_factor(account, &factor, id, noon());
        assert!(enabled.unwrap());
    };
    turn_on();
    assert!(database.second_factor(account).unwrap().is_some());
    assert_eq!(database.members_with_second_factor(org).unwrap().len(), 1);
    let later = |second| NewSession {
        session: Session {
            id: SessionId::make(&Ids),
            created_at: after(second),
            ..new.session.clone()
        },
        token: Token::generate(&Ids).hash(),
    };
    let lifetime = SessionLifetime::default();
    let waiting = later(9_999);
    let stage = database.sign_in(&waiting, Some(&later(0).token), lifetime);
    assert_eq!(stage, Ok(SignInStage::CodeNeeded));
    assert!(database.pending_sign_in(&waiting.token).unwrap().is_some());
    let code = |step| CodeProof::Totp {
        step: TimeStep(step),
        newest: TimeStep(step),
    };
    let session = later(9_999);
    let completed = database.complete_sign_in(&waiting.token, &code(2), &session, lifetime);
    assert_eq!(completed, Ok(Ok(())));
    let renewed = database.renew_recovery_codes(account, &code(3), &hashes, noon());
    assert!(renewed.unwrap());
    let recovery = CodeProof::Recovery(hashes[0].clone());
    let disabled = database.disable_second_factor(account, &recovery, noon());
    assert!(disabled.unwrap());
    turn_on();
    for is_required in [true, false] {
        let set = database.set_second_factor_required(org, is_required, noon(), &by);
        assert!(set.unwrap());
    }
    assert!(database.reset_second_factor(account, noon(), &by).unwrap());
    database.sign_in(new, Some(&new.token), lifetime).unwrap();
}

/// Asks all that can be asked about jobs.
fn about_jobs(database: &Database, org: &OrgId) {
    let (worker, lease) = (WorkerId("a".to_owned()), TimeDelta::seconds(30));
    let kind = JobKind::Retention;
    assert_eq!(database.has_due_jobs(after(9)), Ok(true));
    let claim = || {
        let claimed = database.claim_job(kind, &worker, lease, after(9));
        claimed.unwrap().unwrap()
    };
    let held = database.renew_job(&claim(), lease, after(9));
    assert_eq!(held, Ok(LeaseStatus::Held));
    database.release_jobs().unwrap();
    let held = database.postpone_job(&claim(), after(999));
    assert_eq!(held, Ok(LeaseStatus::Held));
    let repaired = database.repair_job_times(kind, after(99), after(50));
    assert_eq!(repaired, Ok(1));
    database.expedite_job(kind, org.as_str(), after(9)).unwrap();
    let held = database.retry_job(&claim(), noon());
    assert_eq!(held, Ok(LeaseStatus::Held));
    assert_eq!(database.end_job(&claim()), Ok(LeaseStatus::Held));
}

/// Runs all queries about waivers.
fn about_waivers(database: &Database, org: &OrgId, site: &SiteId) {
    let by = Actor::System;
    let request = WaiverRequest {
        check_id: "csp-missing".to_owned(),
        reason: "Accepted.".to_owned(),
        ..WaiverRequest::default()
    };
    let waiver = Waiver {
        id: WaiverId::make(&Ids),
        terms: request.validate(|_| true, None).unwrap(),
        author: WaiverAuthor::from(&Author::System),
        created_at: Some(noon()),
    };
    let made = database.create_waiver(org, site, &waiver, &by, None);
    made.unwrap();
    assert_eq!(database.waivers(org, site).unwrap().unwrap().len(), 1);
    assert!(
        database
            .delete_waiver(org, site, &waiver.id, noon(), &by)
            .unwrap()
    );
}

/// Runs all queries about schedules, one of them due.
fn about_schedules(database: &Database, org: &OrgId, site: &SiteId) {
    let change = ScheduleChange {
        enabled: true,
        timetable: Timetable::new(Frequency::Daily, "UTC").unwrap(),
    };
    for second in [1, 2] {
        let next = Some(after(second));
        let set = database.set_schedule(org, site, &change, next, noon(), &Actor::System);
        assert!(set.unwrap().is_some());
    }
    about_jobs(database, org);
    let due = database.enabled_schedule(org, site).unwrap().unwrap();
    let run = new_run("example.com");
    let started = database.start_scheduled(&due, Ok(&run), Some(after(99)), after(9));
    assert_ne!(started.unwrap(), ScheduleOutcome::NotDue);
    let due = DueSchedule {
        due_at: after(99),
        ..due
    };
    let refused = Err(SkipReason::TargetNotAllowed);
    let skipped = database.start_scheduled(&due, refused, None, after(99));
    assert_ne!(skipped.unwrap(), ScheduleOutcome::NotDue);
}

/// Runs all queries about stored responses of operations that change nothing.
fn about_kept_answers(database: &Database, org: &OrgId) {
    let call = IdempotentCall {
        operation: "handoff_actions",
        key: IdempotencyKey::parse("a").unwrap(),
        fingerprint: Fingerprint::new("POST", "/", b""),
        at: after(6),
    };
    let answer = |(): &()| StoredAnswer {
        status: 200,
        location: None,
        body: String::new(),
    };
    let once = IdempotentWrite {
        call: &call,
        answer: &answer,
    };
    assert_eq!(database.kept_answer(org, &call), Ok(None));
    database.keep_answer(org, &once).unwrap();
}

/// Runs all queries about webhooks, with pending deliveries.
fn about_webhooks(database: &Database, org: &OrgId) {
    let by = Actor::System;
    let new = new_webhook(org);
    let id = &new.webhook.id;
    database.create_webhook(org, &new, &by).unwrap();
    database.webhooks(org).unwrap();
    for _ in 0..3 {
        let event = EventId::make(&Ids);
        database.test_webhook(org, id, &event, noon(), &by).unwrap();
    }
    let page = database
        .deliveries(org, id, &EventKind::ALL, None, 1)
        .unwrap()
        .unwrap();
    database
        .deliveries(org, id, &EventKind::ALL, page.next.as_ref(), 9)
        .unwrap();
    let claim = || {
        let worker = WorkerId("a".to_owned());
        let lease = TimeDelta::seconds(30);
        let busy = DeliveryFairness {
            last: Some(org.clone()),
            busy_webhooks: vec![WebhookId::make(&Ids)],
            ..DeliveryFairness::default()
        };
        let claimed = database.claim_delivery(&worker, lease, &busy, after(1));
        claimed.unwrap().unwrap()
    };
    let attempt = DeliveryAttempt {
        at: noon(),
        duration_ms: 1,
        status_code: None,
        error: None,
    };
    for verdict in [Verdict::Again(after(2)), Verdict::Delivered, Verdict::Gone] {
        let held = database.finish_delivery(&claim(), &attempt, verdict, after(1));
        assert_eq!(held.unwrap(), LeaseStatus::Held);
    }
    let event = EventId::make(&Ids);
    database.test_webhook(org, id, &event, noon(), &by).unwrap();
    assert_eq!(
        database.hand_back_delivery(&claim(), Some(noon())).unwrap(),
        LeaseStatus::Held
    );
    assert_eq!(
        database.cancel_delivery(&claim(), noon()).unwrap(),
        LeaseStatus::Held
    );
    let event = EventId::make(&Ids);
    database.test_webhook(org, id, &event, noon(), &by).unwrap();
    claim();
    assert_eq!(database.release_jobs(), Ok(1));
    let patch = WebhookPatch {
        enabled: Some(true),
        ..WebhookPatch::default()
    };
    database
        .patch_webhook(org, id, &patch, noon(), &by)
        .unwrap();
    database.events(org).unwrap();
    assert!(database.remove_events(org, after(99), 9).unwrap().count > 0);
    assert!(database.delete_webhook(org, id, noon(), &by).unwrap());
}

fn new_webhook(org: &OrgId) -> NewWebhook {
    NewWebhook {
        webhook: Webhook {
            id: WebhookId::make(&Ids),
            org_id: org.clone(),
            url: "https://hooks.example/".to_owned(),
            events: [EventKind::RunFailed].into(),
            state: WebhookState::Enabled,
            created_at: noon(),
            updated_at: noon(),
        },
        secret: WebhookSecret::make(&Ids),
    }
}

fn is_look_up(sql: &str) -> bool {
    // Diesel writes a list without elements so, and SQLite looks at no row.
    if sql.ends_with("WHERE (1=0)") {
        return false;
    }
    ["SELECT", "UPDATE", "DELETE", "WITH"]
        .iter()
        .any(|verb| sql.starts_with(verb))
}
