//! Calls that did not go well, for a model that can do something about it.

use client::Error;
use report::untrusted::lines;

/// Why there is no answer, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failure {
    /// The stable code of the HTTP interface, or `invalid_arguments`.
    pub(crate) code: String,
    /// What is wrong, then what to do.
    pub(crate) message: String,
}

impl Failure {
    /// A failure with what to do about it.
    pub(crate) fn new(code: &str, message: impl AsRef<str>) -> Self {
        Self {
            code: code.to_owned(),
            message: lines(message.as_ref()).join("\n"),
        }
    }

    /// Arguments that do not fit the tool's schema.
    pub(crate) fn arguments(field: &str, why: &str) -> Self {
        let field = if field.is_empty() || field == "." {
            "the arguments"
        } else {
            field
        };
        Self::new(
            "invalid_arguments",
            format!("{field}: {why}. Call the tool again with arguments that fit its inputSchema."),
        )
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let code = match &error {
            Error::Refused(refusal) => refusal.problem.code.clone(),
            Error::Id(_) => "not_found".to_owned(),
            Error::Unreachable { .. } => "unreachable".to_owned(),
            _ => "client_error".to_owned(),
        };
        let what_to_do = what_to_do(&code, &error);
        Self::new(&code, format!("{error}\n{what_to_do}"))
    }
}

/// What a model, or the person beside it, can do.
fn what_to_do(code: &str, error: &Error) -> &'static str {
    let reason = match error {
        Error::Refused(refusal) => refusal.problem.reason.as_deref(),
        _ => None,
    };
    match (code, reason) {
        ("not_found", _) => {
            "Ids come from the tools that list; a report's id is the reportId of its completed run."
        }
        ("invalid_request", _) => "Correct the named arguments and call the tool again.",
        ("target_not_allowed", _) => {
            "The service may not visit this address. Use a public address, or ask the operator to allow it."
        }
        ("plan_limit_hit", Some("site_limit_hit")) => {
            "The plan has no room for another site. Audit one that list_sites shows, or ask an administrator."
        }
        ("plan_limit_hit", _) => {
            "The runs of this month are used up; get_account shows when the next period begins. Do not try again before."
        }
        ("forbidden", _) => {
            "The key's role does not allow this. Ask the person for a key that does; do not try again."
        }
        ("unauthorized", _) => {
            "The API key is missing, revoked or expired. Ask the person to set a valid one; do not try again before."
        }
        ("payment_required", _) => {
            "The organization's plan does not include this. Tell the person."
        }
        ("conflict", _) => "It has changed meanwhile. Read it again before you decide.",
        ("rate_limited" | "unavailable" | "unreachable", _) => {
            "Wait a little, then call the tool again."
        }
        ("internal", _) => {
            "The service failed. Try once more; if it stays, tell the person the request id."
        }
        _ => "Tell the person what happened.",
    }
}
