use domain::audit_log::Actor;
use domain::id::{OrgId, SiteId};
use domain::idempotency::Idempotent;
use domain::plan::{LimitHit, PlanLimits};
use domain::ports::{Clock, RunStore, SiteStore, StartRunError, StartedRun};
use domain::report::Variant;
use domain::run::{AskedOptions, InvalidOption, OptionBounds, RequestHeaders, RunStatus, Trigger};
use domain::site::SitePatch;
use domain::target::AllowTargets;
use domain::usecase::{StartAudit, StartAuditError, StartAuditPolicy, start_audit};
use rstest::rstest;

use crate::Fixture;

fn request(url: &str) -> StartAudit {
    StartAudit {
        url: url.to_owned(),
        site_id: None,
        options: asked(10),
        refused: Vec::new(),
        trigger: Trigger::Api,
        by: Actor::CommandLine,
    }
}

fn asked(max_pages: u32) -> AskedOptions {
    AskedOptions {
        max_pages: Some(max_pages),
        ..AskedOptions::default()
    }
}

fn start(world: &Fixture, request: StartAudit) -> Result<StartedRun, StartAuditError> {
    start_within(world, request, PlanLimits::default())
}

fn start_within(
    world: &Fixture,
    request: StartAudit,
    limits: PlanLimits,
) -> Result<StartedRun, StartAuditError> {
    let allow = AllowTargets::default();
    let policy = StartAuditPolicy {
        allow: &allow,
        bounds: OptionBounds {
            max_pages: 100,
            browser: false,
            user_agent: false,
            ignore_robots: false,
        },
        default_max_pages: 50,
        limits,
    };
    let Fixture {
        stores,
        clock,
        ids,
        org,
        ..
    } = world;
    match start_audit(stores, clock, ids, &policy, org, request, None)? {
        Idempotent::Executed(started) => Ok(started),
        Idempotent::Replayed(_) => panic!("the call had no key"),
    }
}

fn sites(world: &Fixture) -> usize {
    world
        .stores
        .sites(&world.org, Variant::Current)
        .unwrap()
        .len()
}

#[test]
fn the_first_run_of_a_host_creates_its_site_and_the_next_finds_it() {
    let world = Fixture::new();
    let first = start(&world, request("https://www.example.com/a?b#c")).unwrap();
    let second = start(&world, request("http://example.com/")).unwrap();
    assert_eq!(first.site_id, second.site_id);
    assert_ne!(first.run_id, second.run_id);
    let run = world
        .stores
        .run(&world.org, &first.run_id)
        .unwrap()
        .unwrap();
    assert_eq!(run.url, "https://www.example.com/a?b");
    assert_eq!(run.state.status(), RunStatus::Queued);
    let site = world
        .stores
        .sites(&world.org, Variant::Current)
        .unwrap()
        .remove(0)
        .site;
    assert_eq!(site.url, "https://www.example.com/");
    assert_eq!(site.name, "example.com");
}

#[test]
fn a_run_can_be_attached_to_a_site_of_its_host_alone() {
    let world = Fixture::new();
    let site = start(&world, request("https://example.com/"))
        .unwrap()
        .site_id;
    let attached = |url: &str| StartAudit {
        site_id: Some(site.to_string()),
        ..request(url)
    };
    assert_eq!(
        start(&world, attached("https://www.example.com/b"))
            .unwrap()
            .site_id,
        site
    );
    assert!(matches!(
        start(&world, attached("https://example.org/")),
        Err(StartAuditError::Start(StartRunError::OtherHost { .. }))
    ));
    assert_eq!(sites(&world), 1);
}

#[rstest]
#[case::malformed("nonsense")]
#[case::empty("")]
#[case::never_existed("site_01JD2Y3Z4A5B6C7D8E9F0GHJKM")]
fn a_site_that_is_not_there_is_not_found(#[case] site: &str) {
    let world = Fixture::new();
    let request = StartAudit {
        site_id: Some(site.to_owned()),
        ..request("https://example.com/")
    };
    assert_eq!(
        start(&world, request),
        Err(StartAuditError::Start(StartRunError::SiteNotFound))
    );
    assert_eq!(sites(&world), 0);
}

#[rstest]
#[case::no_url("nonsense")]
#[case::private("http://10.0.0.1/")]
#[case::port("http://example.com:22/")]
fn a_forbidden_target_stores_nothing(#[case] url: &str) {
    let world = Fixture::new();
    assert!(matches!(
        start(&world, request(url)),
        Err(StartAuditError::Target(..))
    ));
    assert_eq!(sites(&world), 0);
}

#[test]
fn a_wrong_url_and_wrong_options_are_refused_together() {
    let world = Fixture::new();
    let bad = StartAudit {
        options: asked(101),
        refused: vec![InvalidOption::TooManyHeaders],
        ..request("http://10.0.0.1/")
    };
    let Err(StartAuditError::Target(_, wrong)) = start(&world, bad.clone()) else {
        panic!("started");
    };
    let fields: Vec<String> = wrong.iter().map(InvalidOption::field).collect();
    assert_eq!(fields, ["headers", "maxPages"]);
    let bad = StartAudit {
        url: "https://example.com/".to_owned(),
        ..bad
    };
    assert_eq!(start(&world, bad), Err(StartAuditError::Options(wrong)));
    assert_eq!(sites(&world), 0);
}

#[test]
fn options_are_judged_before_anything_is_stored() {
    let world = Fixture::new();
    let request = StartAudit {
        options: asked(101),
        ..request("https://example.com/")
    };
    assert!(matches!(
        start(&world, request),
        Err(StartAuditError::Options(_))
    ));
    assert_eq!(sites(&world), 0);
}

#[test]
fn a_cap_creates_no_site() {
    let world = Fixture::new();
    let limits = PlanLimits {
        sites: Some(1),
        monthly_runs: Some(2),
        ..PlanLimits::default()
    };
    let started = |url: &str| start_within(&world, request(url), limits);
    started("https://a.example/").unwrap();
    assert_eq!(
        started("https://b.example/"),
        Err(StartAuditError::Start(LimitHit::Sites(1).into()))
    );
    started("https://a.example/").unwrap();
    assert_eq!(
        started("https://a.example/"),
        Err(StartAuditError::Start(LimitHit::MonthlyRuns(2).into()))
    );
    assert_eq!(sites(&world), 1);
}

#[test]
fn another_organizations_site_is_not_found() {
    let world = Fixture::new();
    let site = start(&world, request("https://example.com/"))
        .unwrap()
        .site_id;
    let other = Fixture {
        org: OrgId::parse(
            &world
                .administration()
                .create_org("Other", domain::plan::SELF_HOSTED)
                .unwrap()
                .to_string(),
        )
        .unwrap(),
        ..world
    };
    let request = StartAudit {
        site_id: Some(SiteId::to_string(&site)),
        ..request("https://example.com/")
    };
    assert_eq!(
        start(&other, request),
        Err(StartAuditError::Start(StartRunError::SiteNotFound))
    );
}

#[rstest]
#[case::the_site_itself("https://example.com/a", true)]
#[case::plain_http("http://example.com/a", false)]
#[case::another_server("https://www.example.com/a", false)]
fn the_headers_of_a_site_go_to_its_own_origin_alone(#[case] url: &str, #[case] with: bool) {
    let world = Fixture::new();
    let site = start(&world, request("https://example.com/"))
        .unwrap()
        .site_id;
    let secret = [("authorization".to_owned(), "Basic abc".to_owned())];
    let patch = SitePatch {
        name: None,
        options: Some(AskedOptions {
            headers: Some(RequestHeaders::parse(secret.into()).unwrap()),
            ..AskedOptions::default()
        }),
    };
    let by = Actor::CommandLine;
    let now = world.clock.now();
    assert_eq!(
        world.stores.patch_site(&world.org, &site, &patch, now, &by),
        Ok(true)
    );
    let run = start(&world, request(url)).unwrap();
    assert_eq!(run.site_id, site);
    let run = world.stores.run(&world.org, &run.run_id).unwrap().unwrap();
    assert_eq!(!run.options.headers.is_empty(), with);
}
