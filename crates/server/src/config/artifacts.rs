//! The configuration of the pictures of runs.

use std::path::Path;

use chrono::TimeDelta;
use domain::artifact::PicturedRuns;
use object_storage::StoreUrl;
use serde::{Deserialize, Serialize};

use super::{ConfigError, value};

/// The folder of the pictures in the data folder.
const FOLDER: &str = "artifacts";
/// The longest time that pictures are kept, in days.
const MAX_KEEP_DAYS: u32 = 3_650;

#[derive(Debug, Default, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawArtifacts {
    pub(super) enabled: Option<bool>,
    pub(super) url: Option<String>,
    pub(super) keep_days: Option<u32>,
    pub(super) with_headers: Option<bool>,
}

/// The pictures of runs.
#[derive(Debug, Clone)]
pub(crate) struct ArtifactSettings {
    /// Where they are stored.
    pub(crate) url: StoreUrl,
    /// How long they are kept.
    pub(crate) keep: TimeDelta,
    /// Which runs have any.
    pub(crate) of: PicturedRuns,
}

/// Validates `[artifacts]`.
pub(super) fn artifacts(
    raw: &RawArtifacts,
    data_dir: &Path,
) -> Result<ArtifactSettings, ConfigError> {
    let days = raw.keep_days.unwrap_or(90);
    if !(1..=MAX_KEEP_DAYS).contains(&days) {
        let message = format!("must be a number of days from 1 to {MAX_KEEP_DAYS}");
        return Err(value("artifacts.keep_days", &message));
    }
    let url = match raw.url.as_deref() {
        None => StoreUrl::Folder(data_dir.join(FOLDER)),
        Some(url) => url
            .parse()
            .map_err(|error: object_storage::InvalidStoreUrl| {
                value("artifacts.url", &error.to_string())
            })?,
    };
    let is_enabled = raw.enabled.unwrap_or(true);
    Ok(ArtifactSettings {
        url,
        keep: TimeDelta::days(days.into()),
        of: match (is_enabled, raw.with_headers.unwrap_or(false)) {
            (false, _) => PicturedRuns::None,
            (true, false) => PicturedRuns::WithoutHeaders,
            (true, true) => PicturedRuns::All,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<ArtifactSettings, ConfigError> {
        artifacts(&toml::from_str(text).unwrap(), Path::new("/data"))
    }

    #[test]
    fn pictures_are_files_in_the_data_folder_by_default() {
        let settings = read("").unwrap();
        assert_eq!(settings.url.to_string(), "/data/artifacts");
        assert_eq!(settings.keep, TimeDelta::days(90));
        assert_eq!(settings.of, PicturedRuns::WithoutHeaders);
    }

    #[test]
    fn the_operator_decides_which_runs_have_pictures() {
        assert_eq!(read("enabled = false").unwrap().of, PicturedRuns::None);
        assert_eq!(read("with_headers = true").unwrap().of, PicturedRuns::All);
    }

    #[test]
    fn wrong_values_name_their_setting() {
        for (text, key) in [
            ("url = 'ftp://x'", "artifacts.url: "),
            ("keep_days = 0", "artifacts.keep_days: "),
            ("keep_days = 3651", "artifacts.keep_days: "),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.starts_with(key), "{error}");
        }
    }
}
