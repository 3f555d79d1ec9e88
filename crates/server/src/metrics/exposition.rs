//! The Prometheus text format, for values that are read at scrape time.

use std::fmt::Write;

use super::table::MEASURES;

/// A label and its value.
type Label<'a> = (&'a str, &'a str);

/// A metrics page being built. Label values are constants of this program, so none needs escaping.
pub(super) struct Exposition(String);

impl Exposition {
    /// Starts a page with the recorded metrics.
    pub(super) const fn new(counted: String) -> Self {
        Self(counted)
    }

    /// Adds a metric with one value.
    pub(super) fn one(&mut self, name: &str, labels: &[Label<'_>], value: f64) {
        self.many(name, &[(labels, value)]);
    }

    /// Adds a metric with several values, distinguished by labels.
    pub(super) fn many(&mut self, name: &str, samples: &[(&[Label<'_>], f64)]) {
        let Some(measure) = MEASURES.iter().find(|measure| measure.name == name) else {
            return;
        };
        // Writing to a string does not fail.
        let _ = writeln!(self.0, "# HELP {name} {}", measure.help);
        let _ = writeln!(self.0, "# TYPE {name} {}", measure.kind.name());
        for (labels, value) in samples {
            let labels: Vec<String> = labels
                .iter()
                .map(|(label, value)| format!("{label}=\"{value}\""))
                .collect();
            let _ = match labels.is_empty() {
                true => writeln!(self.0, "{name} {}", shown(*value)),
                false => writeln!(self.0, "{name}{{{}}} {}", labels.join(","), shown(*value)),
            };
        }
        self.0.push('\n');
    }

    /// Returns the complete page.
    pub(super) fn finish(self) -> String {
        self.0
    }
}

/// The value as Prometheus writes it.
fn shown(value: f64) -> String {
    match value.is_infinite() {
        true => "+Inf".to_owned(),
        false => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::table;

    #[test]
    fn a_metric_is_exposed_with_type_and_help() {
        let mut page = Exposition::new(String::new());
        page.one(table::DATABASE_MAX, &[], 16.0);
        page.one(table::BACKUP_GOOD_AGE, &[], f64::INFINITY);
        page.many(
            table::DATABASE_CONNECTIONS,
            &[(&[("state", "in_use")], 1.0), (&[("state", "idle")], 2.5)],
        );
        let text = page.finish();
        for line in [
            "# TYPE assay_database_connections_max gauge",
            "assay_database_connections_max 16",
            "assay_backup_last_good_age_seconds +Inf",
            "assay_database_connections{state=\"in_use\"} 1",
            "assay_database_connections{state=\"idle\"} 2.5",
        ] {
            assert!(text.lines().any(|known| known == line), "{text}");
        }
    }
}
