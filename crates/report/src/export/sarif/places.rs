//! Where a result was found.
//!
//! The address of a page is written relative to its origin, which the run names once. That is what
//! the standard asks of tools that look at sites (section 3.14.14), and code scanning services refuse
//! a file whose artifacts are on the web.

use std::collections::BTreeMap;

use domain::report::Occurrence;

use super::log::{ArtifactLocation, Location, LogicalLocation, Message, PhysicalLocation, Region};
use super::message;
use crate::export::{SourceFile, SourceFiles};
use crate::limits;
use crate::text::shown;

/// The name of the site's own origin.
const SITE: &str = "SITE";
/// The name of the root of the repository. It has no address here: who reads the file knows where it is.
const REPOSITORY: &str = "%SRCROOT%";

/// The origins of the places shown, by their name, and the files that the site was built from.
pub(super) struct Origins<'a> {
    by_origin: BTreeMap<&'a str, String>,
    sources: Option<&'a SourceFiles>,
}

impl<'a> Origins<'a> {
    /// The origin of the site.
    pub(super) fn new(url: &'a str, sources: Option<&'a SourceFiles>) -> Self {
        let mut by_origin = BTreeMap::new();
        if let Some((origin, _)) = split(url) {
            by_origin.insert(origin, SITE.to_owned());
        }
        Self { by_origin, sources }
    }

    /// Names the origin of a place.
    pub(super) fn add(&mut self, url: &'a str) {
        if let Some((origin, _)) = split(url) {
            let number = self.by_origin.len();
            self.by_origin
                .entry(origin)
                .or_insert_with(|| format!("ORIGIN_{number}"));
        }
    }

    /// The file of an address; none if it is not known.
    fn source(&self, url: &str) -> Option<&SourceFile> {
        self.sources?.get(url)
    }

    fn location(&self, url: &str) -> ArtifactLocation {
        if let Some(file) = self.source(url) {
            return ArtifactLocation {
                uri: relative(&path_escaped(&file.path)),
                uri_base_id: Some(REPOSITORY.to_owned()),
            };
        }
        let named = split(url).and_then(|(origin, path)| {
            let name = self.by_origin.get(origin)?;
            Some((relative(path), name.clone()))
        });
        match named {
            Some((uri, name)) => ArtifactLocation {
                uri,
                uri_base_id: Some(name),
            },
            None => ArtifactLocation {
                uri: escaped(url),
                uri_base_id: None,
            },
        }
    }

    /// What the names mean.
    pub(super) fn named(&self) -> BTreeMap<String, ArtifactLocation> {
        let named = self.by_origin.iter().map(|(origin, name)| {
            let uri = format!("{}/", escaped(origin));
            let uri_base_id = None;
            (name.clone(), ArtifactLocation { uri, uri_base_id })
        });
        named.collect()
    }
}

/// A place; its message tells the address whole.
pub(super) fn location(place: &Occurrence, origins: &Origins<'_>) -> Location {
    let url = shown(&place.url, limits::ADDRESS);
    let snippet = place.snippet.as_deref().map(|snippet| Message {
        text: shown(snippet, limits::SNIPPET),
    });
    let selector = place.selector.as_deref().map(|selector| LogicalLocation {
        fully_qualified_name: shown(selector, limits::ADDRESS),
        kind: "element",
    });
    // The lines are those that the site served.
    let has_lines = origins.source(&place.url).is_none_or(|file| file.is_served);
    Location {
        physical_location: PhysicalLocation {
            artifact_location: origins.location(&place.url),
            region: place
                .line
                .filter(|line| *line > 0 && has_lines)
                .map(|start_line| Region {
                    start_line,
                    snippet,
                }),
        },
        logical_locations: selector.into_iter().collect(),
        message: message(&format!("{url}: {}", shown(&place.message, limits::TEXT))),
    }
}

/// The origin of an address, and its path and query behind the slash; none for one that is not of the
/// web.
fn split(url: &str) -> Option<(&str, &str)> {
    let is_web = ["http://", "https://"]
        .iter()
        .any(|scheme| url.starts_with(scheme));
    let (scheme, rest) = url.split_once("://").filter(|_| is_web)?;
    let host = rest
        .split(['/', '?', '#'])
        .next()
        .filter(|host| !host.is_empty())?;
    let (origin, path) = url.split_at_checked(scheme.len() + 3 + host.len())?;
    Some((origin, path.strip_prefix('/').unwrap_or(path)))
}

/// A path as a reference that cannot be taken for anything else: not empty, without a scheme, and not
/// for another host.
fn relative(path: &str) -> String {
    let first = path.split('/').next().unwrap_or_default();
    if first.is_empty() || first.contains(':') || first.starts_with(['?', '#']) {
        format!("./{}", escaped(path))
    } else {
        escaped(path)
    }
}

/// The path of a file as a part of a URI: what would begin a query, a fragment or an escape is percent-encoded.
fn path_escaped(path: &str) -> String {
    path.replace('%', "%25")
        .replace('?', "%3F")
        .replace('#', "%23")
}

/// The characters that a URI may have (RFC 3986); all others as percent-encoded UTF-8.
fn escaped(url: &str) -> String {
    let mut out = String::with_capacity(url.len());
    let mut fragment = false;
    for byte in url.bytes() {
        match byte {
            b'#' if !fragment => {
                fragment = true;
                out.push('#');
            }
            b'A'..=b'Z'
            | b'a'..=b'z'
            | b'0'..=b'9'
            | b'-'
            | b'.'
            | b'_'
            | b'~'
            | b':'
            | b'/'
            | b'?'
            | b'['
            | b']'
            | b'@'
            | b'!'
            | b'$'
            | b'&'
            | b'\''
            | b'('
            | b')'
            | b'*'
            | b'+'
            | b','
            | b';'
            | b'='
            | b'%' => out.push(char::from(byte)),
            other => out.push_str(&format!("%{other:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::start("https://ferry.example/", "./", "SITE")]
    #[case::page("https://ferry.example/a/b?c=d", "a/b?c=d", "SITE")]
    #[case::query("https://ferry.example/?q=1", "./?q=1", "SITE")]
    #[case::colon("https://ferry.example/a:b", "./a:b", "SITE")]
    #[case::two_slashes("https://ferry.example//evil.example/", ".//evil.example/", "SITE")]
    #[case::other("http://cdn.example:8080/x y.css", "x%20y.css", "ORIGIN_1")]
    fn addresses_are_relative_to_their_origin(
        #[case] url: &str,
        #[case] uri: &str,
        #[case] base: &str,
    ) {
        let mut origins = Origins::new("https://ferry.example/start", None);
        origins.add(url);
        let found = origins.location(url);
        assert_eq!(found.uri, uri);
        assert_eq!(found.uri_base_id.as_deref(), Some(base));
        let named = origins.named();
        assert_eq!(named["SITE"].uri, "https://ferry.example/");
    }

    fn place(url: &str) -> Occurrence {
        Occurrence {
            waiver: None,
            url: url.to_owned(),
            selector: None,
            snippet: None,
            line: Some(7),
            message: "Wrong.".to_owned(),
            artifact: None,
        }
    }

    #[rstest]
    #[case::same_bytes("https://ferry.example/a", "docs/a.html", true, "docs/a.html", Some(7))]
    #[case::fragment(
        "https://ferry.example/a#b",
        "docs/a.html",
        true,
        "docs/a.html",
        Some(7)
    )]
    #[case::other_bytes("https://ferry.example/a", "docs/a.html", false, "docs/a.html", None)]
    #[case::odd_name(
        "https://ferry.example/a",
        "50% #1?.html",
        true,
        "50%25%20%231%3F.html",
        Some(7)
    )]
    #[case::colon("https://ferry.example/a", "a:b.html", true, "./a:b.html", Some(7))]
    fn a_place_is_in_the_file_of_its_address(
        #[case] url: &str,
        #[case] path: &str,
        #[case] is_served: bool,
        #[case] uri: &str,
        #[case] line: Option<u32>,
    ) {
        let file = SourceFile {
            path: path.to_owned(),
            is_served,
        };
        let sources = [("https://ferry.example/a".to_owned(), file)];
        let sources = sources.into_iter().collect();
        let origins = Origins::new("https://ferry.example/", Some(&sources));
        let found = location(&place(url), &origins);
        let artifact = &found.physical_location.artifact_location;
        assert_eq!(artifact.uri, uri);
        assert_eq!(artifact.uri_base_id.as_deref(), Some("%SRCROOT%"));
        let region = found
            .physical_location
            .region
            .map(|region| region.start_line);
        assert_eq!(region, line);
        assert!(
            found.message.text.starts_with(url),
            "{}",
            found.message.text
        );
        // An address without a file is on the site, with the line that it served.
        let other = location(&place("https://ferry.example/b"), &origins);
        let artifact = &other.physical_location.artifact_location;
        assert_eq!(artifact.uri_base_id.as_deref(), Some("SITE"));
        assert!(other.physical_location.region.is_some());
    }

    #[test]
    fn what_is_no_address_is_no_scheme() {
        let found = Origins::new("", None).location("a \"b\u{202e}");
        assert_eq!(found.uri, "a%20%22b%E2%80%AE");
    }
}
