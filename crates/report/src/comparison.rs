//! A comparison of two reports of a site: new and fixed issues, and score changes.

use std::fmt::Write as _;

use domain::Severity;
use domain::report::LabPageChanges;
use domain::text::{capitalized, count, grouped};

use crate::export::escaped_markdown;
use crate::plain::plain;
use crate::terminal::TerminalOptions;
use crate::terminal::sheet::{BOLD, FAIR, GOOD, PLAIN, POOR, QUIET, Sheet};
use crate::wording::cause::first;
use crate::wording::issue::marked;
use crate::wording::lab_changes::{PERFORMANCE_IS_NOISE, lines};
use crate::wording::{counted, number_of};

/// Two reports side by side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// The older one.
    pub before: Side,
    /// The newer one.
    pub after: Side,
    /// The overall score and the subscores that both have, in the order in which they are shown.
    pub scores: Vec<ScoreChange>,
    /// Issues with causes that only the newer report has, with only these causes, by score impact.
    pub new: Vec<ComparedIssue>,
    /// Issues with causes that the older one alone has.
    pub fixed: Vec<ComparedIssue>,
    /// Issues with causes that both have.
    pub persisting: Vec<ComparedIssue>,
    /// Pages that a browser measured for both.
    pub lab: Vec<LabPageChanges>,
    /// Whether measured values within their spread alone changed the performance score.
    pub performance_is_noise: bool,
    /// Whether they were made with different catalogues of checks.
    pub catalogue_changed: bool,
    /// Whether their scores come from different scoring models.
    pub scoring_changed: bool,
}

/// One of the two.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Side {
    /// The start page.
    pub url: String,
    /// When it was made.
    pub created_at: String,
}

/// What a score was and is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScoreChange {
    /// Of what.
    pub label: String,
    /// What it was.
    pub before: u8,
    /// What it is.
    pub after: u8,
}

impl ScoreChange {
    /// Positive where it became better.
    #[must_use]
    pub fn change(&self) -> i16 {
        i16::from(self.after) - i16::from(self.before)
    }

    /// "+3", "-3" or "±0"
    fn shown(&self) -> String {
        match self.change() {
            0 => "±0".to_owned(),
            change => format!("{change:+}"),
        }
    }
}

/// An issue in a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedIssue {
    /// The severity.
    pub severity: Severity,
    /// What was found.
    pub title: String,
    /// The check that found it.
    pub check_id: String,
    /// The number of its causes that are new, fixed or persisting, including those that are not loaded.
    pub causes_total: u64,
    /// The headlines of those at hand, largest first.
    pub causes: Vec<String>,
}

/// How many causes of an issue are named.
const CAUSES: usize = 5;

impl ComparedIssue {
    /// The headlines of the first causes, where they say more than the title.
    fn shown_causes(&self) -> &[String] {
        match self.causes.as_slice() {
            [only] if self.causes_total == 1 && *only == self.title => &[],
            causes => first(causes, CAUSES),
        }
    }

    /// "12 more causes"
    fn more_causes(&self) -> Option<String> {
        let shown = self.shown_causes().len();
        let more = self.causes_total.saturating_sub(number_of(shown));
        (shown > 0 && more > 0).then(|| count(more, "more cause", "more causes"))
    }
}

/// How many causes the issues have, of those that are listed.
fn causes_of(issues: &[ComparedIssue]) -> u64 {
    issues.iter().map(|issue| issue.causes_total).sum()
}

/// "5 new causes in 2 issues"
fn heading((one, many): (&str, &str), issues: &[ComparedIssue]) -> String {
    let causes = capitalized(&count(causes_of(issues), one, many));
    format!("{causes} in {}", counted(issues.len(), "issue", "issues"))
}

const SCORING: &str =
    "The scores come from different scoring models: their changes say nothing about the site.";

const CATALOGUE: &str = "The reports use different versions of the checks: issues may be new or fixed \
    because the checks changed, not the site.";

const MEASURED: &str = "Measured on";

/// A noun for one, and for many.
type Words = (&'static str, &'static str);

impl Comparison {
    /// What makes the two reports hard to compare.
    fn notes(&self) -> impl Iterator<Item = &'static str> {
        let scoring = self.scoring_changed.then_some(SCORING);
        let catalogue = self.catalogue_changed.then_some(CATALOGUE);
        let noise = self.performance_is_noise.then_some(PERFORMANCE_IS_NOISE);
        scoring.into_iter().chain(catalogue).chain(noise)
    }

    fn parts(&self, all: bool) -> Vec<(Words, &[ComparedIssue])> {
        let mut parts = vec![
            (("new cause", "new causes"), self.new.as_slice()),
            (("fixed cause", "fixed causes"), self.fixed.as_slice()),
        ];
        if all {
            parts.push((
                ("persisting cause", "persisting causes"),
                self.persisting.as_slice(),
            ));
        }
        parts.retain(|(_, issues)| !issues.is_empty());
        parts
    }

    /// "2 new causes, 1 fixed, 12 persisting."
    fn sentence(&self) -> String {
        format!(
            "{}, {} fixed, {} persisting.",
            count(causes_of(&self.new), "new cause", "new causes"),
            grouped(causes_of(&self.fixed)),
            grouped(causes_of(&self.persisting)),
        )
    }

    /// For people on a terminal; with `all`, also the issues that both have.
    #[must_use]
    pub fn text(&self, all: bool, options: &TerminalOptions) -> String {
        let mut sheet = Sheet::new(options);
        sheet.paragraph("", &self.after.url, QUIET);
        let times = format!("{} to {}", self.before.created_at, self.after.created_at);
        sheet.paragraph("", &times, QUIET);
        sheet.blank();
        sheet.paragraph("", &self.sentence(), PLAIN);
        for note in self.notes() {
            sheet.paragraph("", note, PLAIN);
        }
        sheet.blank();
        for score in &self.scores {
            let style = match score.change() {
                1.. => GOOD,
                0 => QUIET,
                _ => POOR,
            };
            sheet.row(&[
                (
                    &format!("  {:>3} → {:>3}  ", score.before, score.after),
                    PLAIN,
                ),
                (&format!("{:>4}", score.shown()), style),
                (&format!("  {}", plain(&score.label)), PLAIN),
            ]);
        }
        for page in &self.lab {
            sheet.blank();
            sheet.paragraph("", &format!("{MEASURED} {}", page.url), BOLD);
            for line in lines(page) {
                sheet.item("  ", &line);
            }
        }
        for (words, issues) in self.parts(all) {
            sheet.blank();
            sheet.paragraph("", &heading(words, issues), BOLD);
            sheet.blank();
            for issue in issues {
                let style = match issue.severity {
                    Severity::Critical | Severity::Serious => POOR,
                    Severity::Moderate => FAIR,
                    Severity::Minor => PLAIN,
                    Severity::Info => QUIET,
                };
                sheet.marked(&marked(issue.severity), style, &issue.title, PLAIN);
                sheet.paragraph("  ", &issue.check_id, QUIET);
                for cause in issue.shown_causes() {
                    sheet.item("  ", cause);
                }
                if let Some(more) = issue.more_causes() {
                    sheet.paragraph("  ", &format!("and {more}"), QUIET);
                }
            }
        }
        sheet.finish()
    }

    /// For pull requests and mail.
    #[must_use]
    pub fn markdown(&self, all: bool) -> String {
        let mut out = String::new();
        let words = |text: &str| escaped_markdown(&plain(text));
        let _ = writeln!(
            out,
            "## Website audit: {}\n",
            self.sentence().trim_end_matches('.')
        );
        let _ = writeln!(
            out,
            "{}, {} to {}\n",
            words(&self.after.url),
            words(&self.before.created_at),
            words(&self.after.created_at)
        );
        for note in self.notes() {
            let _ = writeln!(out, "{note}\n");
        }
        if !self.scores.is_empty() {
            out.push_str("| Score | Before | After | Change |\n| --- | ---: | ---: | ---: |\n");
            for score in &self.scores {
                let (before, after) = (score.before, score.after);
                let label = words(&score.label);
                let _ = writeln!(out, "| {label} | {before} | {after} | {} |", score.shown());
            }
            out.push('\n');
        }
        for page in &self.lab {
            let _ = writeln!(out, "### {MEASURED} {}\n", words(&page.url));
            for line in lines(page) {
                let _ = writeln!(out, "- {}", words(&line));
            }
            out.push('\n');
        }
        for (nouns, issues) in self.parts(all) {
            let _ = writeln!(out, "### {}\n", heading(nouns, issues));
            for issue in issues {
                let _ = writeln!(
                    out,
                    "- {}: {} ({})",
                    marked(issue.severity),
                    words(&issue.title),
                    words(&issue.check_id)
                );
                for cause in issue.shown_causes() {
                    let _ = writeln!(out, "  - {}", words(cause));
                }
                if let Some(more) = issue.more_causes() {
                    let _ = writeln!(out, "  - and {more}");
                }
            }
            out.push('\n');
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use domain::report::{LabChange, LabChangeKind, LabProfile};
    use domain::score::Metric;

    use super::*;

    fn sample() -> Comparison {
        let issue = |title: &str, severity| ComparedIssue {
            severity,
            title: title.to_owned(),
            check_id: "image-alt".to_owned(),
            causes_total: 1,
            causes: vec![title.to_owned()],
        };
        let side = |created_at: &str| Side {
            url: "https://ferry.example/".to_owned(),
            created_at: created_at.to_owned(),
        };
        let score = |label: &str, before, after| ScoreChange {
            label: label.to_owned(),
            before,
            after,
        };
        Comparison {
            before: side("2026-11-20T12:00:00Z"),
            after: side("2026-11-21T12:00:00Z"),
            scores: vec![
                score("Overall", 80, 77),
                score("SEO", 9, 100),
                score("Content", 5, 5),
            ],
            new: vec![
                ComparedIssue {
                    causes_total: 12,
                    causes: vec!["Link to <b>\u{1b}[2J".to_owned(), "Link to *b*".to_owned()],
                    ..issue("Broken links", Severity::Moderate)
                },
                issue("Images without *text* <b>\u{1b}[2J", Severity::Serious),
            ],
            fixed: vec![
                issue("Old", Severity::Minor),
                issue("Older", Severity::Info),
            ],
            persisting: vec![issue("Same", Severity::Moderate)],
            lab: vec![LabPageChanges {
                url: "https://ferry.example/".to_owned(),
                profiles: (LabProfile::Desktop, LabProfile::Desktop),
                changes: vec![
                    LabChange {
                        metric: Metric::Lcp,
                        before: 1_200,
                        after: 1_250,
                        kind: LabChangeKind::WithinSpread,
                    },
                    LabChange {
                        metric: Metric::Cls,
                        before: 250,
                        after: 10,
                        kind: LabChangeKind::Changed,
                    },
                ],
            }],
            performance_is_noise: true,
            catalogue_changed: false,
            scoring_changed: false,
        }
    }

    #[test]
    fn on_a_terminal() {
        let text = sample().text(false, &TerminalOptions::default());
        insta::assert_snapshot!(text);
    }

    #[test]
    fn in_markdown() {
        insta::assert_snapshot!(sample().markdown(true));
    }
}
