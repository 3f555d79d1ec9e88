//! Two organizations, their keys, and a client of the interface.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use actix_web::HttpResponse;
use actix_web::body::to_bytes;
use actix_web::dev::Service;
use actix_web::http::Method;
use actix_web::http::header::HeaderMap;
use actix_web::test::{self, TestRequest};
use api::{ApiSettings, ApiState};
use domain::action::{
    ActionFilter, ActionItem, ActionStatus, BriefStatus, Description, Priority, Title,
};
use domain::audit_log::Actor;
use domain::event::EventKind;
use domain::id::{ActionId, MemberId, OrgId, ReportId, RunId, SiteId, WebhookId};
use domain::key::Role;
use domain::plan::{Plan, PlanLimits, Plans, SharedPlans};
use domain::ports::{
    ActionStore, Claim, IdSource, JobQueue, KeyStore, LeaseStatus, NewRun, NewWebhook, OrgStore,
    QueueRules, RunStore, WebhookStore, WorkerId,
};
use domain::report::{AuditResult, Variant};
use domain::retention::RetentionChoice;
use domain::run::OptionBounds;
use domain::score::DimensionWeights;
use domain::target::AllowTargets;
use domain::usecase::complete_run;
use domain::webhook::{Webhook, WebhookSecret, WebhookState};
use futures_util::FutureExt;
use futures_util::future::LocalBoxFuture;
use httpkit::limits::RateLimit;
use httpkit::measure::{Answered, Meter};
use httpkit::problem::{Limit, Problem};
use httpkit::rate_limits::RateLimits;
use serde_json::Value;
use storage::Database;
use testkit::{
    FixedClock, MemoryObjects, SampleChecks, SampleRenderer, SampleSigner, SequentialIds, sample,
};

/// Everything a test works with. `acme` is on the plan without caps, `rival` on the plan `free`.
pub(crate) struct Fixture {
    pub(crate) stores: Database,
    pub(crate) objects: MemoryObjects,
    pub(crate) clock: FixedClock,
    pub(crate) ids: SequentialIds,
    pub(crate) acme: OrgId,
    pub(crate) rival: OrgId,
    /// Secrets of `acme`, by role, and of an admin of `rival`.
    pub(crate) admin: String,
    pub(crate) member: String,
    pub(crate) reader: String,
    pub(crate) rival_admin: String,
    pub(crate) variant: Variant,
    pub(crate) allow: AllowTargets,
    pub(crate) bounds: OptionBounds,
    pub(crate) rate_limit: Option<RateLimit>,
    pub(crate) rate_limits: RateLimits,
    pub(crate) meter: Option<Arc<Tally>>,
    pub(crate) woken: Arc<AtomicUsize>,
    /// How often who writes briefs was woken.
    pub(crate) writer_woken: Arc<AtomicUsize>,
}

/// Writes down what is measured.
#[derive(Default)]
pub(crate) struct Tally(pub(crate) std::sync::Mutex<Vec<String>>);

impl Tally {
    fn add(&self, line: String) {
        self.0.lock().unwrap().push(line);
    }
}

impl Meter for Tally {
    fn answered(&self, answered: &Answered<'_>) {
        assert!(!answered.took.is_zero());
        self.add(format!(
            "{} {} {}",
            answered.method, answered.route, answered.status
        ));
    }

    fn refused(&self, limit: Limit) {
        self.add(format!("refused: {}", limit.as_str()));
    }

    fn run_cancelled(&self) {
        self.add("cancelled".to_owned());
    }

    fn admits(&self, token: &str) -> bool {
        token == "open sesame"
    }

    fn page(&self) -> String {
        "up 1\n".to_owned()
    }
}

/// What a completed run left behind.
pub(crate) struct Completed {
    pub(crate) run: RunId,
    pub(crate) site: SiteId,
    pub(crate) report: ReportId,
}

impl Fixture {
    pub(crate) fn new() -> Self {
        let (stores, ids) = (Database::for_test(), SequentialIds::default());
        let acme = sample::new_org(&ids);
        let rival = domain::ports::NewOrg {
            name: "Rival".to_owned(),
            plan: "free".to_owned(),
            ..sample::new_org(&ids)
        };
        for org in [&acme, &rival] {
            stores.create_org(org, &Actor::CommandLine).unwrap();
        }
        let mut world = Self {
            clock: FixedClock::new(sample::noon()),
            acme: acme.id,
            rival: rival.id,
            admin: String::new(),
            member: String::new(),
            reader: String::new(),
            rival_admin: String::new(),
            variant: Variant::Current,
            allow: AllowTargets::default(),
            bounds: OptionBounds {
                max_pages: 5_000,
                browser: false,
                user_agent: false,
                ignore_robots: false,
            },
            rate_limit: None,
            rate_limits: RateLimits::default(),
            meter: None,
            woken: Arc::default(),
            writer_woken: Arc::default(),
            stores,
            objects: MemoryObjects::default(),
            ids,
        };
        world.admin = world.key(&world.acme, Role::Admin);
        world.member = world.key(&world.acme, Role::Member);
        world.reader = world.key(&world.acme, Role::Read);
        world.rival_admin = world.key(&world.rival, Role::Admin);
        world
    }

    pub(crate) fn legacy() -> Self {
        Self {
            variant: Variant::Legacy,
            ..Self::new()
        }
    }

    /// A new key of an organization.
    pub(crate) fn key(&self, org: &OrgId, role: Role) -> String {
        let (key, secret) = sample::new_key(&self.ids, role);
        assert!(
            self.stores
                .create_key(org, &key, &Actor::CommandLine)
                .unwrap()
        );
        secret.expose().to_owned()
    }

    /// A run that waits.
    pub(crate) fn queued(&self, org: &OrgId, url: &str) -> (RunId, SiteId) {
        self.queue(org, &sample::new_run(&self.ids, url))
    }

    pub(crate) fn queue(&self, org: &OrgId, run: &NewRun) -> (RunId, SiteId) {
        let started = self.stores.start_run(org, run).unwrap();
        (started.run_id, started.site_id)
    }

    /// A run with a report.
    pub(crate) fn completed(&self, org: &OrgId, url: &str) -> Completed {
        self.completed_with(org, url, &sample::audit_result())
    }

    /// A run with a report on this result, written as a worker writes it.
    pub(crate) fn completed_with(&self, org: &OrgId, url: &str, result: &AuditResult) -> Completed {
        let (claim, site) = self.claimed(org, url);
        Completed {
            report: self.complete(org, &claim, result),
            run: claim.run_id,
            site,
        }
    }

    fn complete(&self, org: &OrgId, claim: &Claim, result: &AuditResult) -> ReportId {
        let (noon, weights) = (FixedClock::new(sample::noon()), DimensionWeights::default());
        let mut alive = || Ok(LeaseStatus::Held);
        let (queue, ids) = (&self.stores, &self.ids);
        let held = complete_run(queue, &noon, ids, &weights, claim, result, &mut alive);
        assert_eq!(held, Ok(LeaseStatus::Held));
        let run = self.stores.run(org, &claim.run_id).unwrap().unwrap();
        run.report_id().unwrap().clone()
    }

    /// The report of a run with the pictures 1 and 2.
    pub(crate) fn pictured(&self, org: &OrgId) -> ReportId {
        let (claim, _) = self.claimed(org, "https://example.com/");
        sample::keep_artifacts(&self.stores, &self.objects, &claim);
        self.complete(org, &claim, &sample::audit_result())
    }

    /// A run that a worker has.
    fn claimed(&self, org: &OrgId, url: &str) -> (Claim, SiteId) {
        let (run, site) = self.queued(org, url);
        let worker = WorkerId("worker".to_owned());
        let claim = (self.stores).claim(&worker, &QueueRules::DEFAULT, sample::noon());
        let claim = claim.unwrap().unwrap();
        assert_eq!(claim.run_id, run, "runs are completed in their order");
        (claim, site)
    }

    /// A new member of an organization.
    pub(crate) fn person(&self, org: &OrgId, name: &str) -> MemberId {
        let member = sample::new_member(&self.ids, name);
        let by = Actor::CommandLine;
        assert!(self.stores.add_member(org, &member, &by).unwrap());
        member.id
    }

    /// A new webhook of an organization.
    pub(crate) fn webhook(&self, org: &OrgId) -> WebhookId {
        let webhook = Webhook {
            id: WebhookId::make(&self.ids),
            org_id: org.clone(),
            url: "https://hooks.example.com/".to_owned(),
            events: [EventKind::ScheduleSkipped].into(),
            state: WebhookState::Enabled,
            created_at: sample::noon(),
            updated_at: sample::noon(),
        };
        let new = NewWebhook {
            secret: WebhookSecret::make(&self.ids),
            webhook,
        };
        let made = self.stores.create_webhook(org, &new, &Actor::CommandLine);
        assert_eq!(made, Ok(()));
        new.webhook.id
    }

    /// A new action item that a person made.
    pub(crate) fn own_action(&self, org: &OrgId, title: &str) -> ActionItem {
        let item = ActionItem {
            id: ActionId::make(&self.ids),
            org_id: org.clone(),
            title: Title::parse(title).unwrap(),
            description: Description::default(),
            status: ActionStatus::Open,
            priority: Priority::Medium,
            assignee: None,
            due_date: None,
            site_id: None,
            audit: None,
            comment_count: 0,
            brief_status: BriefStatus::None,
            created_at: sample::noon(),
            updated_at: sample::noon(),
            resolved_at: None,
            verified_at: None,
        };
        let by = Actor::CommandLine;
        self.stores.create_action(org, &item, &by).unwrap();
        item
    }

    /// The action items of an organization, as lists have them.
    pub(crate) fn actions(&self, org: &OrgId) -> Vec<ActionItem> {
        let filter = ActionFilter::all(Variant::Current);
        let page = self.stores.actions(org, &filter, None, 1_000);
        page.unwrap().items
    }

    /// The action item of a check that found something.
    pub(crate) fn action_of(&self, org: &OrgId, check: &str) -> ActionItem {
        let mut items = self.actions(org).into_iter();
        items
            .find(|item| {
                item.audit
                    .as_ref()
                    .is_some_and(|audit| audit.check_id == check)
            })
            .unwrap()
    }

    pub(crate) fn state(&self) -> ApiState {
        let woken = Arc::clone(&self.woken);
        let writer_woken = Arc::clone(&self.writer_woken);
        let plan = |name: &str, paid, sites, monthly_runs| Plan {
            name: name.to_owned(),
            paid,
            retention: RetentionChoice::default(),
            limits: PlanLimits {
                sites,
                monthly_runs,
                ..PlanLimits::default()
            },
        };
        ApiState {
            stores: Arc::new(self.stores.clone()),
            objects: Arc::new(self.objects.clone()),
            checks: Arc::new(SampleChecks),
            clock: Arc::new(self.clock.clone()),
            // Requests count from elsewhere, so that their number changes no id in a snapshot.
            ids: Arc::new(SequentialIds::after(1_000_000)),
            signer: Arc::new(SampleSigner),
            renderer: Some(Arc::new(SampleRenderer)),
            documents: Arc::default(),
            pages: Arc::default(),
            rate_limits: self.rate_limits.clone(),
            settings: Arc::new(ApiSettings {
                variant: self.variant,
                base_url: "https://assay.example".to_owned(),
                plans: SharedPlans::new(Plans::new([
                    plan("free", false, Some(2), Some(3)),
                    plan("team", true, Some(10), None),
                ])),
                allow_targets: self.allow.clone(),
                default_max_pages: 1_000,
                bounds: self.bounds,
                rate_limit: self.rate_limit,
                meter: self.meter.clone().map(|meter| -> Arc<dyn Meter> { meter }),
                error_page: Some(Arc::new(|problem: &Problem, request_id: &str| {
                    let text = format!("<p>{} {request_id}", problem.code().as_str());
                    HttpResponse::build(problem.code().status())
                        .content_type("text/html")
                        .body(text)
                })),
                on_brief_queued: Arc::new(move || {
                    writer_woken.fetch_add(1, Ordering::Relaxed);
                }),
                on_run_started: Arc::new(move || {
                    woken.fetch_add(1, Ordering::Relaxed);
                }),
            }),
        }
    }

    pub(crate) async fn client(&self) -> Client {
        Client::new(&self.state()).await
    }

    /// A request of the admin of `acme`, with a new client.
    pub(crate) async fn get(&self, path: &str) -> Reply {
        self.client().await.get(&self.admin, path).await
    }
}

/// Sends requests to one app.
pub(crate) struct Client(Box<dyn Fn(TestRequest) -> LocalBoxFuture<'static, Reply>>);

impl Client {
    pub(crate) async fn new(state: &ApiState) -> Self {
        let app = Rc::new(test::init_service(api::app(state)).await);
        Self(Box::new(move |request| {
            let app = Rc::clone(&app);
            async move { Reply::read(app.call(request.to_request()).await).await }.boxed_local()
        }))
    }

    pub(crate) async fn send(&self, request: TestRequest) -> Reply {
        (self.0)(request).await
    }

    pub(crate) async fn get(&self, key: &str, path: &str) -> Reply {
        self.send(call(Method::GET, key, path)).await
    }

    pub(crate) async fn patch(&self, key: &str, path: &str, body: &Value) -> Reply {
        self.send(call(Method::PATCH, key, path).set_json(body))
            .await
    }

    pub(crate) async fn post(&self, key: &str, path: &str, body: &Value) -> Reply {
        self.send(call(Method::POST, key, path).set_json(body))
            .await
    }
}

/// A request with a key.
pub(crate) fn call(method: Method, key: &str, path: &str) -> TestRequest {
    TestRequest::with_uri(path)
        .method(method)
        .insert_header(("Authorization", format!("Bearer {key}")))
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    async fn read<B: actix_web::body::MessageBody + 'static>(
        outcome: Result<actix_web::dev::ServiceResponse<B>, actix_web::Error>,
    ) -> Self {
        let response = match outcome {
            Ok(response) => response.map_into_boxed_body().into_parts().1,
            Err(error) => error.error_response(),
        };
        let (head, body) = response.into_parts();
        let body = to_bytes(body)
            .await
            .map_err(|_| "the body breaks off")
            .unwrap();
        Self {
            status: head.status().as_u16(),
            headers: head.headers().clone(),
            body: body.to_vec(),
        }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// Status and body, for a snapshot.
    pub(crate) fn shown(&self) -> String {
        let body = serde_json::to_string_pretty(&self.json()).unwrap();
        format!("{}\n{body}", self.status)
    }

    /// The body of a problem, judged by what holds for all of them, and without its request id.
    pub(crate) fn problem(&self) -> Value {
        let mut problem = self.json();
        let kind = self.header("Content-Type");
        assert_eq!(kind, Some("application/problem+json"), "{problem}");
        let object = problem.as_object_mut().unwrap();
        let id = object.remove("requestId").unwrap();
        assert_eq!(id.as_str(), self.header("X-Request-Id"));
        assert_eq!(id.as_str().map(str::len), Some(26));
        assert_eq!(object["status"], self.status);
        assert!(!object["title"].as_str().unwrap().is_empty());
        assert!(!object["detail"].as_str().unwrap().is_empty());
        let code = object["code"].as_str().unwrap();
        let expected = format!("https://assay.example/docs/errors#{code}");
        assert_eq!(object["type"], expected);
        problem
    }

    pub(crate) fn code(&self) -> String {
        self.problem()["code"].as_str().unwrap().to_owned()
    }

    /// The field that a problem names first.
    pub(crate) fn field(&self) -> Option<String> {
        let field = self.problem()["errors"][0]["field"].clone();
        field.as_str().map(str::to_owned)
    }
}

/// An id of that prefix that nothing has.
pub(crate) fn unused_id(prefix: &str) -> String {
    format!("{prefix}_{}", SequentialIds::after(9_000_000).ulid())
}
