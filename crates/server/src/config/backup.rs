//! The configuration of scheduled backups and of S3-compatible storage.

use std::num::NonZeroU32;
use std::path::PathBuf;

use backup::{PostgresTools, Recipients};
use chrono::TimeDelta;
use domain::backup::BackupPolicy;
use domain::schedule::CronSchedule;
use object_storage::{S3Access, StoreUrl};
use serde::{Deserialize, Serialize};

use super::{ConfigError, value};

/// The most backups that are kept.
const MAX_KEEP: u32 = 1_000;
/// The largest value of `max_age_hours`: a year.
const MAX_AGE_HOURS: u32 = 8_760;

#[derive(Debug, Default, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawBackup {
    pub(super) to: Option<String>,
    pub(super) schedule: Option<String>,
    pub(super) timezone: Option<String>,
    pub(super) keep: Option<u32>,
    pub(super) max_age_hours: Option<u32>,
    pub(super) recipients: Option<Vec<String>>,
    pub(super) postgres_bin: Option<PathBuf>,
}

#[derive(Debug, Default, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawS3 {
    pub(super) endpoint: Option<String>,
    pub(super) region: Option<String>,
    pub(super) access_key_id: Option<String>,
    pub(super) secret_access_key: Option<String>,
    pub(super) session_token: Option<String>,
}

/// Scheduled backups.
#[derive(Debug, Clone)]
pub(crate) struct BackupSettings {
    /// Where backups are stored.
    pub(crate) to: StoreUrl,
    /// When they are made, and how many are kept.
    pub(crate) policy: BackupPolicy,
    /// The keys they are encrypted for; none without encryption.
    pub(crate) recipients: Recipients,
    /// PostgreSQL's programs.
    pub(crate) tools: PostgresTools,
}

/// Validates `[backup]`; `None` if `to` is not set.
pub(super) fn backup(raw: &RawBackup) -> Result<Option<BackupSettings>, ConfigError> {
    let invalid = |key, error: &dyn std::fmt::Display| value(key, &error.to_string());
    let expression = raw.schedule.as_deref().unwrap_or("20 3 * * *");
    let timezone = raw.timezone.as_deref().unwrap_or("UTC");
    let schedule =
        CronSchedule::new(expression, timezone).map_err(|error| match error.field() {
            "timezone" => invalid("backup.timezone", &error),
            _ => invalid("backup.schedule", &error),
        })?;
    let keep = NonZeroU32::new(raw.keep.unwrap_or(14)).filter(|keep| keep.get() <= MAX_KEEP);
    let keep = keep.ok_or_else(|| {
        value(
            "backup.keep",
            &format!("must be a number from 1 to {MAX_KEEP}"),
        )
    })?;
    let hours = raw.max_age_hours.unwrap_or(36);
    if !(1..=MAX_AGE_HOURS).contains(&hours) {
        let message = format!("must be a number of hours from 1 to {MAX_AGE_HOURS}");
        return Err(value("backup.max_age_hours", &message));
    }
    let recipients = Recipients::parse(raw.recipients.as_deref().unwrap_or_default())
        .map_err(|error| invalid("backup.recipients", &error))?;
    let program = |name: &str| match &raw.postgres_bin {
        Some(folder) => folder.join(name).into_os_string(),
        None => name.into(),
    };
    let Some(to) = &raw.to else {
        return Ok(None);
    };
    Ok(Some(BackupSettings {
        to: to.parse().map_err(|error| invalid("backup.to", &error))?,
        policy: BackupPolicy {
            schedule,
            keep,
            max_age: TimeDelta::hours(hours.into()),
        },
        recipients,
        tools: PostgresTools {
            pg_dump: program("pg_dump"),
            pg_restore: program("pg_restore"),
        },
    }))
}

/// Validates `[s3]`; `None` without credentials.
pub(super) fn s3(raw: &RawS3) -> Result<Option<S3Access>, ConfigError> {
    let endpoint = match raw.endpoint.as_deref() {
        None | Some("") => None,
        Some(url) => {
            let parsed = url::Url::parse(url).ok();
            let fits = parsed.as_ref().is_some_and(|url| {
                matches!(url.scheme(), "http" | "https")
                    && url.username().is_empty()
                    && url.password().is_none()
                    && url.query().is_none()
            });
            // The text is not repeated: it may contain a password.
            if !fits {
                return Err(value(
                    "s3.endpoint",
                    "must be an http or https URL without user, password and query, for example https://minio.example.com",
                ));
            }
            Some(url.trim_end_matches('/').to_owned())
        }
    };
    match (&raw.access_key_id, &raw.secret_access_key) {
        (Some(id), Some(secret)) => Ok(Some(S3Access {
            endpoint,
            region: raw.region.clone().unwrap_or_else(|| "us-east-1".to_owned()),
            access_key_id: id.clone(),
            secret_access_key: secret.clone(),
            session_token: raw.session_token.clone(),
        })),
        (None, None) => Ok(None),
        (None, Some(_)) => Err(value(
            "s3.access_key_id",
            "must be set, because s3.secret_access_key is set",
        )),
        (Some(_), None) => Err(value(
            "s3.secret_access_key",
            "must be set, because s3.access_key_id is set",
        )),
    }
}

/// The names of the variables that other tools for S3 read too, and the settings of `[s3]` that they set.
const AWS_VARIABLES: [(&str, &str); 6] = [
    ("AWS_ACCESS_KEY_ID", "access_key_id"),
    ("AWS_SECRET_ACCESS_KEY", "secret_access_key"),
    ("AWS_SESSION_TOKEN", "session_token"),
    ("AWS_REGION", "region"),
    ("AWS_ENDPOINT_URL", "endpoint"),
    ("AWS_ENDPOINT_URL_S3", "endpoint"),
];

/// The settings in variables that other tools read too. The file and `ASSAY_*` variables override them.
pub(super) fn of_variables<'a>(variables: impl Iterator<Item = &'a (String, String)>) -> RawS3 {
    let mut raw = RawS3::default();
    for (name, text) in variables {
        let found = AWS_VARIABLES.iter().find(|(known, _)| known == name);
        let place = match found.map(|(_, setting)| *setting) {
            Some("access_key_id") => &mut raw.access_key_id,
            Some("secret_access_key") => &mut raw.secret_access_key,
            Some("session_token") => &mut raw.session_token,
            Some("region") => &mut raw.region,
            Some("endpoint") => &mut raw.endpoint,
            _ => continue,
        };
        *place = Some(text.clone());
    }
    raw
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_values_name_their_setting() {
        let with = |text: &str| {
            backup(&toml::from_str(text).unwrap())
                .unwrap_err()
                .to_string()
        };
        for (text, key) in [
            ("to = 'ftp://x'", "backup.to: "),
            ("schedule = '1 2 3'", "backup.schedule: "),
            ("timezone = 'Mars'", "backup.timezone: "),
            ("keep = 0", "backup.keep: "),
            ("keep = 1001", "backup.keep: "),
            ("max_age_hours = 0", "backup.max_age_hours: "),
            ("max_age_hours = 8761", "backup.max_age_hours: "),
            ("recipients = ['age1']", "backup.recipients: "),
        ] {
            assert!(with(text).starts_with(key), "{text}");
        }
    }

    #[test]
    fn an_endpoint_with_a_password_is_refused_and_not_repeated() {
        let raw = RawS3 {
            endpoint: Some("https://u:geheim@h".to_owned()),
            ..RawS3::default()
        };
        let error = s3(&raw).unwrap_err().to_string();
        assert!(
            error.starts_with("s3.endpoint: ") && !error.contains("geheim"),
            "{error}"
        );
    }

    #[test]
    fn half_of_the_credentials_is_an_error() {
        let raw = RawS3 {
            access_key_id: Some("id".to_owned()),
            ..RawS3::default()
        };
        let error = s3(&raw).unwrap_err().to_string();
        assert!(error.starts_with("s3.secret_access_key: "), "{error}");
    }

    #[test]
    fn variables_of_other_tools_are_read() {
        let variables = [
            ("AWS_REGION", "eu-1"),
            ("AWS_ACCESS_KEY_ID", "id"),
            ("HOME", "x"),
        ]
        .map(|(name, text)| (name.to_owned(), text.to_owned()));
        let raw = of_variables(variables.iter());
        assert_eq!(raw.region.as_deref(), Some("eu-1"));
        assert_eq!(raw.access_key_id.as_deref(), Some("id"));
        assert_eq!(raw.secret_access_key, None);
    }
}
