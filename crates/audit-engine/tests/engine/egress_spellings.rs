//! No spelling of a forbidden target is connected to.
//!
//! The canary listens on 127.0.0.1. Every name resolves to 127.0.0.1 as well, so that a spelling that
//! is parsed as a name also leads there. `{p}` is replaced by the canary's port.

#![allow(clippy::unwrap_used, reason = "a test panics on unexpected results")]

use std::net::Ipv4Addr;
use std::time::Duration;

use audit_engine::egress::{EgressOptions, GuardedFetcher};
use audit_engine::gather::{FetchErrorKind, Fetcher, Request};
use testkit::{Canary, DnsAnswer, DnsServer};
use url::Url;

/// Spellings with which a client without the gates reaches the canary.
const REACHING: &[&str] = &[
    // Octets, bases, and the number of parts
    "http://127.0.0.1:{p}/",
    "http://127.1:{p}/",
    "http://127.0.1:{p}/",
    "http://127.00.000.0001:{p}/",
    "http://0177.0.0.1:{p}/",
    "http://0177.1:{p}/",
    "http://000177.0.0.01:{p}/",
    "http://017700000001:{p}/",
    "http://0x7f.1:{p}/",
    "http://0x7f.0.1:{p}/",
    "http://0x7f.0x0.0x0.0x1:{p}/",
    "http://0X7F.0X0.0X0.0X1:{p}/",
    "http://0x7f000001:{p}/",
    "http://0x007f.0x01:{p}/",
    "http://2130706433:{p}/",
    "http://127.0x1:{p}/",
    "http://127.0x.0x.1:{p}/",
    "http://0x7f.0.00.0x1:{p}/",
    "http://127.0.0.1.:{p}/",
    "http://0x7f.1.:{p}/",
    "http://2130706433.:{p}/",
    // Other digits and dots
    "http://１２７.0.0.1:{p}/",
    "http://１２７．０．０．１:{p}/",
    "http://127。0。0。1:{p}/",
    "http://127｡0｡0｡1:{p}/",
    "http://①②⑦.⓪.⓪.①:{p}/",
    "http://𝟏𝟐𝟕.𝟎.𝟎.𝟏:{p}/",
    "http://𝟙𝟚𝟟.0.0.1:{p}/",
    "http://¹²⁷.⁰.⁰.¹:{p}/",
    "http://₁₂₇.0.0.1:{p}/",
    "http://０ｘ７ｆ.1:{p}/",
    "http://0𝐱7𝐟.1:{p}/",
    // Percent-encoded, and combinations
    "http://%31%32%37.0.0.1:{p}/",
    "http://127%2e0%2E0%2e1:{p}/",
    "http://%30%78%37%66.1:{p}/",
    "http://%EF%BC%91%EF%BC%92%EF%BC%97.0.0.1:{p}/",
    "http://127%E3%80%820%E3%80%820%E3%80%821:{p}/",
    "http://%32%31%33%30%37%30%36%34%33%33:{p}/",
    // Ignored characters
    "http://127.0.0.1\u{ad}:{p}/",
    "http://127.0\u{200b}.0.1:{p}/",
    "http://127.0\u{2060}.0.1:{p}/",
    "http://127.0\u{feff}.0.1:{p}/",
    "http://127.0.0\u{fe0f}.1:{p}/",
    "http://127.0.0%C2%AD.1:{p}/",
    "ht\ntp://127.0.0.1:{p}/",
    "http:\t//127.0.0.1:{p}/",
    "http://12\t7.0.\r\n0.1:{p}/",
    "\u{0}\u{1f} http://127.0.0.1:{p}/\u{1f}",
    // Slashes, schemes, and where the authority ends
    "HTTP://127.0.0.1:{p}/",
    "http:127.0.0.1:{p}/",
    "http:/127.0.0.1:{p}/",
    "http:///127.0.0.1:{p}/",
    "http://////127.0.0.1:{p}/",
    "http:\\\\127.0.0.1:{p}\\",
    "http:/\\127.0.0.1:{p}/",
    "http:\\/127.0.0.1:{p}/",
    "http://127.0.0.1:{p}\\@example.com/",
    "http://127.0.0.1:{p}#@example.com/",
    "http://127.0.0.1:{p}?@example.com/",
    "http://127.0.0.1:{p}/@example.com/",
    "http://127.0.0.1:0{p}/",
    "http://127.0.0.1:0000{p}/",
    "http://127.0.0.1:{p}/../../x?y#z",
    // The unspecified address
    "http://0.0.0.0:{p}/",
    "http://0:{p}/",
    "http://0x0:{p}/",
    "http://00.0x0:{p}/",
    // IPv4 inside IPv6
    "http://[::ffff:127.0.0.1]:{p}/",
    "http://[::FFFF:7F00:1]:{p}/",
    "http://[0:0:0:0:0:ffff:127.0.0.1]:{p}/",
    "http://[0000:0000:0000:0000:0000:ffff:7f00:0001]:{p}/",
    // Names
    "http://localhost:{p}/",
    "http://LocalHost:{p}/",
    "http://localhost.:{p}/",
    "http://ｌｏｃａｌｈｏｓｔ:{p}/",
    "http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:{p}/",
    "http://loc\u{ad}alhost:{p}/",
    "http://%6c%6F%63alhost:{p}/",
    "http://ℒocalhost:{p}/",
    "http://localho\u{17f}t:{p}/",
    "http://printer.local:{p}/",
    "http://printer。local:{p}/",
    "http://a.b.internal:{p}/",
    "http://nas.home.arpa:{p}/",
    "http://nas.home.arpa.:{p}/",
    "http://router.lan:{p}/",
    "http://mail.corp:{p}/",
    "http://app.localhost:{p}/",
    "http://intranet:{p}/",
    "http://rebind.example:{p}/",
    "http://127.0.0.1.example.com:{p}/",
    "http://bücher.example:{p}/",
    "http://xn--bcher-kva.example:{p}/",
];

/// Spellings that do not reach the canary: private networks, metadata services, IPv4 embedded in IPv6,
/// user information, invalid URLs. Many come from the URL Standard's test data.
const OTHERS: &[&str] = &[
    "http://x.onion:{p}/",
    "///127.0.0.1:{p}/",
    "http://[::1]:{p}/",
    "http://[0:0:0:0:0:0:0:1]:{p}/",
    "http://[::0.0.0.1]:{p}/",
    "http://[0::0:1]:{p}/",
    "http://[::]:{p}/",
    "http://[::127.0.0.1]:{p}/",
    "http://[64:ff9b::127.0.0.1]:{p}/",
    "http://[64:ff9b:1::7f00:1]:{p}/",
    "http://[2002:7f00:1::]:{p}/",
    "http://[2002:7f00:0001::1]:{p}/",
    "http://[2001:0:7f00:1::]:{p}/",
    "http://[2001:0:4136:e378:8000:63bf:80ff:fffe]:{p}/",
    "http://[fe80::1]:{p}/",
    "http://[fe80::1%25eth0]:{p}/",
    "http://[fe80::1%eth0]:{p}/",
    "http://[::1%25lo]:{p}/",
    "http://[fd00:ec2::254]:{p}/latest/meta-data/",
    "http://[fc00::1]:{p}/",
    "http://[ff02::1]:{p}/",
    "http://[2001:db8::1]:{p}/",
    "http://[3fff::1]:{p}/",
    "http://[100::1]:{p}/",
    "http://[5f00::1]:{p}/",
    "http://[::ffff:10.0.0.1]:{p}/",
    "http://[::ffff:a9fe:a9fe]:{p}/",
    "http://169.254.169.254:{p}/latest/meta-data/",
    "http://2852039166:{p}/",
    "http://0xa9fea9fe:{p}/",
    "http://0251.0376.0251.0376:{p}/",
    "http://169.16689662:{p}/",
    "http://168.63.129.16:{p}/",
    "http://100.100.100.200:{p}/",
    "http://100.64.0.1:{p}/",
    "http://10.0.0.1:{p}/",
    "http://012.1:{p}/",
    "http://172.16.0.1:{p}/",
    "http://172.31.255.255:{p}/",
    "http://192.168.0.1:{p}/",
    "http://192.168.257:{p}/",
    "http://0xC0A80101:{p}/",
    "http://192.0.0.1:{p}/",
    "http://192.0.2.1:{p}/",
    "http://192.88.99.1:{p}/",
    "http://198.18.0.1:{p}/",
    "http://198.51.100.1:{p}/",
    "http://203.0.113.1:{p}/",
    "http://224.0.0.1:{p}/",
    "http://240.0.0.1:{p}/",
    "http://255.255.255.255:{p}/",
    "http://4294967295:{p}/",
    "http://037777777777:{p}/",
    // User information
    "http://user@127.0.0.1:{p}/",
    "http://user:pass@127.0.0.1:{p}/",
    "http://:pass@127.0.0.1:{p}/",
    "http://example.com@127.0.0.1:{p}/",
    "http://example.com:80@127.0.0.1:{p}/",
    "http://example.com%40@127.0.0.1:{p}/",
    "http://a@b@127.0.0.1:{p}/",
    "http://a:b@c:d@127.0.0.1:{p}/",
    "http:\\\\x@127.0.0.1:{p}/",
    "http://foo:💩@127.0.0.1:{p}/bar",
    "http://::@127.0.0.1@localhost:{p}/",
    // Other schemes
    "ftp://127.0.0.1:{p}/",
    "gopher://127.0.0.1:{p}/_x",
    "file://127.0.0.1/etc/passwd",
    "file:///etc/passwd",
    "ws://127.0.0.1:{p}/",
    "wss://127.0.0.1:{p}/",
    "data:text/html,x",
    "javascript:location='http://127.0.0.1:{p}/'",
    "blob:http://127.0.0.1:{p}/x",
    "view-source:http://127.0.0.1:{p}/",
    "dict://127.0.0.1:{p}/",
    "ldap://127.0.0.1:{p}/",
    "jar:http://127.0.0.1:{p}/!/x",
    "about:blank",
    "mailto:a@127.0.0.1",
    "non-special://127.0.0.1:{p}/",
    // From the URL Standard's test data: IPv4
    "http://1.2.3.4.5:{p}/",
    "http://1.2.3.4.5.:{p}/",
    "http://0..0x300/",
    "http://0..0x300./",
    "http://256.256.256.256:{p}/",
    "http://256.256.256.256.:{p}/",
    "http://4294967296:{p}/",
    "http://0x100000000:{p}/",
    "http://0xffffffff1:{p}/",
    "http://257.0.0.1:{p}/",
    "http://127.0.0.256:{p}/",
    "http://1e2:{p}/",
    "http://0999999999999999999:{p}/",
    "http://foo.0x:{p}/",
    "http://foo.0XFfFfFfFfFfFfFfFfFfAcE123:{p}/",
    "http://0xffff.256.0xff.0:{p}/",
    "http://127.0.0.09:{p}/",
    "http://08:{p}/",
    "http://09.2.3.4:{p}/",
    "http://1.2.3.08:{p}/",
    "http://a.b.c.9:{p}/",
    "http://foo.2.3:{p}/",
    "http://foo.09..:{p}/",
    "http://💩.123:{p}/",
    "http://127..1:{p}/",
    "http://127.0.0.1..:{p}/",
    "http://.127.0.0.1:{p}/",
    "http://%30%78%63%30%2e%30%32%35%30.01:{p}/",
    "http://%30%78%63%30%2e%30%32%35%30.01%2e:{p}/",
    "http://０Ｘｃ０．０２５０．０１:{p}/",
    "http://192.0x00A80001:{p}/",
    "http://192.168.0.1 hello:{p}/",
    "http://127.0.0.1%20:{p}/",
    // IPv6
    "http://[1::2::3]:{p}/",
    "http://[::1.2.3.]:{p}/",
    "http://[::1.2.]:{p}/",
    "http://[::.1.2]:{p}/",
    "http://[::1.]:{p}/",
    "http://[::%31]:{p}/",
    "http://%5B::1]:{p}/",
    "http://[:::1]:{p}/",
    "http://[::127.0.0.0.1]:{p}/",
    "http://[::1.2.3.4x]:{p}/",
    "http://[0:1.2.3.4]:{p}/",
    "http://[0:0:0:0:0:0:0:0:1]:{p}/",
    "http://[www.google.com]:{p}/",
    "http://[127.0.0.1]:{p}/",
    "http://[google.com]",
    "http://[]:{p}/",
    "http://[:]:{p}/",
    "http://[::1:{p}/",
    "http://::1]:{p}/",
    "http://[::1]x:{p}/",
    "http://[::ffff:127.0.0.1%25]:{p}/",
    "http://[::ffff:0127.0.0.1]:{p}/",
    "http://[::ffff:0x7f.1]:{p}/",
    // Invalid hosts
    "http://",
    "http:///",
    "http://:{p}/",
    "http://.:{p}/",
    "http://..:{p}/",
    "http://./",
    "http://a b:{p}/",
    "http://a%20b:{p}/",
    "http://a%00b:{p}/",
    "http://\u{fdd0}zyx.com:{p}/",
    "http://%ef%b7%90zyx.com:{p}/",
    "http://％４１.com:{p}/",
    "http://％００.com:{p}/",
    "http://%zz%66%a.com:{p}/",
    "http://%25:{p}/",
    "http://a<b:{p}/",
    "http://a>b:{p}/",
    "http://a^b:{p}/",
    "http://ab|c:{p}/",
    "http://a%7Cb:{p}/",
    "http://ab%7Fc:{p}/",
    "http://\u{ad}:{p}/",
    "http://%C2%AD:{p}/",
    "http://xn--:{p}/",
    "http://xn--/",
    "http://a.b.c.xn--pokxncvks/",
    "http://XN--a:{p}/",
    "http://ho\tst:{p}/",
    "http://!\"$&'()*+,-.;=_`{}~:{p}/",
    "http://*.localhost:{p}/",
    "http://a$b.localhost:{p}/",
    "http://-:{p}/",
    "http://_:{p}/",
    "http://1.:{p}/",
    "http://www/foo%2Ehtml",
    // Ports
    "http://127.0.0.1:65536/",
    "http://127.0.0.1:99999999999/",
    "http://127.0.0.1:-{p}/",
    "http://127.0.0.1:+{p}/",
    "http://127.0.0.1:{p}x/",
    "http://127.0.0.1: {p}/",
    "http://127.0.0.1:0x50/",
    "http://127.0.0.1:/",
    "http://127.0.0.1:0/",
    "http://127.0.0.1:{p}:80/",
    "http://127.0.0.1:22/",
    "http://127.0.0.1:6379/",
    "http://rebind.example:22/",
    "http://rebind.example:25/",
    "https://127.0.0.1:{p}/",
    "https://rebind.example:{p}/",
    "http://rebind.example/",
    "http://rebind.example:8080/",
];

/// References with which a page at `https://example.com/a/b` may point to the canary.
const REFERENCES: &[&str] = &[
    "//127.0.0.1:{p}/",
    "//127.1:{p}/x",
    "\\\\127.0.0.1:{p}\\x",
    "/\\127.0.0.1:{p}/",
    "\\/127.0.0.1:{p}/",
    "/\t/127.0.0.1:{p}/",
    "/\n\\127.0.0.1:{p}/",
    "  //127.0.0.1:{p}/",
    "http:///127.0.0.1:{p}/",
    "//[::ffff:127.0.0.1]:{p}/",
    "//localhost:{p}/",
    "//１２７.0.0.1:{p}/",
    "//0:{p}/",
];

struct Loopback {
    canary: Canary,
    dns: DnsServer,
}

impl Loopback {
    fn new() -> Self {
        let here = Ipv4Addr::LOCALHOST.into();
        Self {
            canary: Canary::at(here, "canary").unwrap(),
            dns: DnsServer::start(move |_| DnsAnswer::Addresses(vec![here], 0)).unwrap(),
        }
    }

    fn client(&self, allow: &[&str]) -> GuardedFetcher {
        let allow = allow.iter().map(|target| target.parse().unwrap()).collect();
        let mut options = EgressOptions::new(allow, "Assay/1".to_owned());
        options.dns_server = Some(self.dns.address());
        options.total_timeout = Duration::from_secs(5);
        GuardedFetcher::new(options).unwrap()
    }

    /// Parses the text as a URL, or else as a page's reference; `None` if it is neither.
    fn target(&self, text: &str) -> Option<Url> {
        let text = text.replace("{p}", &self.canary.address().port().to_string());
        let page = Url::parse("http://example.com/a/b").unwrap();
        Url::parse(&text).or_else(|_| page.join(&text)).ok()
    }
}

fn all() -> impl Iterator<Item = &'static str> {
    [REACHING, OTHERS, REFERENCES]
        .into_iter()
        .flatten()
        .copied()
}

#[tokio::test]
async fn no_spelling_of_a_forbidden_target_is_connected_to() {
    assert!(all().count() > 60 + 100, "{} spellings", all().count());
    let net = Loopback::new();
    let port = net.canary.address().port();
    // An exception for another address allows its port.
    let strict = net.client(&[]);
    let other = net.client(&[&format!("192.0.2.1:{port}"), "192.0.2.0/24"]);
    for text in all() {
        let Some(url) = net.target(text) else {
            continue;
        };
        for client in [&strict, &other] {
            if url
                .host_str()
                .is_some_and(|host| host.starts_with("192.0.2."))
            {
                continue;
            }
            let error = client.fetch(Request::get(url.clone(), 100)).await;
            let error = error.expect_err(text);
            assert_eq!(error.kind, FetchErrorKind::NotAllowed, "{text}: {error}");
        }
    }
    assert_eq!(net.canary.connections(), 0);
}

/// Counterpart of the test above: without the gates the same spellings reach the canary.
#[tokio::test]
async fn without_the_gates_the_spellings_reach_the_canary() {
    let net = Loopback::new();
    let port = net.canary.address().port();
    let mut lifted = vec!["127.0.0.0/8".to_owned(), "0.0.0.0".to_owned()];
    for text in REACHING {
        if let Some(url::Host::Domain(name)) = net.target(text).unwrap().host() {
            lifted.push(format!("{name}:{port}"));
        }
    }
    let lifted: Vec<&str> = lifted.iter().map(String::as_str).collect();
    let client = net.client(&lifted);
    for text in REACHING.iter().chain(REFERENCES) {
        let url = net.target(text).expect(text);
        let answer = client.fetch(Request::get(url, 100)).await.expect(text);
        assert_eq!(&answer.body[..], b"canary", "{text}");
    }
    assert_eq!(
        net.canary.connections(),
        REACHING.len() + REFERENCES.len(),
        "a connection for each"
    );
}
