//! Two organizations with everything that pages show.

use std::sync::Arc;

use domain::account::{RecoveryCode, Session, SessionLifetime, TimeStep, Token, TotpSecret};
use domain::action::{ActionFilter, Author};
use domain::audit_log::Actor;
use domain::event::EventKind;
use domain::id::{
    AccountId, ActionId, IssueId, KeyId, MemberId, OrgId, ReportId, RunId, SiteId, WaiverId,
    WebhookId,
};
use domain::key::Role;
use domain::plan::{Plans, SharedPlans};
use domain::ports::{
    ActionStore, JobQueue, KeyStore, LeaseStatus, NewMember, NewOrg, NewWebhook, OrgStore,
    QueueRules, ReportDetail, ReportStore, RunStore, WaiverStore, WebhookStore, WorkerId,
};
use domain::report::{AuditResult, Variant};
use domain::retention::{Keep, Retention};
use domain::run::OptionBounds;
use domain::score::DimensionWeights;
use domain::target::AllowTargets;
use domain::usecase::{Client, Issuer, OpenedSession, complete_run};
use domain::waiver::{Waiver, WaiverAuthor, WaiverRequest};
use domain::webhook::{Webhook, WebhookSecret, WebhookState};
use httpkit::rate_limits::RateLimits;
use storage::Database;
use testkit::{FixedClock, SampleChecks, SequentialIds, sample};

use crate::passwords::{Argon2Passwords, HashCost};
use crate::state::{
    DashboardSettings, DashboardState, Diagnosis, DiagnosisLevel, OperatorSettings, Ports,
};

/// The password of everybody.
pub(super) const PASSWORD: &str = "otter-plum-rail-42-sundial";
/// A service that is reached on its own machine.
pub(super) const PLAIN: &str = "http://127.0.0.1:8080";
/// A service behind TLS.
pub(super) const SECURE: &str = "https://assay.example";

const CLIENT: Client<'_> = Client {
    user_agent: "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0",
    address: "203.0.113.7",
};

/// Everything a test works with. The administrator of `acme` is also a member of a third organization, `club`.
pub(super) struct Fixture {
    pub(super) stores: Database,
    pub(super) clock: FixedClock,
    pub(super) ids: SequentialIds,
    pub(super) state: DashboardState,
    pub(super) acme: Org,
    pub(super) rival: Org,
    pub(super) club: OrgId,
}

/// A person who is signed in.
pub(super) struct Person {
    pub(super) member: MemberId,
    pub(super) email: String,
    pub(super) token: Token,
    pub(super) session: Session,
}

/// An organization with one of everything.
pub(super) struct Org {
    pub(super) id: OrgId,
    pub(super) admin: Person,
    pub(super) member: Person,
    pub(super) reader: Person,
    /// Another session of the administrator.
    pub(super) elsewhere: OpenedSession,
    /// An administrator with a second factor.
    pub(super) protected: Protected,
    /// What the member's app has, who has not turned the second factor on.
    pub(super) unproven: TotpSecret,
    /// A member without an account.
    pub(super) guest: MemberId,
    pub(super) site: SiteId,
    /// A run that completed, and its report.
    pub(super) run: RunId,
    pub(super) report: ReportId,
    /// An issue of the report that both variants show.
    pub(super) issue: IssueId,
    /// A run that waits.
    pub(super) queued: RunId,
    pub(super) action: ActionId,
    pub(super) webhook: WebhookId,
    pub(super) key: KeyId,
    /// A waiver of the site that is active.
    pub(super) waiver: WaiverId,
    pub(super) setup: Token,
    /// The invitation of the guest.
    pub(super) invitation: Token,
    /// A password reset of the member.
    pub(super) reset: Token,
}

/// A person with a second factor.
pub(super) struct Protected {
    pub(super) person: Person,
    pub(super) secret: TotpSecret,
    pub(super) codes: Vec<RecoveryCode>,
    /// A sign-in of the person that waits for the code.
    pub(super) waiting: Token,
}

impl Org {
    /// Somebody with exactly this role.
    pub(super) const fn person(&self, role: Role) -> &Person {
        match role {
            Role::Read => &self.reader,
            Role::Member => &self.member,
            Role::Admin => &self.admin,
        }
    }
}

/// What a completed run left behind.
struct Completed(SiteId, RunId, ReportId);

impl Fixture {
    pub(super) fn new(variant: Variant, base_url: &str) -> Self {
        let maker = Maker::new(variant, base_url);
        let orgs = ["Acme", "Rival", "Club"].map(|name| maker.organization(name));
        let [acme, rival, club] = orgs;
        // Before anything else waits in the queue.
        let completed = [&acme, &rival]
            .map(|org| maker.completed(org, "https://example.com/", &sample::audit_result()));
        let [acme_run, rival_run] = completed;
        let acme = maker.filled(acme, "acme", acme_run);
        let rival = maker.filled(rival, "rival", rival_run);
        let guest = maker.member(&club, "ada-acme", Role::Admin);
        maker.join(&club, &guest);
        let operators = vec![acme.admin.session.account_id.clone()];
        let state = DashboardState {
            settings: Arc::new(DashboardSettings {
                operator: operator(operators),
                ..settings(variant, base_url)
            }),
            ..maker.state
        };
        Self {
            stores: maker.stores,
            clock: maker.clock,
            ids: maker.ids,
            state,
            acme,
            rival,
            club,
        }
    }

    /// All rows of the database.
    pub(super) fn rows(&self) -> Vec<String> {
        self.stores.rows().unwrap()
    }

    /// A run of an organization with this result.
    pub(super) fn complete(&self, org: &OrgId, result: &AuditResult) -> ReportId {
        self.complete_at(org, "https://example.com/", result)
    }

    /// A run that begins at an address, with this result.
    pub(super) fn complete_at(&self, org: &OrgId, url: &str, result: &AuditResult) -> ReportId {
        // Whatever waits is cancelled, because workers take the oldest run first.
        for queued in [&self.acme, &self.rival] {
            let cancelled = (self.stores).cancel_run(&queued.id, &queued.queued, sample::noon());
            cancelled.unwrap();
        }
        self.maker().completed(org, url, result).2
    }

    /// Another organization, with nothing in it.
    pub(super) fn organization(&self, name: &str) -> OrgId {
        self.maker().organization(name)
    }

    /// A new member without an account.
    pub(super) fn guest(&self, org: &OrgId, name: &str, email: &str) -> MemberId {
        let member = NewMember {
            name: name.to_owned(),
            email: email.to_owned(),
            ..sample::new_member(&self.ids, "guest")
        };
        let by = Actor::CommandLine;
        assert!(self.stores.add_member(org, &member, &by).unwrap());
        member.id
    }

    fn maker(&self) -> Maker {
        Maker {
            stores: self.stores.clone(),
            clock: self.clock.clone(),
            ids: self.ids.clone(),
            state: self.state.clone(),
        }
    }
}

/// Fills a database.
struct Maker {
    stores: Database,
    clock: FixedClock,
    ids: SequentialIds,
    state: DashboardState,
}

impl Maker {
    fn new(variant: Variant, base_url: &str) -> Self {
        let (stores, ids) = (Database::for_test(), SequentialIds::default());
        let clock = FixedClock::new(sample::noon());
        let cost = HashCost {
            memory_kib: 8,
            iterations: 1,
            parallelism: 1,
        };
        let ports = Ports {
            stores: Arc::new(stores.clone()),
            objects: Arc::new(testkit::MemoryObjects::default()),
            checks: Arc::new(SampleChecks),
            clock: Arc::new(clock.clone()),
            ids: Arc::new(ids.clone()),
            passwords: Arc::new(Argon2Passwords::new(cost).unwrap()),
            renderer: None,
        };
        Self {
            state: DashboardState::new(ports, RateLimits::default(), settings(variant, base_url)),
            stores,
            clock,
            ids,
        }
    }

    fn organization(&self, name: &str) -> OrgId {
        let org = NewOrg {
            name: name.to_owned(),
            ..sample::new_org(&self.ids)
        };
        self.stores.create_org(&org, &Actor::CommandLine).unwrap();
        org.id
    }

    fn member(&self, org: &OrgId, name: &str, role: Role) -> MemberId {
        let member = NewMember {
            role,
            ..sample::new_member(&self.ids, name)
        };
        let by = Actor::CommandLine;
        assert!(self.stores.add_member(org, &member, &by).unwrap());
        member.id
    }

    /// The member takes up an invitation.
    fn join(&self, org: &OrgId, member: &MemberId) -> OpenedSession {
        let (sessions, by) = (self.state.sessions(), Actor::CommandLine);
        let link = sessions
            .one_time_links()
            .issue_invitation(org, member, &by)
            .unwrap();
        sessions
            .take_invitation(&link, ("Ada Lovelace", PASSWORD), CLIENT)
            .unwrap()
    }

    fn person(&self, org: &OrgId, name: &str, role: Role) -> Person {
        let member = self.member(org, name, role);
        let opened = self.join(org, &member);
        Person {
            member,
            email: format!("{name}@example.com"),
            token: opened.token,
            session: opened.session,
        }
    }

    /// Makes a secret for the person's app.
    fn started(&self, token: &Token) -> TotpSecret {
        let sessions = self.state.sessions();
        let signed_in = sessions.signed_in(token).unwrap().unwrap();
        assert!(sessions.start_second_factor(&signed_in).unwrap());
        let factor = sessions.second_factor(&signed_in.account.id);
        factor.unwrap().unwrap().secret
    }

    fn protected(&self, org: &OrgId, name: &str) -> Protected {
        let person = self.person(org, name, Role::Admin);
        let secret = self.started(&person.token);
        let sessions = self.state.sessions();
        let signed_in = sessions.signed_in(&person.token).unwrap().unwrap();
        // The code of the step before, so that tests can use the one of now.
        let now = TimeStep::containing(domain::ports::Clock::now(&self.clock));
        let code = secret.code_at(TimeStep(now.0 - 1));
        let enabled = sessions.enable_second_factor(&person.token, &signed_in, &code);
        let enabled = enabled.unwrap();
        let opened = enabled.session.unwrap();
        let waiting = sessions.sign_in(&person.email, PASSWORD, CLIENT, None);
        Protected {
            person: Person {
                token: opened.token,
                session: opened.session,
                ..person
            },
            secret,
            codes: enabled.recovery_codes,
            waiting: waiting.unwrap().token,
        }
    }

    fn filled(&self, org: OrgId, name: &str, completed: Completed) -> Org {
        let Completed(site, run, report) = completed;
        let by = Actor::CommandLine;
        let admin = self.person(&org, &format!("ada-{name}"), Role::Admin);
        let member = self.person(&org, &format!("bob-{name}"), Role::Member);
        let reader = self.person(&org, &format!("cy-{name}"), Role::Read);
        let guest = self.member(&org, &format!("dot-{name}"), Role::Read);
        let protected = self.protected(&org, &format!("eve-{name}"));
        let unproven = self.started(&member.token);
        let sessions = self.state.sessions();
        let elsewhere = sessions.sign_in(&admin.email, PASSWORD, CLIENT, None);
        let reset = sessions.one_time_links().issue_password_reset(
            &org,
            &member.member,
            Issuer::Administrator,
            &by,
        );
        let queued = sample::new_run(&self.ids, "https://example.com/");
        let started = self.stores.start_run(&org, &queued).unwrap();
        let (key, _) = sample::new_key(&self.ids, Role::Read);
        assert!(self.stores.create_key(&org, &key, &by).unwrap());
        let filter = ActionFilter::all(Variant::Current);
        let actions = self.stores.actions(&org, &filter, None, 1).unwrap();
        let detail = ReportDetail::Glance;
        let stored = self.stores.report(&org, &report, Variant::Legacy, detail);
        let issues = stored.unwrap().unwrap().issues;
        Org {
            elsewhere: elsewhere.unwrap(),
            protected,
            unproven,
            setup: sessions
                .one_time_links()
                .issue_setup_link(&org, &by)
                .unwrap(),
            invitation: sessions
                .one_time_links()
                .issue_invitation(&org, &guest, &by)
                .unwrap(),
            reset: reset.unwrap(),
            queued: started.run_id,
            action: actions.items[0].id.clone(),
            webhook: self.webhook(&org),
            waiver: self.waiver(&org, &site, &admin.member),
            key: key.id,
            id: org,
            admin,
            member,
            reader,
            guest,
            site,
            run,
            report,
            issue: issues[0].issue_id.clone(),
        }
    }

    fn waiver(&self, org: &OrgId, site: &SiteId, author: &MemberId) -> WaiverId {
        let request = WaiverRequest {
            check_id: "image-alt".to_owned(),
            path: Some("/archive/".to_owned()),
            reason: "The archive is frozen.".to_owned(),
            ..WaiverRequest::default()
        };
        let author = Author::Member {
            id: author.clone(),
            name: "Ada Lovelace".to_owned(),
        };
        let waiver = Waiver {
            id: WaiverId::make(&self.ids),
            terms: request.validate(|_| true, None).unwrap(),
            author: WaiverAuthor::from(&author),
            created_at: Some(sample::noon()),
        };
        let by = Actor::CommandLine;
        let made = self.stores.create_waiver(org, site, &waiver, &by, None);
        assert!(made.is_ok());
        waiver.id
    }

    fn webhook(&self, org: &OrgId) -> WebhookId {
        let webhook = Webhook {
            id: WebhookId::make(&self.ids),
            org_id: org.clone(),
            url: "https://hooks.example.com/".to_owned(),
            events: [EventKind::RunFailed].into(),
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

    /// A run with this result, completed as a worker completes it.
    fn completed(&self, org: &OrgId, url: &str, result: &AuditResult) -> Completed {
        let run = sample::new_run(&self.ids, url);
        let started = self.stores.start_run(org, &run).unwrap();
        let worker = WorkerId("worker".to_owned());
        let claim = (self.stores).claim(&worker, &QueueRules::DEFAULT, sample::noon());
        let claim = claim.unwrap().unwrap();
        assert_eq!(claim.run_id, started.run_id);
        let (noon, weights) = (FixedClock::new(sample::noon()), DimensionWeights::default());
        sample::keep_artifacts(&self.stores, &*self.state.objects, &claim);
        let mut alive = || Ok(LeaseStatus::Held);
        let (queue, ids) = (&self.stores, &self.ids);
        let held = complete_run(queue, &noon, ids, &weights, &claim, result, &mut alive);
        assert_eq!(held, Ok(LeaseStatus::Held));
        let run = self.stores.run(org, &claim.run_id).unwrap().unwrap();
        let report = run.report_id().unwrap().clone();
        Completed(started.site_id, claim.run_id, report)
    }
}

pub(crate) fn settings(variant: Variant, base_url: &str) -> DashboardSettings {
    DashboardSettings {
        variant,
        base_url: base_url.to_owned(),
        has_sign_in: true,
        lifetime: SessionLifetime::default(),
        allow_plain_http: false,
        plans: SharedPlans::new(Plans::new([])),
        retention: Retention {
            reports: Keep::days(400),
            audit_log: Keep::days(730),
            events: Keep::days(30),
        },
        allow_targets: AllowTargets::default(),
        default_max_pages: 1_000,
        bounds: OptionBounds {
            max_pages: 5_000,
            browser: false,
            user_agent: true,
            ignore_robots: false,
        },
        on_run_started: Arc::new(|| {}),
        on_run_cancelled: Arc::new(|| {}),
        on_brief_queued: Arc::new(|| {}),
        operator: operator(Vec::new()),
    }
}

/// What the pages of these operators show.
fn operator(accounts: Vec<AccountId>) -> OperatorSettings {
    OperatorSettings {
        accounts,
        versions: vec![("Assay", "1.2.3".to_owned())],
        examine: Arc::new(|| {
            vec![Diagnosis {
                check: "database.schema",
                level: DiagnosisLevel::Warning,
                message: "2 migrations are pending".to_owned(),
                remedy: Some("Make a backup.".to_owned()),
            }]
        }),
    }
}
