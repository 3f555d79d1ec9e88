//! The layers of the configuration, merged key by key.

use toml::{Table, Value};

use super::ConfigError;
use super::raw::Raw;

/// Layers of the configuration, the later ones on top.
#[derive(Debug, Default)]
pub(super) struct Layers(Table);

impl Layers {
    /// These layers with another one on top. Its settings replace those below. `scoring.weights` is merged weight by
    /// weight; a plan, a list and `egress.resolve` are replaced as a whole.
    pub(super) fn with(mut self, top: &Raw) -> Result<Self, ConfigError> {
        merge(
            &mut self.0,
            Table::try_from(top).map_err(|error| invalid(&error))?,
            "",
        );
        Ok(self)
    }

    /// All layers as one.
    pub(super) fn merged(self) -> Result<Raw, ConfigError> {
        self.0.try_into().map_err(|error| invalid(&error))
    }
}

fn merge(under: &mut Table, top: Table, section: &str) {
    for (key, value) in top {
        let is_merged = section.is_empty() || (section == "scoring" && key == "weights");
        match (under.get_mut(&key), value) {
            (Some(Value::Table(under)), Value::Table(top)) if is_merged => merge(under, top, &key),
            (_, value) => {
                under.insert(key, value);
            }
        }
    }
}

/// Each layer was a configuration of its own before, so only a fault of ours comes here.
fn invalid(error: &dyn std::fmt::Display) -> ConfigError {
    ConfigError::Invalid {
        origin: "the configuration".to_owned(),
        message: error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &str) -> Raw {
        toml::from_str(text).unwrap()
    }

    fn merged(layers: [&str; 2]) -> Table {
        let [under, top] = layers;
        let layers = Layers::default().with(&raw(under)).unwrap();
        let merged = layers.with(&raw(top)).unwrap().merged().unwrap();
        Table::try_from(merged).unwrap()
    }

    #[test]
    fn a_setting_replaces_the_one_below_and_leaves_the_others() {
        let merged = merged([
            "[server]\nlisten = 'a'\nbase_url = 'b'\n[scoring.weights]\nseo = 1\ncontent = 2",
            "[server]\nlisten = 'c'\n[scoring.weights]\nseo = 3",
        ]);
        assert_eq!(merged["server"]["listen"].as_str(), Some("c"));
        assert_eq!(merged["server"]["base_url"].as_str(), Some("b"));
        assert_eq!(merged["scoring"]["weights"]["seo"].as_integer(), Some(3));
        assert_eq!(
            merged["scoring"]["weights"]["content"].as_integer(),
            Some(2)
        );
    }

    #[test]
    fn plans_lists_and_names_are_replaced_whole() {
        let merged = merged([
            "[plans.a]\nsites = 1\nmonthly_runs = 2\n[plans.b]\n[egress]\nallow_targets = ['x', 'y']\n[egress.resolve]\n'q' = '::1'",
            "[plans.a]\nsites = 3\n[egress]\nallow_targets = ['z']\n[egress.resolve]\n'r' = '::1'",
        ]);
        assert_eq!(merged["plans"]["a"]["sites"].as_integer(), Some(3));
        assert!(merged["plans"]["a"].get("monthly_runs").is_none());
        assert!(merged["plans"].get("b").is_some());
        assert_eq!(
            merged["egress"]["allow_targets"].as_array().map(Vec::len),
            Some(1)
        );
        assert!(merged["egress"]["resolve"].get("q").is_none());
    }
}
