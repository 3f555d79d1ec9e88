//! The effective configuration, for people to read.

use std::collections::BTreeMap;
use std::path::Path;

use super::{ConfigError, Flags, Settings, layers, validate};

/// The replacement of a secret.
const HIDDEN: &str = "***";

/// All layers merged, with computed defaults for unset settings, and without secrets.
///
/// # Errors
/// As [`super::load`].
pub(crate) fn show(
    file: Option<&Path>,
    environment: impl IntoIterator<Item = (String, String)>,
    flags: Flags,
) -> Result<toml::Table, ConfigError> {
    let mut raw = layers(file, environment, flags)?;
    let settings = validate(raw.clone())?;
    let Settings { audit, service } = &settings;
    raw.server.base_url = Some(service.base_url_at(service.listen));
    // Its `Display` hides a password.
    raw.storage.database_url = Some(service.database.to_string());
    raw.worker.concurrent_runs = Some(service.concurrent_runs);
    raw.crawl.budget_seconds = Some(audit.crawl_budget.as_secs());
    raw.egress.proxy = raw.egress.proxy.as_deref().map(without_user);
    raw.metrics.token = raw.metrics.token.map(|_| HIDDEN.to_owned());
    for secret in [
        &mut raw.s3.access_key_id,
        &mut raw.s3.secret_access_key,
        &mut raw.s3.session_token,
    ] {
        *secret = secret.take().map(|_| HIDDEN.to_owned());
    }
    toml::Table::try_from(&raw).map_err(|error| ConfigError::Invalid {
        origin: "the configuration".to_owned(),
        message: error.to_string(),
    })
}

/// Returns the dotted keys of the settings that differ between two configurations. Secrets are hidden in both, so a
/// changed secret is not detected.
pub(crate) fn changed_keys(before: &toml::Table, after: &toml::Table) -> Vec<String> {
    let mut changed = Vec::new();
    let (before, after) = (leaves(before), leaves(after));
    for key in before.keys().chain(after.keys()) {
        if before.get(key) != after.get(key) && !changed.contains(key) {
            changed.push(key.clone());
        }
    }
    changed
}

/// Returns the values of a table and its subtables, by dotted key.
fn leaves(table: &toml::Table) -> BTreeMap<String, &toml::Value> {
    let mut found = BTreeMap::new();
    for (key, value) in table {
        match value {
            toml::Value::Table(inner) => found.extend(
                leaves(inner)
                    .into_iter()
                    .map(|(name, value)| (format!("{key}.{name}"), value)),
            ),
            value => {
                found.insert(key.clone(), value);
            }
        }
    }
    found
}

/// Removes user and password from the URL of a proxy.
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
    fn changed_settings_are_named_by_their_keys() {
        let before = shown(&[("ASSAY_PLANS__TEAM__SITES", "3")]);
        assert_eq!(changed_keys(&before, &before), Vec::<String>::new());
        let after = shown(&[
            ("ASSAY_PLANS__OTHER__SITES", "3"),
            ("ASSAY_CRAWL__MAX_PAGES", "7"),
        ]);
        assert_eq!(
            changed_keys(&before, &after),
            [
                "crawl.max_pages",
                "plans.team.paid",
                "plans.team.sites",
                "plans.other.paid",
                "plans.other.sites"
            ]
        );
    }

    #[test]
    fn secrets_are_hidden() {
        let shown = shown(&[
            ("ASSAY_STORAGE__DATABASE_URL", "postgres://u:geheim@h/d"),
            ("ASSAY_EGRESS__PROXY", "http://u:geheim@proxy.example:3128"),
            ("ASSAY_METRICS__TOKEN", "geheim-geheim-geheim"),
            ("ASSAY_S3__ACCESS_KEY_ID", "geheim"),
            ("AWS_SECRET_ACCESS_KEY", "geheim"),
            ("AWS_SESSION_TOKEN", "geheim"),
        ]);
        let text = shown.to_string();
        assert!(!text.contains("geheim"), "{text}");
        for hidden in [
            "postgres://u:***@h/d",
            "http://***@proxy.example:3128",
            "\ntoken = \"***\"",
            "access_key_id = \"***\"",
            "secret_access_key = \"***\"",
            "session_token = \"***\"",
        ] {
            assert!(text.contains(hidden), "{text}");
        }
    }

    #[test]
    fn computed_defaults_are_shown() {
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
