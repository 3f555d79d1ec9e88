//! Authentication and tenant isolation of every operation of the OpenAPI document.
//!
//! The operations, their ids and their bodies are read from the document that the service serves, so a new operation is
//! tested without a change here. `scripts/prove isolation` and `scripts/prove credentials` print how much was tested.

mod credentials;
mod document;
pub(crate) mod dump;
mod isolation;

use std::collections::BTreeMap;

use serde_json::{Value, json};
use testkit::LoopbackServer;

use crate::client::{Client, Reply};
use crate::{Home, Kind, Service, site};
use document::Operation;

/// The variants of the API.
const VARIANTS: [&str; 2] = ["current", "legacy"];

/// The ids of an organization's resources, one for each kind.
type Belongings = BTreeMap<&'static str, String>;

/// A service with two organizations that each have one resource of every kind.
struct Fixture {
    home: Home,
    service: Service,
    operations: Vec<Operation>,
    own: Belongings,
    foreign: Belongings,
    /// The resources that the first organization had before its site was deleted.
    deleted: Belongings,
    /// A key of the second organization.
    foreign_key: String,
    _sites: [LoopbackServer; 2],
}

impl Fixture {
    fn new(kind: Kind, variant: &str) -> Self {
        let home = Home::new(kind);
        std::fs::write(
            home.path("assay.toml"),
            format!("variant = \"{variant}\"\n"),
        )
        .unwrap();
        let service = home.serve(&["--allow-target", "127.0.0.1"]);
        let client = service.client();
        let sites = [site(), site()];
        let own = belongings(&client, &sites[0]);
        let deleted = belongings(&client, &sites[1]);
        let removed = client.send("DELETE", &format!("/api/mcp/sites/{}", deleted["site"]), "");
        assert_eq!(removed.status, 204, "{removed:?}");
        let path = format!("/api/mcp/webhooks/{}", deleted["webhook"]);
        assert_eq!(client.send("DELETE", &path, "").status, 204);
        let org = home.printed(&["orgs", "create", "Rival"]);
        let foreign_key = home.printed(&[
            "keys", "create", "--org", &org, "--name", "ci", "--role", "admin",
        ]);
        let rival = Client::new(&service.address, &foreign_key);
        let foreign = belongings(&rival, &sites[0]);
        let document = client.raw("GET", "/openapi.json", &[], b"").body;
        let operations = Operation::all(&document, sites[0].url("/").as_str());
        Self {
            home,
            service,
            operations,
            own,
            foreign,
            deleted,
            foreign_key,
            _sites: sites,
        }
    }

    /// Dumps the database, without the last use of keys.
    fn dump(&self) -> String {
        dump::dump(&self.home)
    }
}

/// Audits a site, and returns the ids of the created resources.
fn belongings(client: &Client, site: &LoopbackServer) -> Belongings {
    let report = client.report_on(site.url("/").as_str());
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let mut all = BTreeMap::from([
        ("report", text(&report["reportId"])),
        ("run", text(&report["runId"])),
        ("site", text(&report["siteId"])),
        ("issue", text(&report["issues"][0]["issueId"])),
    ]);
    let actions = client.get(&format!("/api/mcp/actions?siteId={}", all["site"]));
    if actions.status == 200 {
        let action = text(&actions.body["actions"][0]["actionId"]);
        let comment = json!({ "body": "Seen." });
        let path = format!("/api/mcp/actions/{action}/comments");
        assert_eq!(client.post(&path, &comment).status, 201);
        all.insert("action", action);
    }
    let wanted = json!({ "checkId": "csp-missing", "reason": "The site has no scripts." });
    let path = format!("/api/mcp/sites/{}/waivers", all["site"]);
    let waiver = client.post(&path, &wanted);
    assert_eq!(waiver.status, 201, "{waiver:?}");
    all.insert("waiver", text(&waiver.body["waiverId"]));
    // No test triggers this event, so nothing is sent.
    let wanted = json!({ "url": site.url("/hook").as_str(), "events": ["schedule.skipped"] });
    let webhook = client.post("/api/mcp/webhooks", &wanted);
    assert_eq!(webhook.status, 201, "{webhook:?}");
    all.insert("webhook", text(&webhook.body["webhookId"]));
    all
}

/// Removes the parts of a problem that differ from request to request.
fn problem(answer: &Reply) -> Value {
    let mut problem = answer.body.clone();
    if let Some(object) = problem.as_object_mut() {
        object.remove("requestId");
    }
    problem
}
