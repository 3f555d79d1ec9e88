//! Which issues of a report are shown, as the query says it.

use domain::report::{Issue, IssueState};
use domain::{Dimension, Severity};

use crate::form::Form;
use crate::pages::catalogue::dimension;

/// The most characters of a text that is searched for.
const MAX_CHARS: usize = 200;

/// A filter of issues. Its parts combine; a value that is none of a part's is as if it were missing.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct IssueFilter {
    pub(super) dimension: Option<Dimension>,
    pub(super) severity: Option<Severity>,
    pub(super) state: Option<IssueState>,
    pub(super) text: String,
}

impl IssueFilter {
    /// The filter of a query.
    pub(super) fn new(query: &Form) -> Self {
        let named = |state: &IssueState| state.as_str() == query.text("state");
        Self {
            dimension: dimension(query.text("dimension")),
            severity: query.text("severity").parse().ok(),
            state: IssueState::ALL.into_iter().find(named),
            text: query.text("q").chars().take(MAX_CHARS).collect(),
        }
    }

    /// Whether it leaves anything out.
    pub(super) fn is_set(&self) -> bool {
        *self != Self::default()
    }

    /// Whether an issue is shown. The text is looked for in what the page shows of the issue.
    pub(super) fn shows(&self, issue: &Issue) -> bool {
        self.dimension
            .is_none_or(|wanted| wanted == issue.dimension)
            && self.severity.is_none_or(|wanted| wanted == issue.severity)
            && self.state.is_none_or(|wanted| Some(wanted) == issue.state)
            && self.has_text(issue)
    }

    fn has_text(&self, issue: &Issue) -> bool {
        let wanted = self.text.to_lowercase();
        let has = |text: &str| text.to_lowercase().contains(&wanted);
        wanted.is_empty()
            || [
                &issue.title,
                &issue.check_id,
                &issue.why,
                &issue.recommendation,
            ]
            .into_iter()
            .any(|text| has(text))
            || issue.causes.iter().any(|cause| {
                has(&cause.message) || cause.occurrences.iter().any(|found| has(&found.url))
            })
    }

    /// The query of this filter from an issue on: `?severity=serious&after=50`; empty where it shows all from the first.
    pub(super) fn query(&self, after: usize) -> String {
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        if let Some(dimension) = self.dimension {
            query.append_pair("dimension", dimension.as_str());
        }
        if let Some(severity) = self.severity {
            query.append_pair("severity", severity.as_str());
        }
        if let Some(state) = self.state {
            query.append_pair("state", state.as_str());
        }
        if !self.text.is_empty() {
            query.append_pair("q", &self.text);
        }
        if after > 0 {
            query.append_pair("after", &after.to_string());
        }
        let query = query.finish();
        match query.is_empty() {
            true => query,
            false => format!("?{query}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use testkit::{SequentialIds, sample};

    use super::*;

    fn filter(query: &str) -> IssueFilter {
        IssueFilter::new(&Form::parse(query.as_bytes()))
    }

    #[test]
    fn a_filter_comes_back_from_its_query() {
        let query = "?dimension=seo&severity=serious&state=new&q=a+%26+b";
        let wanted = filter(query.trim_start_matches('?'));
        assert!(wanted.is_set());
        assert_eq!(wanted.query(0), query);
        assert_eq!(wanted.query(50), format!("{query}&after=50"));
    }

    #[test]
    fn parts_combine_and_the_text_is_looked_for_in_addresses_too() {
        let ids = SequentialIds::default();
        let report = sample::completed_run(&ids, &sample::audit_result())
            .reports
            .current;
        let shown = |query: &str| {
            let wanted = filter(query);
            let issues = report.issues.iter();
            issues.filter(|issue| wanted.shows(issue)).count()
        };
        assert_eq!(shown(""), report.issues.len());
        let issue = report.issues.first().unwrap();
        let (dimension, id) = (issue.dimension.as_str(), &issue.check_id);
        assert!(shown(&format!("dimension={dimension}")) >= 1);
        assert!(shown(&format!("q={}", id.to_uppercase())) >= 1);
        assert_eq!(shown(&format!("dimension={dimension}&q=%00%01nothing")), 0);
        let url = &issue
            .causes
            .first()
            .unwrap()
            .occurrences
            .first()
            .unwrap()
            .url;
        assert!(shown(&format!("q={url}")) >= 1);
    }

    #[test]
    fn what_is_unknown_filters_nothing() {
        let wanted = filter("dimension=x&severity=&state=fixed&q=++");
        assert!(!wanted.is_set());
        assert_eq!(wanted.query(0), "");
    }
}
