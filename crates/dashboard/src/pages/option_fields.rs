//! The fields for how a site is audited: of the box that starts an audit, and of the defaults of a site.

use domain::run::{AskedOptions, Device, Mode};

use super::start::option_label;
use crate::form::Form;
use crate::state::DashboardSettings;

/// What a person entered, and what the server allows there.
pub(super) struct OptionFields {
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

impl OptionFields {
    /// The fields with what a form or a query says.
    pub(super) fn new(form: &Form, settings: &DashboardSettings) -> Self {
        Self {
            max_pages: form.text("max-pages").to_owned(),
            mode: form.text("mode").to_owned(),
            device: form.text("device").to_owned(),
            include: form.text("include").to_owned(),
            exclude: form.text("exclude").to_owned(),
            user_agent: form.text("user-agent").to_owned(),
            ..Self::empty(settings)
        }
    }

    /// The fields with options as they are stored.
    pub(super) fn stored(options: &AskedOptions, settings: &DashboardSettings) -> Self {
        let pages = options.max_pages.map(|pages| pages.to_string());
        let lines = |patterns: &Option<Vec<String>>| {
            let patterns = patterns.as_deref().unwrap_or_default();
            patterns.join("\n")
        };
        Self {
            max_pages: pages.unwrap_or_default(),
            mode: options.mode.map_or("", Mode::as_str).to_owned(),
            device: options.device.map_or("", Device::as_str).to_owned(),
            include: lines(&options.include),
            exclude: lines(&options.exclude),
            user_agent: options.user_agent.clone().unwrap_or_default(),
            ..Self::empty(settings)
        }
    }

    fn empty(settings: &DashboardSettings) -> Self {
        let bounds = &settings.bounds;
        let mut modes = vec![
            (Mode::Auto.as_str(), "Browser if available"),
            (Mode::Static.as_str(), "Without browser"),
        ];
        if bounds.browser {
            modes.push((Mode::Rendered.as_str(), "In a browser"));
        }
        Self {
            max_pages: String::new(),
            mode: String::new(),
            device: String::new(),
            include: String::new(),
            exclude: String::new(),
            user_agent: String::new(),
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
    pub(super) fn has_any(&self) -> bool {
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

    /// The options that are entered.
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
    use domain::report::Variant;

    use super::*;
    use crate::tests::settings;

    fn fields(query: &str) -> OptionFields {
        let settings = settings(Variant::Current, "http://127.0.0.1:8080");
        OptionFields::new(&Form::parse(query.as_bytes()), &settings)
    }

    #[test]
    fn what_is_not_entered_is_not_asked_for() {
        assert_eq!(fields("url=a").options(), Ok(AskedOptions::default()));
        assert!(!fields("url=a").has_any());
    }

    #[test]
    fn options_are_read_and_shown_again() {
        let fields = fields("max-pages=7&mode=static&include=/a%0D%0A%0D%0A/b");
        let options = fields.options().unwrap();
        assert_eq!(options.max_pages, Some(7));
        assert_eq!(options.mode, Some(Mode::Static));
        assert_eq!(
            options.include,
            Some(vec!["/a".to_owned(), "/b".to_owned()])
        );
        let settings = settings(Variant::Current, "http://127.0.0.1:8080");
        let stored = OptionFields::stored(&options, &settings);
        assert_eq!(stored.options(), Ok(options));
        assert_eq!(stored.include, "/a\n/b");
    }

    #[test]
    fn what_is_no_number_is_refused() {
        let problem = fields("max-pages=many").options().unwrap_err();
        assert_eq!(problem, "Maximum pages: must be a number.");
    }
}
