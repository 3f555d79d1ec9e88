//! Migrations are in two folders under the same names, each has a version of its own, and the table of versions has the last
//! one.

use std::collections::{BTreeMap, BTreeSet};

/// Where migrations live. The folder may be missing.
pub(super) const FOLDER: &str = "migrations";

/// The table of versions, with the last migration of each.
pub(super) const VERSIONS: &str = "docs/operations/versions.md";

const DATABASES: [&str; 2] = ["sqlite", "postgresql"];

/// Migrations that only one database has, that lack a direction, or that have the version of another one.
pub(super) fn problems(paths: &[String]) -> Vec<String> {
    let [sqlite, postgresql] = DATABASES.map(|database| names(paths, database));
    let mut found = Vec::new();
    for name in sqlite.union(&postgresql) {
        for database in DATABASES {
            for file in ["up.sql", "down.sql"] {
                let path = format!("{FOLDER}/{database}/{name}/{file}");
                if !paths.contains(&path) {
                    found.push(format!(
                        "{path} is missing: a migration has the same name and both directions for both databases"
                    ));
                }
            }
        }
    }
    let mut known: BTreeMap<&str, &str> = BTreeMap::new();
    for name in sqlite.union(&postgresql) {
        let version = name.split_once('_').map_or(*name, |(version, _)| version);
        if let Some(other) = known.insert(version, name) {
            found.push(format!(
                "{FOLDER}: {other} and {name} have the same version, so that only one of them runs: rename the later one"
            ));
        }
    }
    found
}

/// The last migration, if the table of versions does not have it.
pub(super) fn unlisted(paths: &[String], versions: &str) -> Option<String> {
    let last = names(paths, DATABASES[0]).pop_last()?;
    (!versions.contains(&format!("`{last}`"))).then(|| {
        format!("{VERSIONS} lacks the schema {last}: write it in the row of the version that is not released yet")
    })
}

fn names<'a>(paths: &'a [String], database: &str) -> BTreeSet<&'a str> {
    paths
        .iter()
        .filter_map(|path| {
            let (folder, rest) = path.strip_prefix("migrations/")?.split_once('/')?;
            let (name, _file) = rest.split_once('/')?;
            (folder == database).then_some(name)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(paths: &[&str]) -> Vec<String> {
        paths.iter().map(|path| (*path).to_owned()).collect()
    }

    #[test]
    fn no_migrations_and_equal_migrations_are_fine() {
        assert!(problems(&[]).is_empty());
        let both = paths(&[
            "migrations/sqlite/1_sites/up.sql",
            "migrations/sqlite/1_sites/down.sql",
            "migrations/postgresql/1_sites/up.sql",
            "migrations/postgresql/1_sites/down.sql",
        ]);
        assert_eq!(problems(&both), Vec::<String>::new());
    }

    #[test]
    fn what_one_side_lacks_is_named() {
        let found = problems(&paths(&[
            "migrations/sqlite/1_sites/up.sql",
            "migrations/sqlite/1_sites/down.sql",
            "migrations/postgresql/1_sites/up.sql",
        ]));
        assert_eq!(found.len(), 1);
        assert!(
            found[0].starts_with("migrations/postgresql/1_sites/down.sql"),
            "{found:?}"
        );
    }

    #[test]
    fn two_migrations_of_one_version_are_named() {
        let all = ["sqlite", "postgresql"].map(|database| {
            ["1_sites", "1_runs"].map(|name| {
                ["up", "down"].map(|way| format!("migrations/{database}/{name}/{way}.sql"))
            })
        });
        let all: Vec<String> = all.into_iter().flatten().flatten().collect();
        let found = problems(&all);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("1_runs and 1_sites"), "{found:?}");
    }

    #[test]
    fn the_table_of_versions_has_the_last_migration() {
        let paths = paths(&[
            "migrations/sqlite/1_sites/up.sql",
            "migrations/sqlite/2_runs/up.sql",
        ]);
        assert_eq!(unlisted(&paths, "| 0.1.0 | `2_runs` |"), None);
        let problem = unlisted(&paths, "| 0.1.0 | `1_sites` |").unwrap();
        assert!(problem.contains("lacks the schema 2_runs"), "{problem}");
        assert_eq!(unlisted(&[], ""), None);
    }
}
