//! What the parameters of paths and the fields of forms are filled in with. A route that is added without an entry here
//! fails the tests of all routes.

use domain::account::{TimeStep, Token};

use super::world::{Fixture, Org, PASSWORD};

/// Another password than everybody's.
pub(super) const OTHER_PASSWORD: &str = "walrus-teapot-77-gravel-moon";

/// The names of the parameters of a path.
pub(super) fn parameters(path: &str) -> Vec<&str> {
    let parts = path.split('/');
    parts
        .filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
        .collect()
}

/// The path with things of `org`, but for the parameter `foreign`, which is filled in with a thing of `other`.
pub(super) fn filled(path: &str, org: &Org, foreign: Option<(&str, &Org)>) -> String {
    let mut filled = path.to_owned();
    for name in parameters(path) {
        let owner = match foreign {
            Some((parameter, other)) if parameter == name => other,
            _ => org,
        };
        filled = filled.replace(&format!("{{{name}}}"), &thing(path, name, owner));
    }
    filled
}

/// What a parameter of a route names.
fn thing(path: &str, parameter: &str, org: &Org) -> String {
    match (path, parameter) {
        (path, "id") if path.starts_with("/reports/{id}") => org.report.to_string(),
        ("/reports/{id}/compare/{other}", "other") => org.report.to_string(),
        ("/reports/{id}/issues/{issue}", "issue") => org.issue.to_string(),
        ("/reports/{id}/pictures/{artifact}", "artifact") => "art_1".to_owned(),
        ("/reports/{id}/download/{format}", "format") => "html".to_owned(),
        (path, "id") if path.starts_with("/sites/{id}") => org.site.to_string(),
        (path, "waiver") if path.starts_with("/sites/{id}/waivers/") => org.waiver.to_string(),
        // Of a run that ended the stream of events ends too.
        ("/runs/{id}" | "/runs/{id}/events", "id") => org.run.to_string(),
        ("/runs/{id}/cancel", "id") => org.queued.to_string(),
        (path, "id") if path.starts_with("/actions/{id}") => org.action.to_string(),
        (
            "/settings/members/{id}"
            | "/settings/members/{id}/role"
            | "/settings/members/{id}/password-reset",
            "id",
        ) => org.member.member.to_string(),
        ("/settings/members/{id}/invitation" | "/settings/members/{id}/remove", "id") => {
            org.guest.to_string()
        }
        ("/settings/api/{id}/revoke", "id") => org.key.to_string(),
        (path, "id") if path.starts_with("/settings/webhooks/{id}") => org.webhook.to_string(),
        ("/settings/sessions/{id}/end", "id") => org.elsewhere.session.id.to_string(),
        ("/checks/{check}", "check") => "image-alt".to_owned(),
        _ => panic!("say what {parameter} in {path} names"),
    }
}

/// Fields with which the form of a route changes something, sent by a person of `org`.
pub(super) fn fields(world: &Fixture, path: &str, org: &Org) -> Vec<(&'static str, String)> {
    let now = TimeStep::containing(world.state.clock.now());
    let code = org.protected.secret.code_at(now);
    let first_code = org.unproven.code_at(now);
    let waiting_token = org.protected.waiting.form_token();
    let fields: &[(&'static str, &str)] = match path {
        "/" => &[("url", "https://new.example/")],
        "/sites/{id}/schedule" => &[
            ("enabled", "yes"),
            ("frequency", "daily"),
            ("timezone", "UTC"),
        ],
        "/sites/{id}/settings" => &[
            ("name", "The new name"),
            ("max-pages", "7"),
            ("headers", "X-Preview: 1"),
        ],
        "/sites/{id}/delete" => &[("name", "example.com")],
        "/sites/{id}/waivers" => &[
            ("check", "image-alt"),
            ("reason", "Until the redesign."),
            ("expires", "2999-12-31"),
        ],
        "/sign-in" => &[("email", &org.reader.email), ("password", PASSWORD)],
        "/sign-in/code" => &[("token", &waiting_token), ("code", &code)],
        "/settings/second-factor/set-up" => &[("code", &first_code)],
        "/settings/second-factor/recovery-codes" | "/settings/second-factor/disable" => {
            &[("code", &code)]
        }
        "/settings/required-second-factor" => &[("second-factor", "required")],
        "/confirm" => &[("target", "/settings"), ("password", PASSWORD)],
        "/setup" => &[
            ("link", org.setup.expose()),
            ("name", "Eve"),
            ("email", "eve@example.com"),
            ("password", OTHER_PASSWORD),
            ("repeated", OTHER_PASSWORD),
        ],
        "/join" => &[
            ("link", org.invitation.expose()),
            ("name", "Dot"),
            ("password", OTHER_PASSWORD),
            ("repeated", OTHER_PASSWORD),
        ],
        "/reset-password" => &[
            ("link", org.reset.expose()),
            ("password", OTHER_PASSWORD),
            ("repeated", OTHER_PASSWORD),
        ],
        "/actions/handoff" => &[("id", org.action.as_str())],
        "/actions/chosen" => &[
            ("id", org.action.as_str()),
            ("status", "in_progress"),
            ("do", "change"),
        ],
        "/actions/{id}" => &[("status", "done"), ("before-status", "open")],
        "/actions/{id}/comments" => &[("body", "I look at it.")],
        "/actions/{id}/brief" => &[("instructions", "The site is made with Hugo.")],
        "/settings/members" => &[
            ("name", "Eve"),
            ("email", "eve@example.com"),
            ("role", "admin"),
        ],
        "/settings/members/{id}/role" => &[("role", "admin")],
        "/settings/api" => &[("name", "deploy"), ("role", "admin"), ("days", "30")],
        "/settings/webhooks" | "/settings/webhooks/{id}" => &[
            ("url", "https://hooks.example.com/changed"),
            ("event", "run.completed"),
        ],
        "/settings/retention" => &[
            ("reports-days", "30"),
            ("audit-log-days", ""),
            ("confirmed", "reports 30 days, audit log plan default"),
        ],
        "/settings/account/name" => &[("name", "Another name")],
        "/settings/account/email" => &[("email", "another@example.com")],
        "/settings/account/password" => &[
            ("current-password", PASSWORD),
            ("new-password", OTHER_PASSWORD),
            ("repeated-password", OTHER_PASSWORD),
        ],
        "/settings/account/organization" => &[("organization", world.club.as_str())],
        // What the path says is all.
        "/sign-out"
        | "/runs/{id}/cancel"
        | "/actions/{id}/verify"
        | "/sites/{id}/waivers/{waiver}/expire"
        | "/sites/{id}/waivers/{waiver}/revoke"
        | "/settings/members/{id}/invitation"
        | "/settings/members/{id}/password-reset"
        | "/settings/members/{id}/remove"
        | "/settings/api/{id}/revoke"
        | "/settings/webhooks/{id}/enable"
        | "/settings/webhooks/{id}/disable"
        | "/settings/webhooks/{id}/test"
        | "/settings/webhooks/{id}/delete"
        | "/settings/second-factor/start"
        | "/settings/sessions/end-others"
        | "/settings/sessions/{id}/end" => &[],
        _ => panic!("say what the form of {path} is filled in with"),
    };
    let fields = fields.iter();
    fields
        .map(|(name, value)| (*name, (*value).to_owned()))
        .collect()
}

/// The session in which the form of a route changes something, where it takes more than a role.
pub(super) fn session_for<'a>(path: &str, org: &'a Org) -> Option<&'a Token> {
    match path {
        // The form moves the person to another organization, and only the administrator has one.
        "/settings/account/organization" => Some(&org.admin.token),
        path if path.starts_with("/settings/sessions/") => Some(&org.admin.token),
        "/sign-in/code" => Some(&org.protected.waiting),
        "/settings/second-factor/set-up" => Some(&org.member.token),
        "/settings/second-factor/recovery-codes"
        | "/settings/second-factor/disable"
        | "/settings/required-second-factor" => Some(&org.protected.person.token),
        _ => None,
    }
}

/// Whether the form of a route changes nothing that is stored.
pub(super) fn only_shows(path: &str) -> bool {
    path == "/actions/handoff"
}

/// What a page needs in its query.
pub(super) fn query(path: &str, org: &Org) -> String {
    match path {
        "/setup" => format!("?link={}", org.setup.expose()),
        "/join" => format!("?link={}", org.invitation.expose()),
        "/reset-password" => format!("?link={}", org.reset.expose()),
        "/sites/{id}/compare" => format!("?before={0}&after={0}", org.report),
        "/actions/handoff" | "/actions/handoff/prompt.md" => format!("?id={}", org.action),
        "/reports/{id}/page" => "?url=https%3A%2F%2Fwww.example.com%2F".to_owned(),
        _ => String::new(),
    }
}
