//! The page that a person wanted before a sign-in, or the form that they sent after the session had expired.

use crate::form::Form;

/// The field with the path to go to after a sign-in.
pub(super) const NEXT: &str = "next";
/// The prefix of the names of the fields of a form that waits for a sign-in.
const KEPT: &str = "kept.";
/// The field with the path of a form that waits for a sign-in.
const KEPT_FORM: &str = "kept-form";

/// A path of this service, never an address elsewhere (open redirect).
pub(super) fn own_path(text: &str) -> &str {
    let is_own = text.starts_with('/') && !text.starts_with("//") && !text.contains('\\');
    if is_own && !text.chars().any(char::is_control) {
        text
    } else {
        "/"
    }
}

/// The page or form that waits for a sign-in. The template `waiting.html` writes it as hidden fields of a form.
pub(super) struct Waiting<'a> {
    /// The path of the page.
    pub(super) next: &'a str,
    /// The path of a form that was sent.
    pub(super) form: Option<&'a str>,
    /// Its fields, with the names that they have while they wait.
    pub(super) kept: Vec<(String, &'a str)>,
}

impl<'a> Waiting<'a> {
    /// A page.
    pub(super) fn page(next: &'a str) -> Self {
        Self {
            next: own_path(next),
            form: None,
            kept: Vec::new(),
        }
    }

    /// A form that was sent to a path, without passwords and the token of its session.
    pub(super) fn sent(path: &'a str, form: &'a Form) -> Self {
        let fields = form.fields().iter();
        let kept = fields
            .filter(|(name, _)| name != crate::form::FORM_TOKEN && !name.contains("password"));
        Self {
            next: "/",
            form: Some(own_path(path)),
            kept: kept
                .map(|(name, value)| (format!("{KEPT}{name}"), value.as_str()))
                .collect(),
        }
    }

    /// Reads what the form of a sign-in carries.
    pub(super) fn carried(form: &'a Form) -> Self {
        Self {
            next: own_path(form.text(NEXT)),
            form: form.given(KEPT_FORM).map(own_path),
            kept: kept(form)
                .map(|(name, value)| (format!("{KEPT}{name}"), value))
                .collect(),
        }
    }
}

/// The fields of the form that waits, by their own names.
pub(super) fn kept(form: &Form) -> impl Iterator<Item = (&str, &str)> {
    let fields = form.fields().iter();
    fields.filter_map(|(name, value)| Some((name.strip_prefix(KEPT)?, value.as_str())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_sent_elsewhere() {
        assert_eq!(own_path("/sites?a=b"), "/sites?a=b");
        for foreign in [
            "",
            "https://evil.example",
            "//evil.example",
            "/\\evil.example",
            "/a\nb",
            "sites",
        ] {
            assert_eq!(own_path(foreign), "/", "{foreign}");
        }
    }
}
