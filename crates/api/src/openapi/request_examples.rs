//! Example requests. Tests of the document parse each as the type of its operation.

use serde_json::{Value, json};

/// The example body of an operation; `None` for an operation without one.
pub(super) fn example(operation: &str) -> Option<Value> {
    let body = match operation {
        "start_audit" => json!({
            "url": "https://example.com/",
            "options": { "maxPages": 200, "exclude": ["/search"] },
        }),
        "create_site" => json!({ "url": "https://example.com/", "name": "Example" }),
        "update_site" => json!({ "name": "Example", "options": { "maxPages": 200 } }),
        "set_schedule" => json!({
            "enabled": true,
            "frequency": "custom",
            "cron": "30 4 * * 1-5",
            "timezone": "Europe/Berlin",
        }),
        "create_action" => json!({
            "title": "Write alternative texts for the photos of the start page",
            "priority": "high",
            "dueDate": "2027-01-31",
        }),
        "update_action" => json!({ "status": "in_progress", "dueDate": null }),
        "comment_on_action" => json!({ "body": "Fixed in the template of the header." }),
        "queue_brief" => json!({ "instructions": "The site is built with Hugo." }),
        "handoff_actions" => json!({
            "ids": ["act_01KAK2NB6HQ4V1X9C7J3D5S8MT", "act_01KAK2NB6HQ4V1X9C7J3D5S8MV"],
            "format": "markdown",
        }),
        "create_webhook" => json!({
            "url": "https://example.com/hooks/assay",
            "events": ["run.completed", "run.failed"],
        }),
        "create_waiver" => json!({
            "checkId": "csp-missing",
            "reason": "The site has no scripts and shows no content of visitors.",
        }),
        "update_webhook" => json!({ "enabled": false }),
        _ => return None,
    };
    Some(body)
}
