//! Waivers: a finding is accepted, stays in the report and costs nothing.

use rstest::rstest;
use serde_json::{Value, json};

use crate::{Home, Kind, site};

/// The issue of a check in a report.
fn issue<'a>(report: &'a Value, check_id: &str) -> &'a Value {
    let mut issues = report["issues"].as_array().unwrap().iter();
    issues
        .find(|issue| issue["checkId"] == check_id)
        .unwrap_or_else(|| panic!("no issue of {check_id} in {report:#}"))
}

#[rstest]
#[case::sqlite(Kind::Sqlite)]
#[case::postgresql(Kind::Postgresql)]
fn a_run_applies_the_waivers_of_its_site(#[case] kind: Kind) {
    let (home, site) = (Home::new(kind), site());
    let service = home.serve(&["--allow-target", &site.target()]);
    let client = service.client();
    let url = site.url("/").to_string();
    let before = client.report_on(&url);
    let site_id = before["siteId"].as_str().unwrap();
    let waivers = format!("/api/mcp/sites/{site_id}/waivers");
    let open = issue(&before, "image-alt");
    assert!(open["scoreImpact"].as_f64().unwrap() > 0.0, "{open:#}");
    assert_eq!(open["waived"], 0);
    let made = client.post(
        &waivers,
        &json!({"checkId": "image-alt", "reason": "Decoration."}),
    );
    assert_eq!(made.status, 201, "{made:?}");
    let waiver = &made.body["waiverId"];

    let after = client.report_on(&url);
    let waived = issue(&after, "image-alt");
    assert_eq!(waived["waived"], waived["occurrencesTotal"]);
    assert_eq!(waived["scoreImpact"], 0.0);
    let place = &waived["causes"][0]["occurrences"][0];
    assert_eq!(place["waiverId"], *waiver);
    let applied = &after["waivers"][0];
    assert_eq!(
        (&applied["waiverId"], &applied["reason"]),
        (waiver, &json!("Decoration."))
    );
    assert_eq!(applied["occurrences"], waived["occurrencesTotal"]);
    let score = |report: &Value| report["subscores"]["accessibility"].as_u64().unwrap();
    assert!(
        score(&after) > score(&before),
        "{} {}",
        score(&before),
        score(&after)
    );

    let path = format!("{waivers}/{}", waiver.as_str().unwrap());
    assert_eq!(client.send("DELETE", &path, "").status, 204);
    let again = client.report_on(&url);
    assert_eq!(issue(&again, "image-alt")["waived"], 0);
    assert_eq!(score(&again), score(&before));
    assert_eq!(again["waivers"], json!([]));
}

/// A waiver that exists before the first run keeps the audit from creating an item.
#[test]
fn an_accepted_finding_makes_no_action_item() {
    let (home, site) = (Home::new(Kind::Sqlite), site());
    let service = home.serve(&["--allow-target", &site.target()]);
    let client = service.client();
    let url = site.url("/").to_string();
    let made = client.post("/api/mcp/sites", &json!({ "url": url }));
    let site_id = made.body["siteId"].as_str().unwrap().to_owned();
    let waivers = format!("/api/mcp/sites/{site_id}/waivers");
    let body = json!({"checkId": "image-alt", "reason": "Decoration."});
    assert_eq!(client.post(&waivers, &body).status, 201);
    client.report_on(&url);
    let actions = client.get("/api/mcp/actions?limit=200").body;
    let actions = actions["actions"].as_array().unwrap();
    assert!(!actions.is_empty());
    assert!(
        actions
            .iter()
            .all(|action| action["checkId"] != "image-alt")
    );
}
