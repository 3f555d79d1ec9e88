//! Why an audit has no report, in the words of the command line.

use audit_engine::{AuditError, Remedy};

/// The message of the engine, with the flag that makes the audit possible.
#[must_use]
pub fn failure_message(error: &AuditError) -> String {
    match error.remedy() {
        Some(Remedy::AllowTarget(target)) => {
            format!("{error} If this target is your own, allow it with --allow-target {target}.")
        }
        Some(Remedy::IgnoreRobots) => {
            format!("{error} If the site is your own, audit it with --ignore-robots.")
        }
        None => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use domain::FailureCode;

    use super::*;

    fn message(remedy: Option<Remedy>) -> String {
        failure_message(&AuditError::Failed {
            code: FailureCode::TargetNotAllowed,
            message: "It is not allowed.".to_owned(),
            remedy,
        })
    }

    #[test]
    fn a_failure_names_the_flag_that_helps() {
        assert_eq!(message(None), "It is not allowed.");
        let target = Remedy::AllowTarget("127.0.0.1:80".to_owned());
        assert_eq!(
            message(Some(target)),
            "It is not allowed. If this target is your own, allow it with --allow-target 127.0.0.1:80."
        );
        assert_eq!(
            message(Some(Remedy::IgnoreRobots)),
            "It is not allowed. If the site is your own, audit it with --ignore-robots."
        );
        let invalid = AuditError::InvalidUrl("No host.".to_owned());
        assert_eq!(failure_message(&invalid), "No host.");
    }
}
