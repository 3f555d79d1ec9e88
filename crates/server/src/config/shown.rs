//! The configuration as it holds, for people to read.

use std::path::Path;

use super::{ConfigError, Flags, Settings, layers, validate};

/// What stands for a secret.
const HIDDEN: &str = "***";

/// All layers together, with what is worked out where nothing was said, and without secrets.
///
/// # Errors
/// What [`super::load`] says.
pub(crate) fn show(
    file: Option<&Path>,
    environment: impl IntoIterator<Item = (String, String)>,
    flags: Flags,
) -> Result<toml::Table, ConfigError> {
    let mut raw = layers(file, environment, flags)?;
    let settings = validate(raw.clone())?;
    let Settings { audit, service } = &settings;
    raw.server.base_url = Some(service.base_url_at(service.listen));
    // Its text hides a password.
    raw.storage.database_url = Some(service.database.to_string());
    raw.worker.concurrent_runs = Some(service.concurrent_runs);
    raw.crawl.budget_seconds = Some(audit.crawl_budget.as_secs());
    raw.egress.proxy = raw.egress.proxy.as_deref().map(without_user);
    raw.metrics.token = raw.metrics.token.map(|_| HIDDEN.to_owned());
    toml::Table::try_from(&raw).map_err(|error| ConfigError::Invalid {
        origin: "the configuration".to_owned(),
        message: error.to_string(),
    })
}

/// The URL of a proxy without user and password.
fn without_user(url: &str) -> String {
    match (url.split_once("://"), url.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, place))) => format!("{scheme}://{HIDDEN}@{place}"),
        (None, Some((_, place))) => format!("{HIDDEN}@{place}"),
        (_, None) => url.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(variables: &[(&str, &str)]) -> toml::Table {
        let file = std::env::temp_dir().join(format!("assay-shown-{}.toml", std::process::id()));
        std::fs::write(&file, "").unwrap();
        let variables = variables
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        show(Some(&file), variables, Flags::default()).unwrap()
    }

    #[test]
    fn secrets_are_hidden() {
        let shown = shown(&[
            ("ASSAY_STORAGE__DATABASE_URL", "postgres://u:geheim@h/d"),
            ("ASSAY_EGRESS__PROXY", "http://u:geheim@proxy.example:3128"),
            ("ASSAY_METRICS__TOKEN", "geheim-geheim-geheim"),
        ]);
        let text = shown.to_string();
        assert!(!text.contains("geheim"), "{text}");
        for hidden in [
            "postgres://u:***@h/d",
            "http://***@proxy.example:3128",
            "token = \"***\"",
        ] {
            assert!(text.contains(hidden), "{text}");
        }
    }

    #[test]
    fn what_is_worked_out_is_shown() {
        let shown = shown(&[("ASSAY_CRAWL__DEADLINE_SECONDS", "100")]);
        assert_eq!(shown["crawl"]["budget_seconds"].as_integer(), Some(80));
        assert_eq!(
            shown["storage"]["database_url"].as_str(),
            Some("sqlite:./assay-data/assay.db")
        );
        assert_eq!(
            shown["server"]["base_url"].as_str(),
            Some("http://127.0.0.1:8080")
        );
        assert!(shown["worker"]["concurrent_runs"].as_integer() >= Some(2));
    }
}
