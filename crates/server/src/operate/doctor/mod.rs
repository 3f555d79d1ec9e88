//! `assay doctor`: checks the requirements of the service, and reports how to fix each problem.
//!
//! It changes nothing: it creates and migrates no database. It contacts only the database and the name
//! server, and starts the browser for a moment. Every check has a timeout of a few seconds.

mod backups;
mod browser;
mod database;
mod dns;
mod files;
mod machine;
mod pages;

use cli::{Exit, ListArgs, write_data};
use dashboard::{Diagnosis, DiagnosisLevel};
use serde_json::json;

use crate::admin::{flags, print_json};
use crate::config::{ConfigSource, Service};

/// The result of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    /// No problem.
    Fine,
    /// The service works, but with restrictions, or not permanently.
    Warning,
    /// The service does not work, or data may be lost.
    Problem,
}

impl Level {
    const fn name(self) -> &'static str {
        match self {
            Self::Fine => "ok",
            Self::Warning => "warning",
            Self::Problem => "problem",
        }
    }
}

/// A finding of a check.
#[derive(Debug)]
struct Finding {
    /// The name of the check, such as `database.schema`.
    check: &'static str,
    level: Level,
    /// The observed state.
    message: String,
    /// How to fix it; none without a problem.
    remedy: Option<String>,
}

impl Finding {
    fn fine(check: &'static str, message: impl Into<String>) -> Self {
        Self {
            check,
            level: Level::Fine,
            message: on_one_line(&message.into()),
            remedy: None,
        }
    }

    fn warning(check: &'static str, message: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self {
            level: Level::Warning,
            remedy: Some(remedy.into()),
            ..Self::fine(check, message)
        }
    }

    fn problem(check: &'static str, message: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self {
            level: Level::Problem,
            ..Self::warning(check, message, remedy)
        }
    }
}

/// Messages of a database may have several lines.
fn on_one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Runs all checks.
pub(crate) fn doctor(args: &ListArgs) -> Exit {
    let source = ConfigSource::new(&args.database.config, flags(&args.database));
    let found = examine(&source);
    let is_well = found.iter().all(|finding| finding.level != Level::Problem);
    let printed = if args.json {
        print_json(&as_json(&found, is_well))
    } else {
        write_data(&as_text_lines(&found))
            .map(|()| Exit::Fine)
            .map_err(Into::into)
    };
    crate::ended(printed.map(|exit| if is_well { exit } else { Exit::GateFailed }))
}

/// Runs all checks for the page of the operator, with the configuration as it is now.
pub(crate) fn diagnose(source: &ConfigSource) -> Vec<Diagnosis> {
    let found = examine(source).into_iter();
    found.map(Diagnosis::from).collect()
}

impl From<Finding> for Diagnosis {
    fn from(finding: Finding) -> Self {
        Self {
            check: finding.check,
            level: match finding.level {
                Level::Fine => DiagnosisLevel::Fine,
                Level::Warning => DiagnosisLevel::Warning,
                Level::Problem => DiagnosisLevel::Problem,
            },
            message: finding.message,
            remedy: finding.remedy,
        }
    }
}

fn examine(source: &ConfigSource) -> Vec<Finding> {
    let settings = match source.load() {
        Ok(settings) => settings,
        Err(error) => {
            return vec![Finding::problem(
                "configuration",
                error.to_string(),
                "correct the configuration; all other checks depend on it",
            )];
        }
    };
    let service = &settings.service;
    let mut found = vec![configuration(service)];
    found.extend(database::examine(service));
    found.push(files::secret_key(service));
    found.push(machine::disk(service));
    found.push(machine::open_files(service));
    found.push(machine::clock());
    found.push(dns::examine(settings.audit.dns_server));
    found.push(pages::sign_in(service));
    found.push(browser::examine(&settings.audit.browser));
    found.push(files::fonts(service));
    found
}

/// The configuration is loaded; the logos that it names are files of their own.
fn configuration(service: &Service) -> Finding {
    match service.organizations.clone().read() {
        Ok(_) => Finding::fine("configuration", "valid"),
        Err(error) => Finding::problem(
            "configuration",
            error.to_string(),
            "correct the configuration or the file: `assay serve` does not start with it",
        ),
    }
}

fn as_json(found: &[Finding], is_well: bool) -> serde_json::Value {
    let checks: Vec<_> = found
        .iter()
        .map(|finding| {
            json!({
                "check": finding.check,
                "status": finding.level.name(),
                "message": finding.message,
                "remedy": finding.remedy,
            })
        })
        .collect();
    json!({ "ok": is_well, "checks": checks })
}

fn as_text_lines(found: &[Finding]) -> String {
    let width = found
        .iter()
        .map(|finding| finding.check.len())
        .max()
        .unwrap_or_default();
    let mut out = String::new();
    for finding in found {
        let level = finding.level.name();
        out.push_str(&format!(
            "{level:<8} {:<width$}  {}\n",
            finding.check, finding.message
        ));
        if let Some(remedy) = &finding.remedy {
            out.push_str(&format!("{:<8} {:<width$}  → {remedy}\n", "", ""));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_remedy_is_printed_below_the_finding() {
        let found = [
            Finding::fine("clock", "fine"),
            Finding::problem("database.schema", "bad", "mend it"),
        ];
        assert_eq!(
            as_text_lines(&found),
            "ok       clock            fine\nproblem  database.schema  bad\n                          → mend it\n"
        );
        let json = as_json(&found, false);
        assert_eq!(json["checks"][1]["remedy"], "mend it");
        assert_eq!(json["checks"][0]["remedy"], serde_json::Value::Null);
    }
}
