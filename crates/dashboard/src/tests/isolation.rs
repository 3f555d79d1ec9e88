//! What belongs to another organization is not found, and stays as it is.

use domain::report::Variant;
use rstest::rstest;

use super::targets::{fields, filled, parameters};
use super::world::{Fixture, PLAIN};
use crate::route::Method;
use crate::router::routes;

#[rstest]
#[actix_web::test]
async fn ids_of_other_organizations_are_not_found(
    #[values(Variant::Current, Variant::Legacy)] variant: Variant,
) {
    let world = Fixture::new(variant, PLAIN);
    let browser = world.browser().await;
    let before = world.rows();
    let mut called = 0;
    for (own, other) in [(&world.acme, &world.rival), (&world.rival, &world.acme)] {
        let session = Some(&own.admin.token);
        for route in routes(variant) {
            // A format, a check and the number of a picture in its report belong to nobody.
            for parameter in parameters(route.path)
                .into_iter()
                .filter(|name| !["format", "check", "artifact"].contains(name))
            {
                let foreign = filled(route.path, own, Some((parameter, other)));
                let unused = foreign.replace("01KXZZ9Q80", "01KXZZ9Q81");
                let invalid = filled(route.path, own, None).replace("01KXZZ9Q80", "..");
                for path in [foreign, unused, invalid] {
                    let answer = match route.method {
                        Method::Get => browser.get(session, &path).await,
                        Method::Post => {
                            let form = fields(&world, route.path, own);
                            browser.post(session, &path, &form).await
                        }
                    };
                    assert_eq!(answer.status, 404, "{:?} {path}", route.method);
                    assert!(!answer.text.contains("example.com"), "{path}");
                }
                called += 1;
            }
        }
    }
    assert!(called >= 30, "{called}");
    assert_eq!(world.rows(), before);
}

#[actix_web::test]
async fn ids_of_other_organizations_in_fields_are_not_found() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    let before = world.rows();
    let (acme, rival) = (&world.acme, &world.rival);
    let session = Some(&acme.admin.token);
    let organization = [("organization", rival.id.as_str())];
    let answer = browser
        .post(session, "/settings/account/organization", &organization)
        .await;
    assert_eq!((answer.status, answer.header("Set-Cookie")), (404, ""));
    for ids in [vec![&rival.action], vec![&acme.action, &rival.action]] {
        let ids: Vec<_> = ids.iter().map(|id| ("id", id.as_str())).collect();
        let answer = browser.post(session, "/actions/handoff", &ids).await;
        assert_eq!(answer.status, 404);
        let query = super::browser::encoded(&ids);
        for path in ["/actions/handoff", "/actions/handoff/prompt.md"] {
            let answer = browser.get(session, &format!("{path}?{query}")).await;
            assert_eq!(answer.status, 404, "{path}");
        }
    }
    let path = format!("/actions?siteId={}", rival.site);
    assert_eq!(browser.get(session, &path).await.status, 404);
    let path = format!("/actions?assigneeId={}", rival.member.member);
    let answer = browser.get(session, &path).await;
    assert!(!answer.text.contains("/actions/act_"), "{}", answer.text);
    let assignee = [
        ("assignee", rival.member.member.as_str()),
        ("before-assignee", ""),
    ];
    let path = format!("/actions/{}", acme.action);
    let answer = browser.post(session, &path, &assignee).await;
    assert_eq!(answer.status, 422);
    assert_eq!(world.rows(), before);
}

#[actix_web::test]
async fn an_account_sees_one_organization_at_a_time() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    let old = &world.acme.admin.token;
    let form = [("organization", world.club.as_str())];
    let path = "/settings/account/organization";
    let answer = browser.post(Some(old), path, &form).await;
    assert!(answer.leads_to("/"));
    let new = answer.session().unwrap();
    assert_eq!(browser.get(Some(old), "/").await.status, 303);
    let site = format!("/sites/{}", world.acme.site);
    assert_eq!(browser.get(Some(&new), &site).await.status, 404);
    let elsewhere = &world.acme.elsewhere.token;
    assert_eq!(browser.get(Some(elsewhere), &site).await.status, 200);
}
