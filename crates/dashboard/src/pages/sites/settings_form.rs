//! The form with the name and the options of a site.

use std::collections::BTreeMap;

use domain::run::{AskedOptions, MAX_HEADERS, RequestHeaders};

use crate::form::Form;
use crate::pages::option_fields::OptionFields;
use crate::pages::start::{invalid_options, option_label};
use crate::state::DashboardSettings;

/// What the form shows.
pub(super) struct SettingsForm {
    pub(super) name: String,
    pub(super) options: OptionFields,
    pub(super) max_depth: String,
    /// Whether people may have robots.txt ignored, and whether it is.
    pub(super) offers_robots: bool,
    pub(super) ignores_robots: bool,
    /// The names of the headers that are stored; their values are not shown.
    pub(super) headers: Vec<String>,
    /// The headers that the person entered, one a line. They are not shown again.
    sent_headers: String,
    removes_headers: bool,
}

impl SettingsForm {
    /// The form with what is stored.
    pub(super) fn stored(name: &str, options: &AskedOptions, settings: &DashboardSettings) -> Self {
        let depth = options.max_depth.map(|depth| depth.to_string());
        Self {
            name: name.to_owned(),
            options: OptionFields::stored(options, settings),
            max_depth: depth.unwrap_or_default(),
            offers_robots: settings.bounds.ignore_robots,
            ignores_robots: options.respect_robots == Some(false),
            headers: names(options),
            sent_headers: String::new(),
            removes_headers: false,
        }
    }

    /// The form as a person sent it; `before` is what is stored.
    pub(super) fn sent(form: &Form, before: &AskedOptions, settings: &DashboardSettings) -> Self {
        Self {
            name: form.text("name").to_owned(),
            options: OptionFields::new(form, settings),
            max_depth: form.text("max-depth").to_owned(),
            offers_robots: settings.bounds.ignore_robots,
            ignores_robots: form.is_ticked("ignore-robots"),
            headers: names(before),
            sent_headers: form.raw("headers").to_owned(),
            removes_headers: form.is_ticked("remove-headers"),
        }
    }

    /// The options that the form asks for, over what is stored where it does not say.
    ///
    /// # Errors
    /// A sentence that says what is wrong. It contains no value of a header.
    pub(super) fn options(&self, before: AskedOptions) -> Result<AskedOptions, String> {
        let max_depth = match self.max_depth.as_str() {
            "" => None,
            text => {
                let depth = text.parse().ok();
                Some(depth.ok_or("Clicks from the start page: must be a number.")?)
            }
        };
        Ok(AskedOptions {
            max_depth,
            headers: match self.entered_headers()? {
                Some(headers) => Some(headers),
                None if self.removes_headers => None,
                None => before.headers,
            },
            respect_robots: match self.offers_robots {
                true => self.ignores_robots.then_some(false),
                // The operator no longer allows audits to ignore robots.txt.
                false => before.respect_robots.filter(|respects| *respects),
            },
            ..self.options.options()?
        })
    }

    /// The headers that are entered; none where there is no line.
    fn entered_headers(&self) -> Result<Option<RequestHeaders>, String> {
        let label = option_label("headers");
        let lines = self.sent_headers.lines().map(str::trim);
        let lines: Vec<_> = lines.filter(|line| !line.is_empty()).collect();
        if lines.is_empty() {
            return Ok(None);
        }
        if lines.len() > MAX_HEADERS {
            return Err(format!(
                "{label}: at most {MAX_HEADERS} headers are allowed."
            ));
        }
        let mut headers = BTreeMap::new();
        for line in lines {
            let (name, value) = line
                .split_once(':')
                .ok_or_else(|| format!("{label}: write one header a line, as “Name: value”."))?;
            let (name, value) = (name.trim().to_owned(), value.trim().to_owned());
            if headers.insert(name.clone(), value).is_some() {
                return Err(format!("{label}: {name} occurs more than once."));
            }
        }
        let parsed = RequestHeaders::parse(headers);
        parsed.map(Some).map_err(|wrong| invalid_options(&wrong))
    }
}

fn names(options: &AskedOptions) -> Vec<String> {
    let headers = options.headers.iter().flat_map(RequestHeaders::names);
    headers.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use domain::report::Variant;

    use super::*;
    use crate::tests::settings;

    fn before() -> AskedOptions {
        let headers = BTreeMap::from([("authorization".to_owned(), "Basic secret".to_owned())]);
        AskedOptions {
            headers: Some(RequestHeaders::stored(headers)),
            respect_robots: Some(false),
            ..AskedOptions::default()
        }
    }

    fn options(form: &str) -> Result<AskedOptions, String> {
        let settings = settings(Variant::Current, "http://127.0.0.1:8080");
        let form = Form::parse(form.as_bytes());
        SettingsForm::sent(&form, &before(), &settings).options(before())
    }

    fn headers(form: &str) -> Option<RequestHeaders> {
        options(form).unwrap().headers
    }

    #[test]
    fn headers_stay_unless_they_are_replaced_or_removed() {
        assert_eq!(headers("headers=+"), before().headers);
        assert_eq!(headers("remove-headers=yes"), None);
        let replaced = headers("headers=X-A:+1%0D%0ACookie:+a%3Db&remove-headers=yes").unwrap();
        assert_eq!(replaced.names().collect::<Vec<_>>(), ["cookie", "x-a"]);
        assert_eq!(replaced.expose()["x-a"], "1");
    }

    #[test]
    fn what_the_operator_does_not_allow_any_more_is_dropped() {
        let bounds = settings(Variant::Current, "http://127.0.0.1:8080").bounds;
        assert!(before().validate(&bounds).is_err());
        let options = options("max-depth=3").unwrap();
        assert_eq!(options.validate(&bounds), Ok(()));
        assert_eq!((options.respect_robots, options.max_depth), (None, Some(3)));
    }

    #[test]
    fn problems_name_the_header_and_no_value() {
        for (form, problem) in [
            (
                "headers=nothing",
                "Request headers: write one header a line, as “Name: value”.",
            ),
            (
                "headers=Host:+secret",
                "Request headers, Host: this header is not allowed.",
            ),
            (
                "headers=A:+1%0AA:+2",
                "Request headers: A occurs more than once.",
            ),
            (
                "max-depth=x",
                "Clicks from the start page: must be a number.",
            ),
        ] {
            assert_eq!(options(form).unwrap_err(), problem);
        }
    }
}
