//! Where the configuration of a process comes from, so that it can be read again.

use std::path::PathBuf;

use cli::ConfigArgs;

use super::{ConfigError, Flags, Settings, load, show};
use crate::as_text;

/// A file, the environment and the command line. The defaults are built in.
#[derive(Debug, Clone)]
pub(crate) struct ConfigSource {
    file: Option<PathBuf>,
    flags: Flags,
}

impl ConfigSource {
    /// What the command line names.
    pub(crate) fn new(args: &ConfigArgs, flags: Flags) -> Self {
        Self {
            file: args.config.clone(),
            flags,
        }
    }

    /// Reads the configuration.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub(crate) fn load(&self) -> Result<Settings, ConfigError> {
        load(self.file.as_deref(), variables(), self.flags.clone())
    }

    /// Reads the configuration as [`show`] shows it: every setting, without secrets.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub(crate) fn show(&self) -> Result<toml::Table, ConfigError> {
        show(self.file.as_deref(), variables(), self.flags.clone())
    }
}

fn variables() -> impl Iterator<Item = (String, String)> {
    std::env::vars_os().filter_map(as_text)
}
