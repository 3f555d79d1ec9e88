//! Responses that block the visitor.

use super::{Behaviour, document};
use crate::TestResponse;

pub(super) fn answer(behaviour: Behaviour, below: &str) -> Option<TestResponse> {
    let refused = |status, after: &str| TestResponse::status(status).header("Retry-After", after);
    Some(match behaviour {
        Behaviour::TooManyRequests => refused(429, "1"),
        Behaviour::RetryDate => refused(503, "Fri, 31 Dec 2100 23:59:59 GMT"),
        Behaviour::RetryAbsurd => refused(429, "99999999999999999999"),
        Behaviour::Challenge => TestResponse::status(403)
            .header("Server", "cloudflare")
            .header("Cf-Mitigated", "challenge"),
        Behaviour::LoginWall => match below {
            "/login" => document(
                "Log in",
                "<form method=\"post\"><label>Name <input name=\"name\" autocomplete=\"username\"></label></form>",
            ),
            _ => TestResponse::redirect(302, "/login-wall/login"),
        },
        _ => return None,
    })
}
