//! Only `audit_engine::egress` opens outbound sockets and resolves names.
//!
//! Clippy enforces the ban: each crate's `clippy.toml` lists the functions that open a socket. This rule checks that
//! the lists are complete and that no other source allows the lints.

use anyhow::Context;
use toml::{Table, Value};

use crate::workspace::{Crate, TextFile};

/// The file that holds the lists, named in every problem.
const FILE: &str = "xtask/src/tidy/sockets.rs";

/// What opens a socket or resolves a name, by the crate that has it. A crate must ban what it could
/// call: the standard library's, and those of its dependencies.
const SOCKETS: &[(&str, &[&str])] = &[
    (
        "std",
        &[
            "std::net::TcpStream::connect",
            "std::net::TcpStream::connect_timeout",
            "std::net::UdpSocket::bind",
            "std::net::ToSocketAddrs::to_socket_addrs",
        ],
    ),
    (
        "tokio",
        &[
            "tokio::net::TcpStream::connect",
            "tokio::net::TcpSocket::connect",
            "tokio::net::UdpSocket::bind",
            "tokio::net::lookup_host",
        ],
    ),
    (
        "reqwest",
        &[
            "reqwest::get",
            "reqwest::Client::new",
            "reqwest::ClientBuilder::build",
        ],
    ),
    (
        "hickory-resolver",
        &["hickory_resolver::ResolverBuilder::build"],
    ),
];

/// Crates that are no part of the product's server: development tools, and the client of our own API.
const FREE: &[&str] = &["bench", "client", "testkit", "xtask"];

/// Where sockets are opened.
const EGRESS: &str = "crates/audit-engine/src/egress/";

/// Other product files that lift a list of disallowed methods, each for something else than a socket.
const LIFTED: &[(&str, &str)] = &[
    (
        "crates/audit-engine/src/browser/find.rs",
        "files: whether the program of the browser is a script",
    ),
    (
        "crates/audit-engine/src/browser/memory.rs",
        "files: what the system says of the browser's processes",
    ),
    (
        "crates/audit-engine/src/browser/profile.rs",
        "files: the folder of the browser's profile",
    ),
    (
        "crates/cli/src/audit/write.rs",
        "the clock: a report is dated where it is printed",
    ),
];

/// What lifts the bans when it is allowed or expected: the lints, and the groups that hold them.
const LINTS: [&str; 5] = [
    "clippy::disallowed_methods",
    "clippy::disallowed_types",
    "clippy::style",
    "clippy::all",
    "warnings",
];

/// Incomplete lists, and sources that allow the banned functions.
pub(super) fn problems(crates: &[Crate], sources: &[TextFile]) -> anyhow::Result<Vec<String>> {
    let mut found = Vec::new();
    for user in crates.iter().filter(|user| !is_free(&user.name)) {
        let Some(clippy) = &user.clippy else {
            // Said by the rule for `clippy.toml`.
            continue;
        };
        let clippy: Table = clippy
            .parse()
            .with_context(|| format!("clippy.toml of `{}`", user.name))?;
        found.extend(missing(user, &clippy));
    }
    found.extend(lifted(sources, LIFTED));
    Ok(found)
}

fn is_free(name: &str) -> bool {
    FREE.contains(&name)
}

fn missing(user: &Crate, clippy: &Table) -> Vec<String> {
    let methods = paths(clippy, "disallowed-methods");
    let types = paths(clippy, "disallowed-types");
    let uses = |library: &str| {
        let mut used = user.dependencies.iter().filter(|used| !used.dev);
        library == "std" || used.any(|used| used.name == library)
    };
    SOCKETS
        .iter()
        .filter(|(library, _)| uses(library))
        .flat_map(|(_, sockets)| sockets.iter())
        .filter(|socket| {
            let owner = socket.rsplit_once("::").map_or("", |(owner, _)| owner);
            !methods.contains(socket) && !types.contains(&owner)
        })
        .map(|socket| {
            format!(
                "clippy.toml of `{}` must list `{socket}` among its disallowed methods: \
                 `audit_engine::egress` opens the sockets (the list is in {FILE})",
                user.name
            )
        })
        .collect()
}

fn paths<'a>(clippy: &'a Table, key: &str) -> Vec<&'a str> {
    let entries = clippy.get(key).and_then(Value::as_array);
    entries
        .into_iter()
        .flatten()
        .filter_map(|entry| match entry {
            Value::String(path) => Some(path.as_str()),
            entry => entry.get("path").and_then(Value::as_str),
        })
        .collect()
}

fn lifted(sources: &[TextFile], listed: &[(&str, &str)]) -> Vec<String> {
    let mut found = Vec::new();
    let lifting: Vec<&TextFile> = sources
        .iter()
        .filter(|file| is_product(&file.path) && lifts(&file.text))
        .collect();
    for file in &lifting {
        if !listed.iter().any(|(path, _)| *path == file.path) {
            found.push(format!(
                "{}: allows banned socket functions: use `audit_engine::egress`, or list the file in \
                 {FILE} with what it needs beside sockets",
                file.path
            ));
        }
    }
    for (path, reason) in listed {
        if !lifting.iter().any(|file| file.path == *path) {
            found.push(format!(
                "{FILE} lists {path} as allowing a ban ({reason}), but it does not: remove the line"
            ));
        }
    }
    found
}

/// Sources of the product, but for the guard itself. Tests may do what they like.
fn is_product(path: &str) -> bool {
    let mut parts = path.split('/');
    let (folder, name, kind) = (parts.next(), parts.next(), parts.next());
    folder == Some("crates")
        && kind == Some("src")
        && !name.is_some_and(is_free)
        && !path.starts_with(EGRESS)
}

/// Whether an `allow` or `expect` names one of the lints. It may stand on several lines.
fn lifts(source: &str) -> bool {
    let attributes = source.split("#[").chain(source.split("#![")).skip(1);
    attributes
        .filter_map(|attribute| attribute.split_once(']'))
        .map(|(attribute, _)| attribute)
        .filter(|attribute| attribute.contains("allow(") || attribute.contains("expect("))
        .any(|attribute| {
            attribute
                .split(['(', ')', ',', ' ', '\n'])
                .any(|word| LINTS.contains(&word))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::Dependency;

    fn user(name: &str, uses: &[&str], clippy: &str) -> Vec<Crate> {
        let dependencies = uses.iter().map(|name| Dependency {
            name: (*name).to_owned(),
            dev: false,
            optional: false,
        });
        vec![Crate {
            name: name.to_owned(),
            clippy: Some(clippy.to_owned()),
            dependencies: dependencies.collect(),
            ..Crate::default()
        }]
    }

    /// The problems of a crate, without those of the list of files.
    fn checked(crates: &[Crate]) -> Vec<String> {
        let found = problems(crates, &[]).unwrap();
        let of_crates = found.into_iter().filter(|it| !it.starts_with(FILE));
        of_crates.collect()
    }

    const TYPES: &str = "disallowed-types = ['std::net::TcpStream', 'std::net::UdpSocket']\n\
                         disallowed-methods = ['std::net::ToSocketAddrs::to_socket_addrs']\n";

    #[test]
    fn a_list_that_bans_the_types_is_whole() {
        assert_eq!(checked(&user("report", &[], TYPES)), Vec::<String>::new());
    }

    #[test]
    fn what_a_dependency_could_open_must_be_listed() {
        let found = checked(&user("api", &["tokio"], TYPES));
        assert_eq!(found.len(), 4, "{found:?}");
        assert!(found[0].contains("`tokio::net::TcpStream::connect`"));
        assert!(found[0].contains(FILE));
        assert!(checked(&user("testkit", &["tokio"], "")).is_empty());
    }

    #[test]
    fn a_ban_that_is_missing_is_named() {
        let clippy = "disallowed-methods = [{ path = 'std::net::UdpSocket::bind', reason = 'x' }]";
        let found = checked(&user("cli", &[], clippy));
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(!found.concat().contains("UdpSocket"), "{found:?}");
    }

    fn file(path: &str, text: &str) -> TextFile {
        TextFile {
            path: path.to_owned(),
            text: text.to_owned(),
        }
    }

    #[test]
    fn a_ban_is_lifted_by_the_guard_alone() {
        for text in [
            "#[expect(clippy::disallowed_methods, reason = \"x\")]\nfn f() {}",
            "#[expect(\n    clippy::disallowed_methods,\n    reason = \"x\"\n)]\nfn f() {}",
            "#![allow(clippy::style)]",
            "#[allow(dead_code, clippy::disallowed_types)]\nfn f() {}",
            "#[cfg_attr(not(test), allow(warnings))]\nfn f() {}",
        ] {
            let lifted_in = |path: &str| lifted(&[file(path, text)], &[]);
            let found = lifted_in("crates/server/src/serve/mod.rs");
            assert_eq!(found.len(), 1, "{text}");
            assert!(found[0].starts_with("crates/server/src/serve/mod.rs: "));
            for path in [
                "crates/audit-engine/src/egress/client.rs",
                "crates/audit-engine/tests/engine/egress_dns.rs",
                "crates/testkit/src/dns.rs",
            ] {
                assert!(lifted_in(path).is_empty(), "{path}");
            }
        }
        let fine = "#[expect(clippy::indexing_slicing, reason = \"a list\")]\n// clippy::all";
        assert!(lifted(&[file("crates/api/src/lib.rs", fine)], &[]).is_empty());
        let listed = [("crates/cli/src/audit/write.rs", "the clock")];
        assert!(lifted(&[], &listed)[0].contains("remove the line"));
    }
}
