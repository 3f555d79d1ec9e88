//! The edges between the workspace's crates: those that exist are exactly those listed here.

use crate::workspace::Crate;

/// The file with the list, named in every message.
const FILE: &str = "xtask/src/tidy/edges.rs";

/// Who sees an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The product.
    Normal,
    /// Tests alone.
    Dev,
}

/// A crate may depend on another, and why.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    from: &'static str,
    to: &'static str,
    kind: Kind,
    reason: &'static str,
}

const fn normal(from: &'static str, to: &'static str, reason: &'static str) -> Edge {
    Edge {
        from,
        to,
        kind: Kind::Normal,
        reason,
    }
}

const fn dev(from: &'static str, to: &'static str, reason: &'static str) -> Edge {
    Edge {
        from,
        to,
        kind: Kind::Dev,
        reason,
    }
}

/// All allowed edges. Add a new edge here first; the review is about that line.
#[rustfmt::skip]
pub(super) const EDGES: &[Edge] = &[
    normal("api",          "api-types",    "the types of requests and responses"),
    normal("api",          "domain",       "use cases, and ports it asks"),
    normal("api",          "httpkit",      "shared HTTP code: limits, problems, the server"),
    normal("api",          "report",       "the JSON form of a report"),
    normal("audit-engine", "domain",       "dimensions, severities and the gates of targets"),
    normal("backup",       "domain",       "names, states and rules of backups, and the port of object stores"),
    normal("backup",       "object-storage", "tells errors of a store apart from those of a file"),
    normal("backup",       "storage",      "copies, restores and checks the database"),
    normal("bench",        "audit-engine", "the checks whose cost is measured"),
    normal("bench",        "domain",       "the scores whose order is measured"),
    normal("bench",        "testkit",      "the sites whose scores are measured"),
    normal("cli",          "audit-engine", "local audits run the engine in this process"),
    normal("cli",          "api-types",    "prints responses of the service"),
    normal("cli",          "client",       "remote commands call the HTTP API"),
    normal("cli",          "domain",       "scores and allowed targets of local audits"),
    normal("cli",          "report",       "prints the report of a local audit"),
    normal("client",       "api-types",    "the types of requests and responses"),
    normal("dashboard",    "domain",       "calls use cases and stores"),
    normal("dashboard",    "httpkit",      "what both HTTP adapters need: limits, problems, the server"),
    normal("dashboard",    "report",       "the view of a report that its pages show"),
    normal("httpkit",      "api-types",    "the body of a problem, which clients also read"),
    normal("httpkit",      "domain",       "clock, ids, the subjects of limits, and errors as problems"),
    normal("mcp",          "api-types",    "the types of its tools are those of the API"),
    normal("mcp",          "client",       "every tool calls the HTTP API"),
    normal("mcp",          "report",       "formats untrusted text for a model"),
    normal("object-storage", "domain",     "implements the port of object stores"),
    normal("report",       "api-types",    "the JSON form of a report is the wire form"),
    normal("report",       "domain",       "the report that is rendered"),
    normal("server",       "api",          "the service serves the HTTP API"),
    normal("server",       "dashboard",    "the service serves the pages"),
    normal("server",       "httpkit",      "serves connections, sets limits of callers and measures requests"),
    normal("server",       "storage",      "the service keeps its data, and administration works on it"),
    normal("server",       "audit-engine", "wires the engine and its egress settings"),
    normal("server",       "backup",       "makes scheduled backups, and restores them"),
    normal("server",       "object-storage", "opens the store that the configuration names"),
    normal("server",       "mcp",          "the service serves MCP over HTTP, and the binary over stdio"),
    normal("server",       "client",       "the address and the key that MCP tools call with"),
    normal("server",       "cli",          "the binary hands its arguments to the command line"),
    normal("server",       "report",       "briefs and PDFs are made in this process"),
    normal("server",       "domain",       "the use cases of administration and of workers, plans and targets from the configuration"),
    normal("storage",      "domain",       "the ports it implements"),
    normal("testkit",      "audit-engine", "the replaying fetcher implements the engine's port"),
    normal("testkit",      "domain",       "its samples, clock and ids"),
    normal("xtask",        "api",          "the API whose documents are generated"),
    normal("xtask",        "audit-engine", "the catalogue that documentation is generated from"),
    normal("xtask",        "mcp",          "the tools that docs/agents.md lists"),
    normal("xtask",        "domain",       "dimensions and their folders"),
    dev("api",             "storage",      "routes are tested over the stores"),
    dev("api",             "testkit",      "sample results, a fixed clock, sequential ids"),
    dev("audit-engine",    "domain",       "results and reports are tried as JSON, which only tests and other programs need"),
    dev("audit-engine",    "testkit",      "integration tests replay sites and talk to a hostile server"),
    dev("backup",          "storage",      "backs up databases made for tests"),
    dev("backup",          "testkit",      "sample organizations, sequential ids"),
    dev("client",          "testkit",      "the client is tried on a server on loopback"),
    dev("dashboard",       "storage",      "pages are tested over the stores"),
    dev("dashboard",       "testkit",      "sample results, a fixed clock, sequential ids"),
    dev("domain",          "storage",      "the use cases run over the stores"),
    dev("domain",          "testkit",      "sample results, a fixed clock, sequential ids"),
    dev("httpkit",         "testkit",      "a fixed clock, sequential ids"),
    dev("mcp",             "testkit",      "the tools are tried on a server on loopback"),
    dev("object-storage",  "storage",      "runs whose pictures a store keeps, or fails to keep"),
    dev("object-storage",  "testkit",      "a server on loopback that has faults"),
    dev("report",          "audit-engine", "prompts are written from what the engine finds on a hostile site"),
    dev("report",          "testkit",      "the hostile site is replayed"),
    dev("server",          "storage",      "the threads of workers are tried on databases made for tests"),
    dev("server",          "testkit",      "the real binary audits a site on loopback"),
    dev("storage",         "storage",      "its contract runs on databases made for tests"),
    dev("storage",         "testkit",      "sample results, sequential ids, a PostgreSQL server"),
];

/// Edges that are not listed, and listed edges that do not exist.
pub(super) fn problems(crates: &[Crate], listed: &[Edge]) -> Vec<String> {
    let mut found = Vec::new();
    let existing: Vec<(&str, &str, Kind)> = crates
        .iter()
        .flat_map(|from| internal_edges(from, crates))
        .collect();
    for (from, to, kind) in &existing {
        if !listed
            .iter()
            .any(|edge| (edge.from, edge.to, edge.kind) == (*from, *to, *kind))
        {
            found.push(format!(
                "`{from}` depends on `{to}`{}, but {FILE} does not list that edge: remove the dependency, or add the edge with its reason",
                in_tests(*kind),
            ));
        }
    }
    for edge in listed {
        if !existing.contains(&(edge.from, edge.to, edge.kind)) {
            found.push(format!(
                "{FILE} lists that `{}` depends on `{}`{} ({}), but it does not: remove the line",
                edge.from,
                edge.to,
                in_tests(edge.kind),
                edge.reason,
            ));
        }
    }
    found
}

fn internal_edges<'a>(
    from: &'a Crate,
    crates: &'a [Crate],
) -> impl Iterator<Item = (&'a str, &'a str, Kind)> {
    from.dependencies
        .iter()
        .filter(|dependency| crates.iter().any(|known| known.name == dependency.name))
        .map(|dependency| {
            let kind = if dependency.dev {
                Kind::Dev
            } else {
                Kind::Normal
            };
            (from.name.as_str(), dependency.name.as_str(), kind)
        })
}

const fn in_tests(kind: Kind) -> &'static str {
    match kind {
        Kind::Normal => "",
        Kind::Dev => " in its tests",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::Dependency;

    fn crates(edges: &[(&str, &str, bool)]) -> Vec<Crate> {
        ["api", "domain", "storage"]
            .map(|name| Crate {
                name: name.to_owned(),
                dependencies: edges
                    .iter()
                    .filter(|(from, ..)| *from == name)
                    .map(|(_, to, dev)| Dependency {
                        name: (*to).to_owned(),
                        dev: *dev,
                        optional: false,
                    })
                    .collect(),
                ..Crate::default()
            })
            .to_vec()
    }

    #[test]
    fn listed_edges_and_external_crates_are_fine() {
        let crates = crates(&[("api", "domain", false), ("api", "serde", false)]);
        let listed = [normal("api", "domain", "use cases")];
        assert_eq!(problems(&crates, &listed), Vec::<String>::new());
    }

    #[test]
    fn an_edge_that_is_not_listed_names_both_crates_and_the_file() {
        let found = problems(&crates(&[("api", "storage", false)]), &[]);
        let [problem] = found.as_slice() else {
            panic!("{found:?}");
        };
        assert!(problem.contains("`api` depends on `storage`"), "{problem}");
        assert!(problem.contains(FILE), "{problem}");
    }

    #[test]
    fn a_listed_edge_that_does_not_exist_is_stale() {
        let listed = [normal("api", "domain", "use cases")];
        let found = problems(&crates(&[]), &listed);
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("remove the line"), "{found:?}");
    }

    #[test]
    fn an_edge_of_tests_is_not_an_edge_of_the_product() {
        let listed = [dev("api", "storage", "contract tests")];
        assert!(problems(&crates(&[("api", "storage", true)]), &listed).is_empty());
        assert_eq!(
            problems(&crates(&[("api", "storage", false)]), &listed).len(),
            2
        );
    }
}
