//! The budget of external dependencies of each product crate, and the crates built without optimization.

use std::collections::BTreeSet;

/// The file with the budgets, named in every message.
const FILE: &str = "xtask/src/tidy/budget.rs";

/// The maximum number of external crates that a crate of the workspace may be built from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Budget {
    /// The crate of the workspace.
    pub(crate) name: &'static str,
    /// The maximum number of external crates.
    pub(crate) most: usize,
}

const fn budget(name: &'static str, most: usize) -> Budget {
    Budget { name, most }
}

/// The budget of each product crate. `docs/build.md` describes the build time; a change that needs a larger budget
/// explains there why.
#[rustfmt::skip]
pub(crate) const BUDGETS: &[Budget] = &[
    budget("domain", 83),
    budget("audit-engine", 228),
    budget("api-types", 16),
    budget("backup", 252),
    budget("client", 110),
    budget("object-storage", 83),
    budget("report", 115),
    budget("storage", 145),
    budget("httpkit", 170),
    budget("dashboard", 212),
    budget("api", 210),
    budget("mcp", 233),
    budget("cli", 274),
    budget("server", 664),
];

/// The exceeded budgets.
pub(super) fn exceeded(counted: &[(&str, usize)]) -> Vec<String> {
    let over = |name: &str, number: usize| {
        let budget = BUDGETS.iter().find(|budget| budget.name == name);
        budget.map_or(0, |budget| budget.most) < number
    };
    counted
        .iter()
        .filter(|(name, number)| over(name, *number))
        .map(|(name, number)| {
            format!(
                "{name} has {number} external dependencies, more than its budget: remove one, or raise the budget in {FILE} and explain it in docs/build.md"
            )
        })
        .collect()
}

/// Names under `[profile.release.package]` without a package: they have no effect.
pub(super) fn unknown_packages(manifest: &str, lock: &str) -> anyhow::Result<Vec<String>> {
    let manifest: toml::Table = toml::from_str(manifest)?;
    let lock: toml::Table = toml::from_str(lock)?;
    let packages = lock.get("package").and_then(toml::Value::as_array);
    let known: BTreeSet<&str> = packages
        .into_iter()
        .flatten()
        .filter_map(|package| package.get("name")?.as_str())
        .collect();
    let profiles = manifest.get("profile").and_then(toml::Value::as_table);
    let mut problems = Vec::new();
    for (profile, settings) in profiles.into_iter().flatten() {
        let named = settings.get("package").and_then(toml::Value::as_table);
        let names = named.into_iter().flat_map(toml::Table::keys);
        for name in names.filter(|name| *name != "*" && !known.contains(name.as_str())) {
            problems.push(format!(
                "Cargo.toml: the profile {profile} names {name}, but there is no such package"
            ));
        }
    }
    Ok(problems)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_crate_too_many_is_a_problem() {
        for budget in BUDGETS {
            assert!(exceeded(&[(budget.name, budget.most)]).is_empty());
            assert_eq!(exceeded(&[(budget.name, budget.most + 1)]).len(), 1);
        }
    }

    #[test]
    fn a_profile_names_packages_that_there_are() {
        let lock = "[[package]]\nname = \"a\"\nversion = \"1.0.0\"\n";
        let manifest = "[profile.release.package]\na.opt-level = 0\nb.opt-level = 0\n\n[profile.dev.package.\"*\"]\ndebug = false\n";
        let problems = unknown_packages(manifest, lock).unwrap();
        assert_eq!(
            problems,
            ["Cargo.toml: the profile release names b, but there is no such package"]
        );
    }
}
