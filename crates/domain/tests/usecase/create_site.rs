use domain::audit_log::Actor;
use domain::plan::{LimitHit, PlanLimits};
use domain::ports::{CreateSiteError, OrgStore, SiteStore, StoreError};
use domain::report::Variant;
use domain::site::{Site, SiteName};
use domain::target::AllowTargets;
use domain::usecase::{CreateSite, CreateSitePolicy, SiteNotCreated, create_site};
use rstest::rstest;

use crate::Fixture;

fn request(url: &str) -> CreateSite {
    CreateSite {
        url: url.to_owned(),
        name: None,
        by: Actor::CommandLine,
    }
}

fn create(world: &Fixture, request: CreateSite) -> Result<Site, SiteNotCreated> {
    create_within(world, request, PlanLimits::default())
}

fn create_within(
    world: &Fixture,
    request: CreateSite,
    limits: PlanLimits,
) -> Result<Site, SiteNotCreated> {
    let policy = CreateSitePolicy {
        allow: &AllowTargets::default(),
        limits,
    };
    let Fixture {
        stores,
        clock,
        ids,
        org,
        ..
    } = world;
    create_site(stores, clock, ids, &policy, org, request)
}

fn stored(world: &Fixture) -> Vec<Site> {
    let sites = world.stores.sites(&world.org, Variant::Current).unwrap();
    sites.into_iter().map(|known| known.site).collect()
}

#[test]
fn a_site_begins_at_the_root_of_its_host_and_is_named_by_it() {
    let world = Fixture::new();
    let site = create(&world, request("https://www.example.com/a?b#c")).unwrap();
    assert_eq!(site.url, "https://www.example.com/");
    assert_eq!(site.name, "example.com");
    assert_eq!(stored(&world), [site]);
}

#[test]
fn a_name_takes_the_place_of_the_host() {
    let world = Fixture::new();
    let named = CreateSite {
        name: SiteName::parse("Shop"),
        ..request("https://example.com/")
    };
    let site = create(&world, named).unwrap();
    assert_eq!(
        (site.name.as_str(), site.host.as_str()),
        ("Shop", "example.com")
    );
    assert_eq!(stored(&world), [site]);
}

#[test]
fn a_host_has_one_site() {
    let world = Fixture::new();
    let site = create(&world, request("https://example.com/")).unwrap();
    assert_eq!(
        create(&world, request("http://www.example.com/b")),
        Err(CreateSiteError::Exists(site.id).into())
    );
    assert_eq!(stored(&world).len(), 1);
}

#[test]
fn a_site_that_exists_is_said_before_the_cap() {
    let world = Fixture::new();
    let limits = PlanLimits {
        sites: Some(1),
        monthly_runs: None,
        ..PlanLimits::default()
    };
    let created = |url: &str| create_within(&world, request(url), limits);
    created("https://a.example/").unwrap();
    assert!(matches!(
        created("https://a.example/"),
        Err(SiteNotCreated::Create(CreateSiteError::Exists(_)))
    ));
    assert_eq!(
        created("https://b.example/"),
        Err(CreateSiteError::LimitHit(LimitHit::Sites(1)).into())
    );
}

#[rstest]
#[case::no_url("nonsense", 0)]
#[case::user("https://ada@example.com/", 0)]
#[case::private("http://10.0.0.1/", 1)]
#[case::port("http://example.com:22/", 1)]
fn a_target_that_is_refused_stores_nothing_but_a_line(#[case] url: &str, #[case] lines: usize) {
    let world = Fixture::new();
    let before = world.stores.audit_log(&world.org).unwrap().len();
    let refused = create(&world, request(url));
    assert!(matches!(refused, Err(SiteNotCreated::Target(_))));
    assert_eq!(stored(&world), []);
    let log = world.stores.audit_log(&world.org).unwrap();
    assert_eq!(log.len(), before + lines);
    if lines > 0 {
        let last = log.last().unwrap();
        assert_eq!(
            (last.event.as_str(), last.subject.as_str()),
            ("target.refused", url)
        );
    }
}

#[test]
fn a_database_that_is_away_is_said() {
    let world = Fixture::new();
    let error = StoreError::Unavailable(String::new());
    world.stores.break_with(Some(error.clone()));
    for url in ["https://example.com/", "http://10.0.0.1/"] {
        assert_eq!(
            create(&world, request(url)),
            Err(CreateSiteError::Store(error.clone()).into())
        );
    }
}
