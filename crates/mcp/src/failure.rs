//! Failed calls, with advice for the model.

use client::Error;
use report::untrusted::lines;

/// Why a call failed, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failure {
    /// The stable code of the HTTP API, or `invalid_arguments`.
    pub(crate) code: String,
    /// The error, then the advice.
    pub(crate) message: String,
}

impl Failure {
    /// A failure with its message.
    pub(crate) fn new(code: &str, message: impl AsRef<str>) -> Self {
        Self {
            code: code.to_owned(),
            message: lines(message.as_ref()).join("\n"),
        }
    }

    /// An argument that is wrong.
    pub(crate) fn argument(name: &str, why: &str) -> Self {
        let name = match name {
            "" | "." => "the arguments",
            name => name,
        };
        Self::arguments(&[format!("{name}: {why}")])
    }

    /// Arguments that do not match the tool's schema, each with what is wrong.
    pub(crate) fn arguments(wrong: &[String]) -> Self {
        let wrong = wrong.join(". ");
        Self::new(
            "invalid_arguments",
            format!("{wrong}. Call the tool again with arguments that match its inputSchema."),
        )
    }

    /// The failure of a call with these arguments: of an unknown id it says which tool lists such ids.
    pub(crate) fn naming_lists(mut self, arguments: &[String]) -> Self {
        let mut lists: Vec<&str> = arguments.iter().filter_map(|name| list_of(name)).collect();
        lists.dedup();
        if self.code == "not_found" && !lists.is_empty() {
            let lists = format!("{}.", lists.join("; "));
            self.message = self.message.replace(UNKNOWN_ID, &lists);
        }
        self
    }
}

/// The advice for an unknown id.
const UNKNOWN_ID: &str =
    "Get ids from the list tools; the id of a report is the reportId of its completed run.";

/// Where the ids of an argument come from.
fn list_of(argument: &str) -> Option<&'static str> {
    Some(match argument {
        "runId" => "list_runs lists the runs",
        "reportId" | "against" => "list_runs lists the runs with their reportId",
        "siteId" => "list_sites lists the sites",
        "actionId" | "ids" => "list_actions lists the action items",
        "issueId" | "issue" => "get_report lists the issues of a report",
        "cause" => "get_report lists the causes with their fingerprint",
        "checkId" => "list_checks lists the checks",
        _ => return None,
    })
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

/// What the model or the user can do.
fn what_to_do(code: &str, error: &Error) -> &'static str {
    let reason = match error {
        Error::Refused(refusal) => refusal.problem.reason.as_deref(),
        _ => None,
    };
    match (code, reason) {
        ("not_found", _) => UNKNOWN_ID,
        ("invalid_request", _) => "Correct the listed arguments and call the tool again.",
        ("target_not_allowed", _) => {
            "The service must not audit this address. Use a public address, or ask the operator to allow it."
        }
        ("plan_limit_hit", Some("site_limit_hit")) => {
            "The plan allows no more sites. Audit a site that list_sites returns, or ask an administrator."
        }
        ("plan_limit_hit", _) => {
            "The monthly run limit is reached; get_account returns the end of the period. Do not retry before then."
        }
        ("forbidden", _) => {
            "The key's role does not allow this. Ask the user for a key with a higher role; do not retry."
        }
        ("unauthorized", _) => {
            "The API key is missing, revoked or expired. Ask the user to set a valid key; do not retry before that."
        }
        ("payment_required", _) => {
            "This server requires a paid plan, and the organization has none. Report this to the user; do not retry."
        }
        ("conflict", _) => {
            "The request conflicts with the current state. Read the object again before you decide."
        }
        ("rate_limited" | "unavailable" | "unreachable", _) => {
            "Wait a few seconds, then call the tool again."
        }
        ("internal", _) => {
            "Internal error of the service. Retry once; if it fails again, report the request id to the user."
        }
        _ => "Report the error to the user.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_id_names_the_tools_that_list_such_ids() {
        let unknown = || Failure::new("not_found", format!("No such object.\n{UNKNOWN_ID}"));
        let with = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            unknown().naming_lists(&names).message
        };
        assert_eq!(
            with(&["limit", "runId"]),
            "No such object.\nlist_runs lists the runs."
        );
        assert_eq!(
            with(&["against", "reportId"]),
            "No such object.\nlist_runs lists the runs with their reportId."
        );
        assert_eq!(
            with(&["issueId", "reportId"]),
            "No such object.\nget_report lists the issues of a report; list_runs lists the runs with their reportId."
        );
        assert_eq!(with(&["limit"]), unknown().message);
        let other = Failure::new("conflict", UNKNOWN_ID);
        assert_eq!(other.clone().naming_lists(&["runId".to_owned()]), other);
    }
}
