//! The output of an audit in GitHub Actions: annotations and the job summary.
//!
//! The runner reads workflow commands from both streams. Assay writes them to standard error, so that data
//! on standard output stays unchanged and text of audited pages never becomes a command.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::PathBuf;

use domain::Severity;
use domain::text::sentence;
use report::export::{Export, short_markdown};
use report::plain::plain;

use super::gates::CountingIssue;
use crate::output::{write_command, write_note};
use crate::runner::is_here;

/// The number of annotations of each level that the runner shows for one step.
const EACH: usize = 10;
/// The maximum number of characters of an annotation.
const MESSAGE: usize = 1_000;
/// The maximum size of a summary in bytes; the runner accepts 1 MiB per step.
const SUMMARY: usize = 900 * 1024;

/// The GitHub Actions job that runs this process.
pub(super) struct Actions {
    summary: Option<PathBuf>,
}

/// The level of an annotation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    Error,
    Warning,
    Notice,
}

impl Level {
    const ALL: [Self; 3] = [Self::Error, Self::Warning, Self::Notice];

    /// The level of an issue; `None` for `info`.
    const fn from_severity(severity: Severity) -> Option<Self> {
        match severity {
            Severity::Critical | Severity::Serious => Some(Self::Error),
            Severity::Moderate => Some(Self::Warning),
            Severity::Minor => Some(Self::Notice),
            Severity::Info => None,
        }
    }

    const fn command(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Notice => "notice",
        }
    }
}

impl Actions {
    /// The job, if this process runs in one.
    pub(super) fn here() -> Option<Self> {
        let summary = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty());
        is_here().then(|| Self {
            summary: summary.map(PathBuf::from),
        })
    }

    /// Reports the counted issues and the failed gates.
    pub(super) fn report(
        &self,
        export: &Export<'_>,
        issues: &[CountingIssue<'_>],
        failures: &[String],
    ) {
        for line in annotations(export, issues, failures) {
            write_command(&line);
        }
        let mut summary = String::new();
        if !failures.is_empty() {
            summary.push_str("> [!CAUTION]\n");
            for failure in failures {
                summary.push_str(&format!("> {}\n", sentence(failure)));
            }
            summary.push('\n');
        }
        summary.push_str(&short_markdown(export, SUMMARY));
        self.summarize(&summary);
    }

    /// Reports that the audit produced no report.
    pub(super) fn could_not_run(&self, why: &str) {
        write_command(&annotation(
            Level::Error,
            "The site could not be audited",
            why,
        ));
    }

    fn summarize(&self, text: &str) {
        let Some(path) = &self.summary else {
            return;
        };
        let file = OpenOptions::new().create(true).append(true).open(path);
        let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
        if let Err(error) = written {
            write_note(&format!("note: cannot write the job summary: {error}"));
        }
    }
}

/// The workflow commands: failed gates first, then the worst issues of each level.
fn annotations(
    export: &Export<'_>,
    issues: &[CountingIssue<'_>],
    failures: &[String],
) -> Vec<String> {
    let gates = failures.iter().take(EACH);
    let mut lines: Vec<_> = gates
        .map(|failure| annotation(Level::Error, "Assay: a gate failed", failure))
        .collect();
    for level in Level::ALL {
        let taken = if level == Level::Error {
            lines.len()
        } else {
            0
        };
        let of_level = issues
            .iter()
            .filter(|counting| Level::from_severity(counting.issue.severity) == Some(level));
        lines.extend(of_level.take(EACH.saturating_sub(taken)).map(|counting| {
            let issue = counting.issue;
            let title = format!("{} ({}, {})", issue.title, issue.check_id, issue.severity);
            let mut occurrences = counting.causes.iter().flat_map(|cause| &cause.occurrences);
            let place = occurrences.next().map(|place| {
                let line = place
                    .line
                    .map_or_else(String::new, |line| format!(" line {line}"));
                format!("First at {}{line}.", place.url)
            });
            let texts = [
                issue.extent(&export.report.coverage),
                place.unwrap_or_default(),
                format!("Fix: {}", sentence(&issue.recommendation)),
            ];
            annotation(level, &title, texts.join(" ").trim())
        }));
    }
    lines
}

fn annotation(level: Level, title: &str, message: &str) -> String {
    let cut = |text: &str| -> String { plain(text).chars().take(MESSAGE).collect() };
    format!(
        "::{} title={}::{}",
        level.command(),
        property(&cut(title)),
        data(&cut(message))
    )
}

/// Escapes a message for the runner.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// Escapes a property for the runner.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_runner_would_take_apart_is_escaped() {
        assert_eq!(
            annotation(Level::Error, "a: b, c", "50 % of\r\n::error::x"),
            "::error title=a%3A b%2C c::50 %25 of ::error::x"
        );
    }

    #[test]
    fn an_annotation_is_one_line_of_bounded_length() {
        let line = annotation(
            Level::Notice,
            &"x\n".repeat(5_000),
            &"y\u{2028}".repeat(5_000),
        );
        assert!(!line.contains('\n') && line.len() < 6_000, "{}", line.len());
    }
}
