//! Property test: both databases return the same results for any sequence of operations.

use std::collections::BTreeMap;

use chrono::TimeDelta;
use domain::action::{
    ActionComment, ActionCursor, ActionFilter, ActionItem, ActionPatch, ActionStatus, BriefRequest,
    FieldPatch, Instructions, Priority,
};
use domain::audit_log::Actor;
use domain::id::{OrgId, SiteId};
use domain::idempotency::{
    Fingerprint, IdempotencyKey, IdempotentCall, IdempotentWrite, StoredAnswer,
};
use domain::plan::PlanLimits;
use domain::ports::{
    Claim, HandBack, JobClaim, JobKind, NewRun, QueueRules, ReportDetail, RunModes, SiteRef,
    StartedRun, Stores,
};
use domain::report::{PageListing, Variant};
use domain::run::{AskedOptions, RequestHeaders, RunError, RunFilter, RunPhase, RunProgress};
use domain::site::{SiteName, SitePatch};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use testkit::sample;

use crate::contract::backend;
use crate::contract::comments::new_comment;
use crate::contract::sites_written::new_site;
use crate::contract::world::{Fixture, at, blocked, causes, occurrences, pages, worker};

/// An operation on the stores. Claims, runs and sites are named by their index among those created so far.
#[derive(Debug, Clone)]
enum Step {
    Start { site: u8, cap: u64 },
    Wait { seconds: i64 },
    Claim { elsewhere: bool },
    Heartbeat(usize),
    Write(usize),
    WritePages(usize, u32),
    Complete(usize, bool),
    Fail(usize, bool),
    HandBack(usize, u8),
    Cancel(usize),
    CreateSite { site: u8, cap: u64 },
    PatchSite(usize, bool, bool),
    DeleteSite(usize),
    Holds(usize),
    ReleaseAll,
    Reap,
    StartOnce { key: u8, site: u8 },
    MakeItem { site: usize, priority: u8 },
    Patch { item: usize, status: usize },
    Assign { item: usize, by_priority: bool },
    Comment { item: usize, key: u8 },
    AskBrief { item: usize, words: bool },
    ClaimBrief { worker: bool },
    FinishBrief { claim: usize, written: bool },
    ListItems { from: usize, status: usize },
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        3 => (0..3_u8, 2..9_u64).prop_map(|(site, cap)| Step::Start { site, cap }),
        3 => (0..25_i64).prop_map(|seconds| Step::Wait { seconds }),
        5 => any::<bool>().prop_map(|elsewhere| Step::Claim { elsewhere }),
        2 => (0..6_usize).prop_map(Step::Heartbeat),
        2 => (0..6_usize).prop_map(Step::Write),
        2 => (0..6_usize, 1..9_u32).prop_map(|(claim, count)| Step::WritePages(claim, count)),
        2 => (0..6_usize, any::<bool>()).prop_map(|(claim, clean)| Step::Complete(claim, clean)),
        1 => (0..6_usize, any::<bool>()).prop_map(|(claim, ours)| Step::Fail(claim, ours)),
        2 => (0..6_usize, 0..4_u8).prop_map(|(claim, why)| Step::HandBack(claim, why)),
        1 => (0..6_usize).prop_map(Step::Cancel),
        1 => (0..3_u8, 1..4_u64).prop_map(|(site, cap)| Step::CreateSite { site, cap }),
        1 => (0..4_usize, any::<bool>(), any::<bool>())
            .prop_map(|(site, name, options)| Step::PatchSite(site, name, options)),
        1 => (0..4_usize).prop_map(Step::DeleteSite),
        1 => (0..6_usize).prop_map(Step::Holds),
        1 => Just(Step::ReleaseAll),
        2 => Just(Step::Reap),
        2 => (0..3_u8, 0..2_u8).prop_map(|(key, site)| Step::StartOnce { key, site }),
        3 => items(),
    ];
    prop::collection::vec(step, 1..60)
}

/// Operations on action items. Items are named by their index in the list of all.
fn items() -> impl Strategy<Value = Step> {
    let item = || 0..7_usize;
    prop_oneof![
        (0..3_usize, 0..4_u8).prop_map(|(site, priority)| Step::MakeItem { site, priority }),
        (item(), 0..4_usize).prop_map(|(item, status)| Step::Patch { item, status }),
        (item(), any::<bool>()).prop_map(|(item, by_priority)| Step::Assign { item, by_priority }),
        (item(), 0..3_u8).prop_map(|(item, key)| Step::Comment { item, key }),
        (0..3_usize, any::<bool>()).prop_map(|(item, words)| Step::AskBrief { item, words }),
        any::<bool>().prop_map(|worker| Step::ClaimBrief { worker }),
        (0..3_usize, any::<bool>())
            .prop_map(|(claim, written)| Step::FinishBrief { claim, written }),
        (item(), 0..4_usize).prop_map(|(from, status)| Step::ListItems { from, status }),
    ]
}

/// A lease of 10 seconds, a deadline of 30, two attempts: so that all of them expire within a test.
const SHORT: QueueRules = QueueRules {
    lease: TimeDelta::seconds(10),
    deadline: TimeDelta::seconds(30),
    max_attempts: 2,
    runs_per_organization: Some(3),
    isolated_runs: false,
    modes: RunModes::All,
};

/// The state of a test during the steps.
struct Walk<'a> {
    world: Fixture<'a>,
    org: OrgId,
    second: i64,
    claims: Vec<Claim>,
    briefs: Vec<JobClaim>,
    runs: Vec<domain::id::RunId>,
    sites: Vec<SiteId>,
    reports: Vec<domain::id::ReportId>,
}

impl<'a> Walk<'a> {
    fn new(stores: &'a dyn Stores) -> Self {
        let (world, org) = Fixture::with_org(stores);
        Self {
            world,
            org,
            second: 0,
            claims: Vec::new(),
            briefs: Vec::new(),
            runs: Vec::new(),
            sites: Vec::new(),
            reports: Vec::new(),
        }
    }

    /// Executes a step, and returns the result as text. The last claims have the lowest numbers.
    fn take(&mut self, step: &Step) -> String {
        let (stores, now) = (self.world.stores, at(self.second));
        let claim = |number: usize| self.claims.iter().rev().nth(number).cloned();
        match step {
            Step::Start { site, cap } => self.start(*site, *cap),
            Step::Wait { seconds } => {
                self.second += seconds;
                String::new()
            }
            Step::Claim { elsewhere } => {
                let name = worker(if *elsewhere { "x-1" } else { "w-1" });
                let claimed = stores.claim(&name, &SHORT, now);
                self.claims.extend(claimed.clone().unwrap());
                let claim = claimed.as_ref().unwrap().as_ref();
                let headers = claim.map(|claim| claim.options.headers.expose());
                format!("{claimed:?} with {headers:?}")
            }
            Step::Heartbeat(number) => {
                let progress = RunProgress {
                    phase: RunPhase::Crawling,
                    pages_fetched: u64::try_from(self.second).unwrap(),
                    ..RunProgress::QUEUED
                };
                let beat = |claim| stores.heartbeat(&claim, &progress, &SHORT, now);
                format!("{:?}", claim(*number).map(beat))
            }
            Step::Write(number) => {
                let brought = sample::completed_run(&self.world.ids, &sample::audit_result());
                let causes = causes(&brought.reports);
                let batch = occurrences(&brought.reports);
                let write = |claim| {
                    let held = stores.write_causes(&claim, &causes);
                    (held, stores.write_occurrences(&claim, &batch[..40]))
                };
                format!("{:?}", claim(*number).map(write))
            }
            Step::WritePages(number, count) => {
                let write = |claim| stores.write_pages(&claim, &pages(*count));
                format!("{:?}", claim(*number).map(write))
            }
            Step::Complete(number, clean) => {
                let result = if *clean {
                    sample::clean_audit_result()
                } else {
                    sample::audit_result()
                };
                let brought = sample::completed_run(&self.world.ids, &result);
                self.reports.push(brought.report_id.clone());
                let complete = |claim| stores.complete(&claim, &brought, &self.world.ids, now);
                format!("{:?}", claim(*number).map(complete))
            }
            Step::Fail(number, ours) => {
                let error = if *ours {
                    RunError::internal()
                } else {
                    blocked()
                };
                let fail = |claim| stores.fail(&claim, &error, now);
                format!("{:?}", claim(*number).map(fail))
            }
            Step::HandBack(number, why) => {
                let why = match why {
                    0 => HandBack::Stopped,
                    1 => HandBack::Fault,
                    2 => HandBack::Suspected,
                    _ => HandBack::Crashed,
                };
                let hand_back = |claim| stores.hand_back(&claim, why, now);
                format!("{:?}", claim(*number).map(hand_back))
            }
            Step::Cancel(number) => {
                let run = self.runs.iter().rev().nth(*number);
                let cancel = |run| stores.cancel_run(&self.org, run, now);
                format!("{:?}", run.map(cancel))
            }
            Step::CreateSite { site, cap } => self.create_site(*site, *cap),
            Step::PatchSite(number, name, options) => {
                let patch = self.patch(*name, *options);
                let by = Actor::CommandLine;
                let patch = |site| stores.patch_site(&self.org, site, &patch, now, &by);
                format!("{:?}", self.sites.iter().rev().nth(*number).map(patch))
            }
            Step::DeleteSite(number) => {
                let by = Actor::CommandLine;
                let delete = |site| stores.delete_site(&self.org, site, now, &by);
                format!("{:?}", self.sites.iter().rev().nth(*number).map(delete))
            }
            Step::Holds(number) => {
                let holds = |claim| stores.holds(&claim);
                format!("{:?}", claim(*number).map(holds))
            }
            Step::ReleaseAll => format!("{:?}", stores.release_all(now)),
            Step::Reap => format!("{:?}", stores.reap(&SHORT, now)),
            Step::StartOnce { key, site } => self.start_once(*key, *site),
            step => self.take_with_items(step),
        }
    }

    fn take_with_items(&mut self, step: &Step) -> String {
        let (stores, org, now) = (self.world.stores, &self.org, at(self.second));
        let items = self.world.items(org);
        let id = |place: usize| items.get(place).map(|item| &item.id);
        let by = Actor::CommandLine;
        match step {
            Step::MakeItem { site, priority } => {
                let sites = stores.sites(org, Variant::Current).unwrap();
                let item = ActionItem {
                    site_id: sites.get(*site).map(|known| known.site.id.clone()),
                    priority: Priority::ranked(*priority).unwrap(),
                    created_at: now,
                    updated_at: now,
                    ..self.world.new_item(org, "Something")
                };
                format!("{:?}", stores.create_action(org, &item, &by))
            }
            Step::Patch { item, status } => {
                let patch = ActionPatch {
                    status: Some(ActionStatus::ALL[*status]),
                    ..ActionPatch::default()
                };
                let patched = id(*item).map(|id| stores.patch_action(org, id, &patch, now, &by));
                format!("{patched:?}")
            }
            Step::Assign { item, by_priority } => {
                let new = sample::new_member(&self.world.ids, &format!("m{}", self.second));
                let mut patch = ActionPatch {
                    assignee: FieldPatch::Set(new.id.clone()),
                    ..ActionPatch::default()
                };
                if *by_priority {
                    patch.priority = Some(Priority::Low);
                }
                let added = stores.add_member(org, &new, &by);
                let patched = id(*item).map(|id| stores.patch_action(org, id, &patch, now, &by));
                let gone = stores
                    .members(org)
                    .unwrap()
                    .first()
                    .map(|first| stores.remove_member(org, &first.id, now, &by));
                format!("{added:?} {patched:?} {gone:?}")
            }
            Step::Comment { item, key } => {
                let call = self.call("comment", *key, &item.to_string());
                let answer = |comment: &ActionComment| answered(comment.id.as_str());
                let once = IdempotentWrite {
                    call: &call,
                    answer: &answer,
                };
                let comment = new_comment(&self.world, "Said", self.second);
                let once = (*key > 0).then_some(&once);
                let added = id(*item).map(|id| stores.add_comment(org, id, &comment, once));
                format!("{added:?}")
            }
            Step::AskBrief { item, words } => {
                let words = if *words { "Words" } else { "" };
                let request = BriefRequest {
                    instructions: Instructions::parse(words).unwrap(),
                    at: now,
                };
                let asked = id(*item).map(|id| stores.queue_brief(org, id, &request, &by, None));
                format!("{asked:?}")
            }
            Step::ClaimBrief { worker: first } => {
                let name = worker(if *first { "w1" } else { "w2" });
                let claimed = stores
                    .claim_job(JobKind::Brief, &name, SHORT.lease, now)
                    .unwrap();
                let begun = claimed.as_ref().map(|claim| stores.begin_brief(claim));
                self.briefs.extend(claimed.clone());
                format!("{claimed:?} {begun:?}")
            }
            Step::FinishBrief { claim, written } => {
                let text = format!("at {}", self.second);
                let written = if *written { Ok(text) } else { Err(text) };
                let claim = self.briefs.iter().rev().nth(*claim);
                let finish = |claim| stores.finish_brief(claim, &written, now);
                format!("{:?}", claim.map(finish))
            }
            Step::ListItems { from, status } => {
                let filter = ActionFilter {
                    statuses: [ActionStatus::ALL[*status]].into(),
                    ..ActionFilter::all(Variant::Legacy)
                };
                let after = items.get(*from).map(ActionCursor::after);
                let all = ActionFilter::all(Variant::Current);
                format!(
                    "{:?} {:?}",
                    stores.actions(org, &filter, None, 2),
                    stores.actions(org, &all, after.as_ref(), 3)
                )
            }
            other => panic!("{other:?} is not about items"),
        }
    }

    fn call(&self, operation: &'static str, key: u8, body: &str) -> IdempotentCall {
        IdempotentCall {
            operation,
            key: IdempotencyKey::parse(&key.to_string()).unwrap(),
            fingerprint: Fingerprint::new("POST", "/", body.as_bytes()),
            at: at(self.second),
        }
    }

    fn start_once(&mut self, key: u8, site: u8) -> String {
        let mut run = sample::new_run(&self.world.ids, &format!("https://{site}.example/"));
        run.now = at(self.second);
        self.runs.push(run.id.clone());
        let call = self.call("start", key, &site.to_string());
        let answer = |run: &StartedRun| answered(run.run_id.as_str());
        let once = IdempotentWrite {
            call: &call,
            answer: &answer,
        };
        let started = self.world.stores.start_run_once(&self.org, &run, &once);
        format!("{started:?}")
    }

    fn start(&mut self, site: u8, cap: u64) -> String {
        let mut run: NewRun = sample::new_run(&self.world.ids, &format!("https://{site}.example/"));
        run.limits.monthly_runs = Some(cap);
        run.now = at(self.second);
        if cap.is_multiple_of(2) {
            run.options.headers = self.headers();
        }
        self.runs.push(run.id.clone());
        let started = self.world.stores.start_run(&self.org, &run);
        let site = started.as_ref().ok().map(|started| started.site_id.clone());
        self.sites.extend(site);
        format!("{started:?}")
    }

    /// Headers that depend on the present time of the test.
    fn headers(&self) -> RequestHeaders {
        let value = format!("value {}", self.second);
        RequestHeaders::stored(BTreeMap::from([("x-preview".to_owned(), value)]))
    }

    fn create_site(&mut self, site: u8, cap: u64) -> String {
        let new = new_site(&self.world, &format!("{site}.example"));
        let limits = PlanLimits {
            sites: Some(cap),
            monthly_runs: None,
            ..PlanLimits::default()
        };
        self.sites.push(new.id.clone());
        let (now, by) = (at(self.second), Actor::CommandLine);
        let created = (self.world.stores).create_site(&self.org, &new, limits, now, &by);
        format!("{created:?}")
    }

    fn patch(&self, name: bool, options: bool) -> SitePatch {
        let name = name.then(|| format!("Site {}", self.second));
        SitePatch {
            name: name.and_then(|name| SiteName::parse(&name)),
            options: options.then(|| AskedOptions {
                max_pages: u32::try_from(self.second).ok(),
                headers: Some(self.headers()),
                ..AskedOptions::default()
            }),
        }
    }

    /// Everything that can be read at the end.
    fn seen(&self) -> String {
        let (stores, org) = (self.world.stores, &self.org);
        let sites = stores.sites(org, Variant::Current).unwrap();
        let histories: Vec<_> = sites
            .iter()
            .map(|known| stores.history(org, &known.site.id, 100).unwrap())
            .collect();
        let runs = self.runs.iter().map(|run| stores.run(org, run).unwrap());
        let reports = self.reports.iter().map(|report| {
            let variants = [Variant::Current, Variant::Legacy];
            let variants = variants.map(|variant| {
                [ReportDetail::Inline, ReportDetail::Whole]
                    .map(|detail| stores.report(org, report, variant, detail).unwrap())
            });
            let pages = stores
                .pages(org, report, &PageListing::all(Variant::Current), None, 5)
                .unwrap();
            (variants, pages, stores.org_of_report(report).unwrap())
        });
        let defaults = self.sites.iter().map(|site| {
            let defaults = stores.site_defaults(org, &SiteRef::Id(site)).unwrap();
            let headers = defaults
                .as_ref()
                .and_then(|known| known.options.headers.as_ref());
            let values = headers.map(|headers| headers.expose().clone());
            (defaults, values)
        });
        let defaults: Vec<_> = defaults.collect();
        let log = stores.audit_log(org).unwrap();
        let (runs, reports): (Vec<_>, Vec<_>) = (runs.collect(), reports.collect());
        let list = stores.runs(org, &RunFilter::default(), None, 7).unwrap();
        let usage = self.world.usage(org, at(0));
        let items: Vec<_> = (self.world.items(org).into_iter())
            .map(|item| {
                (
                    stores.comments(org, &item.id, None, 100).unwrap(),
                    stores.brief(org, &item.id).unwrap(),
                    stores.dossier(org, &item.id, Variant::Legacy).unwrap(),
                    item,
                )
            })
            .collect();
        format!(
            "{:#?}",
            (
                (sites, histories, runs, list),
                (reports, usage, items, defaults, log)
            )
        )
    }
}

fn answered(text: &str) -> StoredAnswer {
    StoredAnswer {
        status: 200,
        location: None,
        body: text.to_owned(),
    }
}

/// Executes random steps on new stores of both databases.
#[test]
fn postgresql_and_sqlite_give_the_same_results() {
    let config = Config {
        cases: 24,
        failure_persistence: None,
        ..Config::default()
    };
    let mut runner = TestRunner::new_with_rng(
        config,
        prop::test_runner::TestRng::deterministic_rng(prop::test_runner::RngAlgorithm::ChaCha),
    );
    let walked = runner.run(&steps(), |steps| {
        let mut expected = (Vec::new(), String::new());
        backend::on_sqlite(|stores| {
            let mut walk = Walk::new(stores);
            let answers = steps.iter().map(|step| walk.take(step)).collect();
            expected = (answers, walk.seen());
        });
        let (answers, seen) = expected;
        let mut outcome = Ok(());
        backend::on_postgresql(|stores| {
            let mut walk = Walk::new(stores);
            outcome = steps.iter().zip(&answers).try_for_each(|(step, answer)| {
                prop_assert_eq!(&walk.take(step), answer, "at {:?}", step);
                Ok(())
            });
            if outcome.is_ok() && walk.seen() != seen {
                let text = format!("{}\nand on SQLite\n{seen}", walk.seen());
                outcome = Err(TestCaseError::fail(text));
            }
        });
        outcome
    });
    if let Err(error) = walked {
        panic!("{error}");
    }
}
