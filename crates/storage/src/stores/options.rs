//! Stored options of runs and sites. They contain only the names of headers, not the values.

use std::collections::BTreeMap;

use domain::run::{AskedOptions, Device, HIDDEN, Mode, RequestHeaders, RunOptions};
use serde::{Deserialize, Serialize};

use crate::database::error::StorageError;
use crate::database::values::{from_json, known, to_json};

/// The options of a run. Fields added after the first version have a default, so older rows can be read.
#[derive(Serialize, Deserialize)]
struct StoredOptions {
    max_pages: u32,
    max_depth: Option<u32>,
    mode: String,
    device: String,
    include: Vec<String>,
    exclude: Vec<String>,
    #[serde(default)]
    headers: Vec<String>,
    #[serde(default)]
    user_agent: Option<String>,
    #[serde(default = "yes")]
    respect_robots: bool,
}

const fn yes() -> bool {
    true
}

pub(crate) fn options_to_json(options: &RunOptions) -> Result<String, StorageError> {
    to_json(&StoredOptions {
        max_pages: options.max_pages,
        max_depth: options.max_depth,
        mode: options.mode.as_str().to_owned(),
        device: options.device.as_str().to_owned(),
        include: options.include.clone(),
        exclude: options.exclude.clone(),
        headers: names(&options.headers),
        user_agent: options.user_agent.clone(),
        respect_robots: options.respect_robots,
    })
}

/// Reads the options; each header has the value [`HIDDEN`].
pub(crate) fn options_from_json(stored: &str) -> Result<RunOptions, StorageError> {
    let stored: StoredOptions = from_json("options", stored)?;
    Ok(RunOptions {
        max_pages: stored.max_pages,
        max_depth: stored.max_depth,
        mode: known("mode", &stored.mode, Mode::named(&stored.mode))?,
        device: known("device", &stored.device, Device::named(&stored.device))?,
        include: stored.include,
        exclude: stored.exclude,
        headers: hidden(stored.headers),
        user_agent: stored.user_agent,
        respect_robots: stored.respect_robots,
    })
}

/// The default options for runs of a site.
#[derive(Serialize, Deserialize)]
#[serde(default)]
#[derive(Default)]
struct StoredDefaults {
    max_pages: Option<u32>,
    max_depth: Option<u32>,
    mode: Option<String>,
    device: Option<String>,
    include: Option<Vec<String>>,
    exclude: Option<Vec<String>>,
    headers: Option<Vec<String>>,
    user_agent: Option<String>,
    respect_robots: Option<bool>,
}

pub(crate) fn defaults_to_json(options: &AskedOptions) -> Result<String, StorageError> {
    to_json(&StoredDefaults {
        max_pages: options.max_pages,
        max_depth: options.max_depth,
        mode: options.mode.map(|mode| mode.as_str().to_owned()),
        device: options.device.map(|device| device.as_str().to_owned()),
        include: options.include.clone(),
        exclude: options.exclude.clone(),
        headers: options.headers.as_ref().map(names),
        user_agent: options.user_agent.clone(),
        respect_robots: options.respect_robots,
    })
}

/// Reads the options; each header has the value [`HIDDEN`].
pub(crate) fn defaults_from_json(stored: &str) -> Result<AskedOptions, StorageError> {
    let stored: StoredDefaults = from_json("options", stored)?;
    let mode = |name: String| known("mode", &name, Mode::named(&name));
    let device = |name: String| known("device", &name, Device::named(&name));
    Ok(AskedOptions {
        max_pages: stored.max_pages,
        max_depth: stored.max_depth,
        mode: stored.mode.map(mode).transpose()?,
        device: stored.device.map(device).transpose()?,
        include: stored.include,
        exclude: stored.exclude,
        headers: stored.headers.map(hidden),
        user_agent: stored.user_agent,
        respect_robots: stored.respect_robots,
    })
}

fn names(headers: &RequestHeaders) -> Vec<String> {
    headers.names().map(str::to_owned).collect()
}

fn hidden(names: Vec<String>) -> RequestHeaders {
    let headers = names.into_iter().map(|name| (name, HIDDEN.to_owned()));
    RequestHeaders::stored(headers.collect::<BTreeMap<_, _>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_the_first_version_are_read() {
        let stored = r#"{"max_pages":5,"max_depth":null,"mode":"static","device":"desktop","include":["/a"],"exclude":[]}"#;
        let expected = RunOptions {
            mode: Mode::Static,
            device: Device::Desktop,
            include: vec!["/a".to_owned()],
            ..RunOptions::with_max_pages(5)
        };
        let read = options_from_json(stored).unwrap();
        assert_eq!(read, expected);
        assert!(read.respect_robots);
    }

    #[test]
    fn defaults_that_say_nothing_are_empty() {
        assert_eq!(defaults_from_json("{}").unwrap(), AskedOptions::default());
        let empty = defaults_to_json(&AskedOptions::default()).unwrap();
        assert_eq!(defaults_from_json(&empty).unwrap(), AskedOptions::default());
    }
}
