//! The box that starts an audit.

use crate::form::Form;
use crate::pages::option_fields::OptionFields;
use crate::state::DashboardSettings;

/// What a person entered in the box.
pub(super) struct StartForm {
    pub(super) url: String,
    pub(super) options: OptionFields,
}

impl StartForm {
    /// The box with what a form or a query says.
    pub(super) fn new(form: &Form, settings: &DashboardSettings) -> Self {
        Self {
            url: form.text("url").to_owned(),
            options: OptionFields::new(form, settings),
        }
    }

    /// The address to begin at; `https` where it has no scheme.
    pub(super) fn address(&self) -> String {
        match self.url.is_empty() || self.url.contains("://") {
            true => self.url.clone(),
            false => format!("https://{}", self.url),
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::report::Variant;

    use super::*;
    use crate::tests::settings;

    #[test]
    fn an_address_without_a_scheme_is_https() {
        let settings = settings(Variant::Current, "http://127.0.0.1:8080");
        let address =
            |query: &str| StartForm::new(&Form::parse(query.as_bytes()), &settings).address();
        assert_eq!(address("url=example.com"), "https://example.com");
        assert_eq!(address("url=http://a.example/"), "http://a.example/");
        assert_eq!(address("url="), "");
    }
}
