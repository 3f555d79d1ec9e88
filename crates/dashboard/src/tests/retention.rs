//! The retention periods of an organization in its settings.

use domain::key::Role;
use domain::plan::{Plan, PlanLimits, Plans, SELF_HOSTED};
use domain::ports::RetentionStore;
use domain::report::Variant;
use domain::retention::{Keep, RetentionChoice};

use super::browser::{Browser, Reply};
use super::html;
use super::world::{Fixture, PLAIN};

const PATH: &str = "/settings/retention";

fn world() -> Fixture {
    Fixture::new(Variant::Current, PLAIN)
}

async fn save(browser: &Browser, world: &Fixture, reports: &str, confirmed: &str) -> Reply {
    let fields = [
        ("reports-days", reports),
        ("audit-log-days", ""),
        ("confirmed", confirmed),
    ];
    let session = Some(&world.acme.admin.token);
    browser.post(session, PATH, &fields).await
}

fn stored(world: &Fixture) -> Option<Keep> {
    let choice = world.stores.retention(&world.acme.id).unwrap();
    choice.reports
}

#[actix_web::test]
async fn a_shorter_period_is_saved_after_it_was_confirmed() {
    let world = world();
    let browser = world.browser().await;
    let asked = save(&browser, &world, "30", "").await;
    assert_eq!(asked.status, 200);
    assert!(asked.text.contains("This deletes data that is kept now."));
    assert_eq!(stored(&world), None);
    let hidden = html::values(&asked.text, "input", "value");
    let change = "reports 30 days, audit log plan default";
    assert!(hidden.iter().any(|value| value == change), "{hidden:?}");
    // What was confirmed is not what is sent now.
    let other = save(&browser, &world, "7", change).await;
    assert!(other.text.contains("This deletes data that is kept now."));
    assert_eq!(stored(&world), None);
    let saved = save(&browser, &world, "30", change).await;
    assert!(
        saved.leads_to("/settings/retention?done=saved"),
        "{saved:?}"
    );
    assert_eq!(stored(&world), Some(Keep::days(30)));
    let page = browser.get(Some(&world.acme.admin.token), PATH).await;
    assert!(
        page.text
            .contains("<td>30 days</td><td>the organization</td>")
    );
}

#[actix_web::test]
async fn a_longer_period_needs_no_confirmation() {
    let world = world();
    let browser = world.browser().await;
    let saved = save(&browser, &world, "0", "").await;
    assert!(
        saved.leads_to("/settings/retention?done=saved"),
        "{saved:?}"
    );
    assert_eq!(stored(&world), Some(Keep::Forever));
}

#[actix_web::test]
async fn the_period_of_the_plan_is_the_longest() {
    let world = world();
    let plan = Plan {
        name: SELF_HOSTED.to_owned(),
        limits: PlanLimits::default(),
        paid: true,
        retention: RetentionChoice {
            reports: Some(Keep::days(90)),
            audit_log: None,
        },
    };
    world.state.settings.plans.replace(Plans::new([plan]));
    let browser = world.browser().await;
    for days in ["91", "0"] {
        let refused = save(&browser, &world, days, "").await;
        assert_eq!(refused.status, 422);
        let problem = "The plan of the organization keeps reports for at most 90 days.";
        assert!(refused.text.contains(problem), "{}", refused.text);
    }
    assert_eq!(stored(&world), None);
}

#[actix_web::test]
async fn people_who_may_not_change_the_periods_see_them() {
    let world = world();
    let browser = world.browser().await;
    for role in [Role::Read, Role::Member] {
        let session = Some(&world.acme.person(role).token);
        let page = browser.get(session, PATH).await;
        assert!(
            page.text
                .contains("<td>400 days</td><td>the installation</td>")
        );
        assert!(!page.text.contains("name=\"reports-days\""), "{role}");
    }
}
