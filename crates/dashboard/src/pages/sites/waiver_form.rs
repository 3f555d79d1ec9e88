//! The form that accepts findings of a site.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use domain::ports::CheckInfo;
use domain::text::sentence;
use domain::waiver::{InvalidWaiver, WaiverRequest, WaiverTerms};

use crate::form::Form;

/// What the form shows.
#[derive(Debug, Default)]
pub(super) struct WaiverForm {
    pub(super) check: String,
    pub(super) path: String,
    pub(super) cause: String,
    pub(super) reason: String,
    pub(super) expires: String,
    /// What is wrong, by the name of the field.
    problems: BTreeMap<&'static str, String>,
}

impl WaiverForm {
    /// The form as a person sent it, or as a link fills it in.
    pub(super) fn new(form: &Form) -> Self {
        Self {
            check: form.text("check").to_owned(),
            path: form.text("path").to_owned(),
            cause: form.text("cause").to_owned(),
            // Browsers send CR LF where the person sees one character.
            reason: form.raw("reason").replace("\r\n", "\n"),
            expires: form.text("expires").to_owned(),
            problems: BTreeMap::new(),
        }
    }

    /// What is wrong with a field.
    pub(super) fn problem(&self, field: &str) -> Option<&str> {
        self.problems.get(field).map(String::as_str)
    }

    /// The same with a problem that belongs to no field.
    pub(super) fn refused(mut self, problem: String) -> Self {
        self.problems.insert("form", problem);
        self
    }

    /// What the form asks for; none where a field is wrong, which [`WaiverForm::problem`] then says.
    pub(super) fn terms(
        &mut self,
        checks: &[CheckInfo],
        now: DateTime<Utc>,
    ) -> Option<WaiverTerms> {
        let expires = self.expires_at();
        let given = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
        let request = WaiverRequest {
            check_id: self.check.clone(),
            path: given(&self.path),
            cause: given(&self.cause),
            reason: self.reason.clone(),
            expires_at: expires.as_ref().ok().copied().flatten(),
        };
        let is_check = |id: &str| checks.iter().any(|check| check.id == id);
        let terms = request.validate(is_check, Some(now));
        if let Err(invalid) = &terms {
            self.problems = invalid.iter().map(problem).collect();
        }
        if let Err(wrong) = expires {
            self.problems.insert("expires", wrong.to_owned());
        }
        terms.ok().filter(|_| self.problems.is_empty())
    }

    /// The beginning of the day that was entered, in UTC; none where none was.
    fn expires_at(&self) -> Result<Option<DateTime<Utc>>, &'static str> {
        if self.expires.is_empty() {
            return Ok(None);
        }
        let day = NaiveDate::parse_from_str(&self.expires, "%Y-%m-%d");
        let midnight = day.ok().and_then(|day| day.and_hms_opt(0, 0, 0));
        let at = midnight.map(|at| Some(at.and_utc()));
        at.ok_or("Enter a day of the calendar, for example 2026-12-24.")
    }
}

fn problem(invalid: &InvalidWaiver) -> (&'static str, String) {
    let field = match invalid.field {
        "checkId" => "check",
        "path" => "path",
        "cause" => "cause",
        "reason" => "reason",
        "expiresAt" => "expires",
        _ => "form",
    };
    let text = domain::text::capitalized(&invalid.to_string());
    (field, sentence(&text))
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use domain::{Dimension, Severity};

    use super::*;

    fn terms(form: &str) -> (WaiverForm, Option<WaiverTerms>) {
        let check = CheckInfo {
            id: "image-alt".to_owned(),
            title: "Images without a text alternative".to_owned(),
            dimension: Dimension::Accessibility,
            scope: "page".to_owned(),
            severity: Severity::Critical,
            needs_browser: false,
            documentation: String::new(),
        };
        // 1970-01-11
        let now = DateTime::UNIX_EPOCH + TimeDelta::days(10);
        let mut form = WaiverForm::new(&Form::parse(form.as_bytes()));
        let terms = form.terms(&[check], now);
        (form, terms)
    }

    #[test]
    fn a_day_is_its_beginning() {
        let (_, terms) = terms("check=image-alt&reason=+Old.%0D%0AStill.&expires=1970-01-12");
        let terms = terms.unwrap();
        let expected = DateTime::UNIX_EPOCH + TimeDelta::days(11);
        assert_eq!(terms.expires_at, Some(expected));
        assert_eq!((terms.path, terms.cause), (None, None));
        assert_eq!(terms.reason, "Old.\nStill.");
    }

    #[test]
    fn every_wrong_field_is_named() {
        let (form, refused) = terms("check=x&path=a&cause=b&expires=soon");
        assert_eq!(refused, None);
        for field in ["check", "path", "cause", "reason", "expires"] {
            assert!(form.problem(field).is_some(), "{field}");
        }
        let (form, refused) = terms("check=image-alt&reason=a&expires=1970-01-11");
        assert_eq!(refused, None);
        assert_eq!(form.problem("expires"), Some("Must be in the future."));
        assert_eq!(form.problem("check"), None);
    }
}
