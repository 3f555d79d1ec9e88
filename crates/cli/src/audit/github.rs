//! The output of an audit in GitHub Actions: annotations and the job summary.
//!
//! The runner reads workflow commands from both streams. Assay writes them to standard error, so that data
//! on standard output stays unchanged and text of audited pages never becomes a command.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::PathBuf;

use domain::Severity;
use domain::report::Occurrence;
use domain::text::sentence;
use report::export::{Export, JobSummary, job_summary};
use report::plain::plain;

use super::gates::CountingIssue;
use super::write::Written;
use crate::output::{write_command, write_note};
use crate::runner::is_here;

/// The number of annotations of each level that the runner shows for one step.
const EACH: usize = 10;
/// The maximum number of characters of an annotation.
const MESSAGE: usize = 1_000;

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
        written: &Written<'_>,
        issues: &[CountingIssue<'_>],
        is_of_new: bool,
        failures: &[String],
    ) {
        let export = written.export();
        for line in annotations(&export, issues, failures) {
            write_command(&line);
        }
        let issues: Vec<_> = issues.iter().map(|counting| counting.issue).collect();
        let summary = JobSummary {
            verdict: &written.verdict(),
            failures,
            issues: &issues,
            is_of_new,
        };
        self.summarize(&job_summary(&export, &summary));
    }

    /// Reports that the audit produced no report.
    pub(super) fn could_not_run(&self, why: &str) {
        write_command(&annotation(
            Level::Error,
            None,
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
        .map(|failure| annotation(Level::Error, None, "Assay: a gate failed", failure))
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
            let first = occurrences.next();
            let file = first.and_then(|place| in_file(export, place));
            let place = first.map(|place| {
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
            annotation(level, file.as_deref(), &title, texts.join(" ").trim())
        }));
    }
    lines
}

/// The file and line of an occurrence, as properties of an annotation; none if the site's files are not known.
fn in_file(export: &Export<'_>, place: &Occurrence) -> Option<String> {
    let file = export.sources?.get(&place.url)?;
    let path: String = plain(&file.path).chars().take(MESSAGE).collect();
    let line = place.line.filter(|_| file.is_served);
    let line = line.map_or_else(String::new, |line| format!("line={line},"));
    Some(format!("file={},{line}", property(&path)))
}

fn annotation(level: Level, file: Option<&str>, title: &str, message: &str) -> String {
    let cut = |text: &str| -> String { plain(text).chars().take(MESSAGE).collect() };
    format!(
        "::{} {}title={}::{}",
        level.command(),
        file.unwrap_or_default(),
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
            annotation(Level::Error, None, "a: b, c", "50 % of\r\n::error::x"),
            "::error title=a%3A b%2C c::50 %25 of ::error::x"
        );
    }

    #[test]
    fn an_annotation_is_one_line_of_bounded_length() {
        let line = annotation(
            Level::Notice,
            None,
            &"x\n".repeat(5_000),
            &"y\u{2028}".repeat(5_000),
        );
        assert!(!line.contains('\n') && line.len() < 6_000, "{}", line.len());
    }
}
