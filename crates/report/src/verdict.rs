//! The result of an audit in one line.

use std::fmt;
use std::time::Duration;

use domain::report::Report;
use domain::text::count;
use domain::{Dimension, Severity};

use crate::scored::Scored;
use crate::wording::duration::duration;
use crate::wording::score::Band;

/// The result of an audit in one line, for the end of a terminal's output and of a job's log:
/// `85 fair · perf 70 · a11y 97 · …   145 issues (81 serious) · 692 pages in 3 s`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The overall score, if it was computed.
    pub overall: Option<u8>,
    /// The scores of the dimensions that were computed.
    pub dimensions: Vec<(Dimension, u8)>,
    /// The severity of each issue, except those of which waivers accept everything.
    pub severities: Vec<Severity>,
    /// The number of issues of which waivers accept everything.
    pub waived: usize,
    /// The number of audited pages.
    pub pages: u64,
    /// How long the audit took, if that is known.
    pub took: Option<Duration>,
}

impl Verdict {
    /// The verdict on a report.
    #[must_use]
    pub fn new(report: &Report, scored: &Scored, took: Option<Duration>) -> Self {
        let open = report.issues.iter().filter(|issue| !issue.is_waived());
        let open: Vec<_> = open.collect();
        Self {
            overall: scored.overall(report),
            dimensions: scored
                .dimensions(report)
                .map(|(dimension, score)| (dimension, score.subscore))
                .collect(),
            severities: open.iter().map(|issue| issue.severity).collect(),
            waived: report.issues.len().saturating_sub(open.len()),
            pages: report.coverage.pages_audited,
            took,
        }
    }

    /// "85 fair · perf 70 · a11y 97"; empty if no score was computed.
    #[must_use]
    pub fn scores(&self) -> String {
        let overall = self.overall.map(|score| {
            let band = Band::from_score(score).word();
            format!("{score} {band}")
        });
        let dimensions = self.dimensions.iter();
        let dimensions =
            dimensions.map(|(dimension, score)| format!("{} {score}", short(*dimension)));
        overall
            .into_iter()
            .chain(dimensions)
            .collect::<Vec<_>>()
            .join(" · ")
    }

    /// "145 issues (81 serious) · 692 pages in 3 s"
    #[must_use]
    pub fn findings(&self) -> String {
        let pages = count(self.pages, "page", "pages");
        let milliseconds = |took: Duration| u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        let took = self.took.map(|took| duration(milliseconds(took)));
        let took = took.map(|took| format!(" in {took}"));
        format!("{} · {pages}{}", self.issues(), took.unwrap_or_default())
    }

    /// "145 issues (2 critical, 81 serious), 3 waived"; the severities below serious are not counted apart.
    fn issues(&self) -> String {
        let number = |severity| {
            let same = self.severities.iter().filter(|it| **it == severity).count();
            (same > 0).then(|| format!("{same} {severity}"))
        };
        let worst = [Severity::Critical, Severity::Serious].map(number);
        let worst: Vec<_> = worst.into_iter().flatten().collect();
        let total = u64::try_from(self.severities.len()).unwrap_or(u64::MAX);
        let total = count(total, "issue", "issues");
        let open = match worst.is_empty() {
            true => total,
            false => format!("{total} ({})", worst.join(", ")),
        };
        match self.waived {
            0 => open,
            waived => format!("{open}, {waived} waived"),
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scores = self.scores();
        if !scores.is_empty() {
            write!(f, "{scores}   ")?;
        }
        f.write_str(&self.findings())
    }
}

/// The name of a dimension in a few letters.
const fn short(dimension: Dimension) -> &'static str {
    match dimension {
        Dimension::Performance => "perf",
        Dimension::Accessibility => "a11y",
        Dimension::Seo => "seo",
        Dimension::Security => "sec",
        Dimension::Content => "content",
        Dimension::AiReadiness => "ai",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict() -> Verdict {
        Verdict {
            overall: Some(85),
            dimensions: vec![(Dimension::Performance, 70), (Dimension::Accessibility, 97)],
            severities: vec![Severity::Serious, Severity::Minor, Severity::Serious],
            waived: 0,
            pages: 1_692,
            took: Some(Duration::from_millis(12_400)),
        }
    }

    #[test]
    fn one_line_says_scores_issues_pages_and_time() {
        assert_eq!(
            verdict().to_string(),
            "85 fair · perf 70 · a11y 97   3 issues (2 serious) · 1,692 pages in 12 s"
        );
    }

    #[test]
    fn waived_issues_are_counted_apart() {
        let verdict = Verdict {
            waived: 2,
            ..verdict()
        };
        assert!(
            verdict
                .to_string()
                .ends_with("3 issues (2 serious), 2 waived · 1,692 pages in 12 s")
        );
    }

    #[test]
    fn what_is_unknown_is_left_out() {
        let verdict = Verdict {
            overall: None,
            dimensions: Vec::new(),
            severities: Vec::new(),
            waived: 0,
            pages: 1,
            took: None,
        };
        assert_eq!(verdict.to_string(), "0 issues · 1 page");
    }
}
