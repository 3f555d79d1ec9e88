//! Who is behind the hosts of third parties, from a dated data file.

use std::sync::LazyLock;

use url::{Host, Url};

use super::party::registrable;

const DATA: &str = include_str!("../../../data/third-parties.tsv");

/// A service, and the hosts of its files, of which each stands for its subdomains as well.
struct Entity {
    name: &'static str,
    hosts: Vec<&'static str>,
}

/// The services of the file.
fn entities() -> &'static [Entity] {
    static ENTITIES: LazyLock<Vec<Entity>> =
        LazyLock::new(|| DATA.lines().filter_map(parse_line).collect());
    &ENTITIES
}

fn parse_line(line: &'static str) -> Option<Entity> {
    if line.starts_with('#') {
        return None;
    }
    let mut fields = line.split('\t');
    Some(Entity {
        name: fields.next().filter(|name| !name.is_empty())?,
        hosts: fields.next()?.split(' ').collect(),
    })
}

/// The name of the service that a host belongs to; else its registrable domain, or the host itself.
pub(crate) fn entity_of(url: &Url) -> &str {
    let Some(Host::Domain(host)) = url.host() else {
        return url.host_str().unwrap_or_default();
    };
    let host = host.trim_end_matches('.');
    let has_host = |entity: &&Entity| entity.hosts.iter().any(|known| is_below(host, known));
    let known = entities().iter().find(has_host);
    known.map_or_else(|| registrable(host).unwrap_or(host), |entity| entity.name)
}

/// Whether the host is this domain or a subdomain of it.
fn is_below(host: &str, domain: &str) -> bool {
    let before = host.strip_suffix(domain);
    before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(
        "https://www.googletagmanager.com/gtag/js?id=G-1",
        "Google Tag Manager"
    )]
    #[case("https://region1.google-analytics.com/g/collect", "Google Analytics")]
    #[case("https://fonts.gstatic.com/s/a.woff2", "Google Fonts")]
    #[case(
        "https://connect.facebook.net/en_US/fbevents.js",
        "Meta Pixel and plugins"
    )]
    #[case("https://cdn.jsdelivr.net/npm/vue", "jsDelivr")]
    #[case("https://cdn.example.co.uk/a.js", "example.co.uk")]
    #[case("https://notvimeo.com/a.js", "notvimeo.com")]
    #[case("https://vimeo.com.example.org/a.js", "example.org")]
    #[case("http://127.0.0.2:80/a.js", "127.0.0.2")]
    fn a_host_is_named_by_its_service_or_its_domain(#[case] url: &str, #[case] expected: &str) {
        assert_eq!(entity_of(&Url::parse(url).unwrap()), expected);
    }

    #[test]
    fn each_host_belongs_to_one_service_and_each_service_has_a_source_and_a_day() {
        let mut seen = HashSet::new();
        let lines: Vec<&str> = DATA.lines().filter(|line| !line.starts_with('#')).collect();
        assert_eq!(lines.len(), entities().len());
        for line in lines {
            let fields: Vec<&str> = line.split('\t').collect();
            let [_, hosts, source, day, note] = fields[..] else {
                panic!("{line}");
            };
            assert!(source.starts_with("https://"), "{line}");
            assert!(
                day.starts_with("20") && day.len() == "2026-11-27".len(),
                "{line}"
            );
            assert!(["", "unconfirmed"].contains(&note), "{line}");
            for host in hosts.split(' ') {
                assert!(seen.insert(host) && host.contains('.'), "{host}");
            }
        }
    }
}
