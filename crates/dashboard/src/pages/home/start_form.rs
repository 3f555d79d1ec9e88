//! The box that starts an audit.

use domain::run::{AskedOptions, Device, Mode};

use crate::form::Form;
use crate::pages::start::option_label;
use crate::state::DashboardSettings;

/// What a person entered in the box, and what the server allows there.
pub(super) struct StartForm {
    pub(super) url: String,
    pub(super) max_pages: String,
    pub(super) mode: String,
    pub(super) device: String,
    pub(super) include: String,
    pub(super) exclude: String,
    pub(super) user_agent: String,
    /// The highest number of pages.
    pub(super) most_pages: u32,
    /// The number of pages where nothing is entered.
    pub(super) default_pages: u32,
    /// The modes that are offered, by name and label.
    pub(super) modes: Vec<(&'static str, &'static str)>,
    /// The devices that are offered, by name and label.
    pub(super) devices: [(&'static str, &'static str); 2],
    /// Whether a user agent may be chosen.
    pub(super) offers_user_agent: bool,
}

impl StartForm {
    /// The box with what a form or a query says.
    pub(super) fn new(form: &Form, settings: &DashboardSettings) -> Self {
        let bounds = &settings.bounds;
        let mut modes = vec![
            (Mode::Auto.as_str(), "Browser if available"),
            (Mode::Static.as_str(), "Without browser"),
        ];
        if bounds.browser {
            modes.push((Mode::Rendered.as_str(), "In a browser"));
        }
        Self {
            url: form.text("url").to_owned(),
            max_pages: form.text("max-pages").to_owned(),
            mode: form.text("mode").to_owned(),
            device: form.text("device").to_owned(),
            include: form.text("include").to_owned(),
            exclude: form.text("exclude").to_owned(),
            user_agent: form.text("user-agent").to_owned(),
            most_pages: bounds.max_pages,
            default_pages: settings.default_max_pages.min(bounds.max_pages),
            modes,
            devices: [
                (Device::Mobile.as_str(), "Phone"),
                (Device::Desktop.as_str(), "Desktop computer"),
            ],
            offers_user_agent: bounds.user_agent,
        }
    }

    /// Whether an option is entered, so that the options are shown open.
    pub(super) fn has_options(&self) -> bool {
        let options = [
            &self.max_pages,
            &self.mode,
            &self.device,
            &self.include,
            &self.exclude,
            &self.user_agent,
        ];
        options.iter().any(|text| !text.is_empty())
    }

    /// The address to begin at; `https` where it has no scheme.
    pub(super) fn address(&self) -> String {
        match self.url.is_empty() || self.url.contains("://") {
            true => self.url.clone(),
            false => format!("https://{}", self.url),
        }
    }

    /// The options to audit with. What is not entered is left to the defaults of the site.
    ///
    /// # Errors
    /// A sentence that says what is wrong.
    pub(super) fn options(&self) -> Result<AskedOptions, String> {
        let max_pages = given(&self.max_pages)
            .map(|text| {
                let pages = text.parse().ok();
                pages.ok_or_else(|| format!("{}: must be a number.", option_label("maxPages")))
            })
            .transpose()?;
        let mode = given(&self.mode)
            .map(|name| Mode::named(name).ok_or_else(|| unknown("mode")))
            .transpose()?;
        let device = given(&self.device)
            .map(|name| Device::named(name).ok_or_else(|| unknown("device")))
            .transpose()?;
        Ok(AskedOptions {
            max_pages,
            mode,
            device,
            include: patterns(&self.include),
            exclude: patterns(&self.exclude),
            user_agent: given(&self.user_agent).map(str::to_owned),
            ..AskedOptions::default()
        })
    }
}

fn unknown(field: &str) -> String {
    format!("{}: choose one of the list.", option_label(field))
}

fn given(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

/// Patterns, one a line; none where there is no line.
fn patterns(text: &str) -> Option<Vec<String>> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let patterns: Vec<_> = lines.map(str::to_owned).collect();
    (!patterns.is_empty()).then_some(patterns)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(query: &str) -> StartForm {
        let form = Form::parse(query.as_bytes());
        StartForm {
            url: form.text("url").to_owned(),
            max_pages: form.text("max-pages").to_owned(),
            mode: form.text("mode").to_owned(),
            device: String::new(),
            include: form.text("include").to_owned(),
            exclude: String::new(),
            user_agent: String::new(),
            most_pages: 100,
            default_pages: 50,
            modes: Vec::new(),
            devices: [("mobile", ""), ("desktop", "")],
            offers_user_agent: false,
        }
    }

    #[test]
    fn an_address_without_a_scheme_is_https() {
        assert_eq!(form("url=example.com").address(), "https://example.com");
        assert_eq!(form("url=http://a.example/").address(), "http://a.example/");
        assert_eq!(form("url=").address(), "");
    }

    #[test]
    fn what_is_not_entered_is_not_asked_for() {
        assert_eq!(form("url=a").options(), Ok(AskedOptions::default()));
        assert!(!form("url=a").has_options());
    }

    #[test]
    fn options_are_read() {
        let options = form("max-pages=7&mode=static&include=/a%0D%0A%0D%0A/b").options();
        let options = options.unwrap();
        assert_eq!(options.max_pages, Some(7));
        assert_eq!(options.mode, Some(Mode::Static));
        assert_eq!(
            options.include,
            Some(vec!["/a".to_owned(), "/b".to_owned()])
        );
    }

    #[test]
    fn what_is_no_number_is_refused() {
        let problem = form("max-pages=many").options().unwrap_err();
        assert_eq!(problem, "Maximum pages: must be a number.");
    }
}
