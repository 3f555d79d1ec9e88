//! External crates that a crate of the workspace must not use.

use crate::workspace::{Crate, Dependency};

/// The file with the list, named in every message.
const FILE: &str = "xtask/src/tidy/forbidden.rs";

/// A banned dependency of a crate, and the alternative.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ban {
    crate_name: &'static str,
    external: &'static [&'static str],
    instead: &'static str,
}

const SQL: &[&str] = &[
    "diesel",
    "diesel_migrations",
    "libsqlite3-sys",
    "pq-sys",
    "r2d2",
    "rusqlite",
    "sqlx",
];
const WEB_SERVERS: &[&str] = &["actix-cors", "actix-web", "axum", "hyper"];
const NETWORK: &[&str] = &[
    "hickory-resolver",
    "reqwest",
    "tokio",
    "tokio-rustls",
    "ureq",
];

/// What opens outbound connections, for crates that need tokio for something else.
const OUTBOUND: &[&str] = &[
    "awc",
    "hickory-resolver",
    "hyper-util",
    "reqwest",
    "socket2",
    "tokio-rustls",
    "ureq",
];

/// Dependencies that a banned crate may have as an option, which no crate of the product switches on: programs that use
/// the engine as a library write results and reports as they like.
const OPTIONS_OF_LIBRARIES: &[(&str, &str)] = &[("domain", "serde")];

/// The bans. Tests may use what the product may not.
pub(super) const FORBIDDEN: &[Ban] = &[
    ban("domain", SQL, "declare a port; `storage` implements it"),
    ban("domain", WEB_SERVERS, "`api` is the adapter"),
    ban(
        "domain",
        NETWORK,
        "declare a port; the engine implements it",
    ),
    ban(
        "domain",
        &["serde", "serde_json", "toml", "tracing"],
        "wire and file formats belong to `api-types`, `report` and `server`; rules do not log",
    ),
    ban("domain", &["rand", "ulid"], "take ids from the caller"),
    ban(
        "audit-engine",
        SQL,
        "the engine hands its results to its caller",
    ),
    ban(
        "audit-engine",
        WEB_SERVERS,
        "the engine is a client; `egress` holds it",
    ),
    ban("api-types", SQL, "row structs stay inside `storage`"),
    ban("api-types", WEB_SERVERS, "`api` is the adapter"),
    ban("api-types", NETWORK, "wire types have no behavior"),
    ban("client", SQL, "it uses only the HTTP API"),
    ban("client", WEB_SERVERS, "it is a client"),
    ban("mcp", SQL, "tools call the HTTP API"),
    ban("mcp", OUTBOUND, "`client` makes the calls"),
    ban("server", &["rmcp"], "only `mcp::protocol` uses the library"),
    ban("report", SQL, "a report comes in as a value"),
    ban("report", WEB_SERVERS, "bytes go out as a value"),
    ban(
        "report",
        NETWORK,
        "a report comes in as a value, bytes go out as a value",
    ),
    ban("cli", SQL, "call the service over HTTP, or run the engine"),
    ban("cli", WEB_SERVERS, "`server` starts the service"),
    ban("cli", OUTBOUND, "audits go through the engine's egress"),
    ban("storage", WEB_SERVERS, "`api` is the adapter"),
    ban(
        "storage",
        NETWORK,
        "the database's driver has the only connection",
    ),
    ban("api", SQL, "use the stores through `domain::ports`"),
    ban("api", OUTBOUND, "the adapter only serves requests"),
    ban("httpkit", SQL, "use the stores in an adapter"),
    ban("httpkit", OUTBOUND, "it only serves requests"),
    ban(
        "server",
        OUTBOUND,
        "outbound requests go through the engine's egress",
    ),
];

const fn ban(
    crate_name: &'static str,
    external: &'static [&'static str],
    instead: &'static str,
) -> Ban {
    Ban {
        crate_name,
        external,
        instead,
    }
}

/// Forbidden crates among the product's dependencies.
pub(super) fn problems(crates: &[Crate], bans: &[Ban]) -> Vec<String> {
    crates
        .iter()
        .flat_map(|user| {
            let used = user.dependencies.iter().filter(|used| !used.dev);
            let used = used.filter(move |used| !is_option_of_library(user, used));
            used.flat_map(move |used| {
                bans.iter()
                    .filter(|ban| {
                        ban.crate_name == user.name && ban.external.contains(&used.name.as_str())
                    })
                    .map(move |ban| {
                        format!(
                            "`{}` must not depend on `{}`: {} (the ban is in {FILE})",
                            user.name, used.name, ban.instead
                        )
                    })
            })
        })
        .collect()
}

/// Whether a dependency is one of [`OPTIONS_OF_LIBRARIES`].
fn is_option_of_library(user: &Crate, used: &Dependency) -> bool {
    let pair = (user.name.as_str(), used.name.as_str());
    used.optional && OPTIONS_OF_LIBRARIES.contains(&pair)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BANS: &[Ban] = &[ban("domain", &["tokio"], "declare a port")];

    fn user(name: &str, external: &str, dev: bool) -> Vec<Crate> {
        vec![Crate {
            name: name.to_owned(),
            dependencies: vec![Dependency {
                name: external.to_owned(),
                dev,
                optional: false,
            }],
            ..Crate::default()
        }]
    }

    #[test]
    fn a_forbidden_crate_is_named_with_what_to_do_instead() {
        let found = problems(&user("domain", "tokio", false), BANS);
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("`domain` must not depend on `tokio`: declare a port"));
    }

    #[test]
    fn an_option_for_other_programs_is_free() {
        let mut crates = user("domain", "serde", false);
        assert_eq!(
            problems(&crates, &[ban("domain", &["serde"], "no")]).len(),
            1
        );
        crates[0].dependencies[0].optional = true;
        assert!(problems(&crates, &[ban("domain", &["serde"], "no")]).is_empty());
        crates[0].dependencies[0].name = "tokio".to_owned();
        assert_eq!(problems(&crates, BANS).len(), 1);
    }

    #[test]
    fn tests_and_other_crates_are_free() {
        assert!(problems(&user("domain", "tokio", true), BANS).is_empty());
        assert!(problems(&user("server", "tokio", false), BANS).is_empty());
        assert!(problems(&user("domain", "url", false), BANS).is_empty());
    }
}
