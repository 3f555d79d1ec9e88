//! The score of the MDN HTTP Observatory, computed from a recorded site by its published table
//! (algorithm 6). The engine's own parsers read the policies.

use std::collections::{BTreeMap, BTreeSet};

use audit_engine::gather::{FetchError, FetchErrorKind, Headers, Recording, Request, Response};
use audit_engine::page::ResourceKind;
use audit_engine::policy::cookie::{SameSite, SetCookie};
use audit_engine::policy::csp::{Policy, PolicySource, enforced, is_broad};
use audit_engine::policy::hsts::Hsts;
use audit_engine::policy::referrer::{Declared, declared};
use audit_engine::view::Page;
use url::Url;

/// The origin in the engine's CORS probe.
const FOREIGN: &str = "https://assay-probe.invalid";
const HALF_A_YEAR: u64 = 15_768_000;

/// The score modifier of each result.
pub(crate) const TABLE: [(&str, i32); 67] = [
    ("csp-default-src-none", 10),
    ("csp-no-unsafe", 5),
    ("csp-unsafe-in-style-src-only", 0),
    ("csp-duplicate-directives", 0),
    ("csp-insecure-scheme-passive-only", -10),
    ("csp-unsafe-eval", -10),
    ("csp-unsafe-inline", -20),
    ("csp-insecure-scheme", -20),
    ("csp-invalid", -25),
    ("csp-missing", -25),
    ("csp-report-only", -25),
    ("cookies-secure-with-samesite", 5),
    ("cookies-secure-without-samesite", 0),
    ("cookies-none", 0),
    ("cookies-not-secure-but-hsts", -5),
    ("cookies-session-not-secure-but-hsts", -10),
    ("cookies-not-secure", -20),
    ("cookies-samesite-invalid", -20),
    ("cookies-anticsrf-without-samesite", -20),
    ("cookies-session-not-httponly", -30),
    ("cookies-session-not-secure", -40),
    ("cors-none", 0),
    ("cors-public", 0),
    ("cors-restricted", 0),
    ("cors-reflected-with-credentials", -50),
    ("redirection-all-preloaded", 0),
    ("redirection-to-https", 0),
    ("redirection-no-http", 0),
    ("redirection-off-host", -5),
    ("redirection-first-hop-http", -10),
    ("redirection-not-to-https", -20),
    ("redirection-missing", -20),
    ("redirection-invalid-certificate", -20),
    ("referrer-private", 5),
    ("referrer-missing", 0),
    ("referrer-unsafe", -5),
    ("referrer-invalid", -5),
    ("hsts-preloaded", 5),
    ("hsts-half-a-year", 0),
    ("hsts-shorter", -10),
    ("hsts-missing", -20),
    ("hsts-invalid", -20),
    ("hsts-no-https", -20),
    ("hsts-invalid-certificate", -20),
    ("sri-all", 5),
    ("sri-external", 5),
    ("sri-no-html", 0),
    ("sri-no-scripts", 0),
    ("sri-same-origin", 0),
    ("sri-missing-on-https", -5),
    ("sri-but-not-https", -20),
    ("sri-missing-not-https", -50),
    ("nosniff", 0),
    ("nosniff-missing", -5),
    ("nosniff-invalid", -5),
    ("frames-by-csp", 5),
    ("frames-denied", 5),
    ("frames-allow-from", 0),
    ("frames-missing", -20),
    ("frames-invalid", -20),
    ("corp-same", 10),
    ("corp-cross-origin", 0),
    ("corp-missing", 0),
    ("corp-invalid", -5),
    ("cross-origin-policy-set", 10),
    ("cross-origin-policy-none", 0),
    ("cross-origin-policy-invalid", -5),
];

pub(crate) fn modifier(result: &str) -> i32 {
    let found = TABLE.iter().find(|(known, _)| *known == result);
    found.unwrap_or_else(|| panic!("{result} is no result")).1
}

/// The result of each test.
pub(crate) type Results = BTreeMap<&'static str, &'static str>;

/// Bonuses count only if the score after penalties is ninety points or more.
pub(crate) fn score(results: &Results) -> i32 {
    let modifiers: Vec<i32> = results.values().map(|result| modifier(result)).collect();
    let penalties: i32 = modifiers.iter().filter(|points| **points < 0).sum();
    let bonuses: i32 = modifiers.iter().filter(|points| **points > 0).sum();
    let base = 100 + penalties;
    let total = if base >= 90 { base + bonuses } else { base };
    total.max(0)
}

pub(crate) const fn grade(score: i32) -> &'static str {
    match score / 5 * 5 {
        100.. => "A+",
        90..=95 => "A",
        85 => "A-",
        80 => "B+",
        70..=75 => "B",
        65 => "B-",
        60 => "C+",
        50..=55 => "C",
        45 => "C-",
        40 => "D+",
        30..=35 => "D",
        25 => "D-",
        _ => "F",
    }
}

/// A site's responses, and what browsers know about it in advance.
pub(crate) struct Observed<'a> {
    pub(crate) recording: &'a Recording,
    pub(crate) host: &'a str,
    pub(crate) preloaded: &'a BTreeSet<&'a str>,
}

/// The URLs of a redirect chain and the final response.
struct Followed {
    route: Vec<Url>,
    answer: Result<Response, FetchError>,
}

impl Observed<'_> {
    pub(crate) fn results(&self) -> Results {
        let https = self.follow("https");
        let http = self.follow("http");
        let auto = https.answer.as_ref().or(http.answer.as_ref());
        let auto = auto.expect("one of the two answers");
        let headers = &auto.headers;
        let page = page(auto);
        let hsts = self.hsts(&https.answer);
        BTreeMap::from([
            ("csp", csp(&page)),
            ("cookies", cookies(headers, modifier(hsts) >= 0)),
            ("cors", cors(headers)),
            ("redirection", self.redirection(&http)),
            ("referrer-policy", referrer(&page)),
            ("hsts", hsts),
            ("sri", sri(&page, auto.is_html())),
            ("x-content-type-options", nosniff(headers)),
            ("x-frame-options", frames(headers, &page)),
            ("corp", corp(headers)),
            (
                "coep",
                structured(
                    headers,
                    "cross-origin-embedder-policy",
                    &["require-corp", "credentialless"],
                ),
            ),
            (
                "coop",
                structured(
                    headers,
                    "cross-origin-opener-policy",
                    &[
                        "same-origin",
                        "same-origin-allow-popups",
                        "noopener-allow-popups",
                    ],
                ),
            ),
        ])
    }

    fn follow(&self, scheme: &str) -> Followed {
        let mut url = Url::parse(&format!("{scheme}://{}/", self.host)).unwrap();
        let mut route = Vec::new();
        loop {
            route.push(url.clone());
            let answer = self.recording.answer(&Request::get(url, 1_000_000));
            let next = answer.as_ref().ok().and_then(Response::redirect_target);
            match next.filter(|next| !route.contains(next)) {
                Some(next) => url = next,
                None => return Followed { route, answer },
            }
        }
    }

    fn is_preloaded(&self, host: &str) -> bool {
        self.preloaded.contains(host)
    }

    fn redirection(&self, http: &Followed) -> &'static str {
        let route = &http.route;
        let secure = |url: &Url| url.scheme() == "https";
        let host = |url: &Url| url.host_str().unwrap_or_default().to_owned();
        match &http.answer {
            Err(error) if error.kind == FetchErrorKind::Tls => "redirection-invalid-certificate",
            Err(_) => "redirection-no-http",
            Ok(_) if route.iter().all(|url| self.is_preloaded(&host(url))) => {
                "redirection-all-preloaded"
            }
            Ok(_) if route.len() == 1 => "redirection-missing",
            Ok(_) if !route.last().is_some_and(secure) => "redirection-not-to-https",
            Ok(_) if !secure(&route[1]) => "redirection-first-hop-http",
            Ok(_) if host(&route[0]) != host(&route[1]) => "redirection-off-host",
            Ok(_) => "redirection-to-https",
        }
    }

    fn hsts(&self, https: &Result<Response, FetchError>) -> &'static str {
        let response = match https {
            Ok(_) if self.is_preloaded(self.host) => return "hsts-preloaded",
            Ok(response) => response,
            Err(error) if error.kind == FetchErrorKind::Tls => return "hsts-invalid-certificate",
            Err(_) => return "hsts-no-https",
        };
        let sent: Vec<&str> = response
            .headers
            .get_all("strict-transport-security")
            .collect();
        match (sent.is_empty(), Hsts::parse(&sent.join(", "))) {
            (true, _) => "hsts-missing",
            (_, Err(_)) => "hsts-invalid",
            (_, Ok(hsts)) if hsts.max_age < HALF_A_YEAR => "hsts-shorter",
            (_, Ok(_)) => "hsts-half-a-year",
        }
    }
}

fn page(response: &Response) -> Page {
    let builder = Page::builder().url(response.url.as_str());
    response
        .headers
        .iter()
        .fold(builder, |builder, (name, value)| {
            builder.header(name, value)
        })
        .body(&response.body)
}

type Sources = BTreeSet<String>;

/// The sources that all policies with the directive allow; `None` if no policy has it.
fn allowed(policies: &[Policy], names: &[&str]) -> Option<Sources> {
    names.iter().find_map(|name| {
        let lists = policies
            .iter()
            .filter_map(|policy| policy.directive(name))
            .map(|directive| {
                let sources = directive.sources().iter().map(str::to_ascii_lowercase);
                let mut sources: Sources = sources.collect();
                if sources.is_empty() {
                    sources.insert("'none'".to_owned());
                }
                sources
            });
        lists.reduce(|all, next| {
            let both: Sources = all.intersection(&next).cloned().collect();
            if both.is_empty() {
                Sources::from(["'none'".to_owned()])
            } else {
                both
            }
        })
    })
}

fn with_nonce_or_hash(sources: &Sources) -> bool {
    ["'nonce-", "'sha256-", "'sha384-", "'sha512-"]
        .iter()
        .any(|prefix| sources.iter().any(|source| source.starts_with(prefix)))
}

fn csp(page: &Page) -> &'static str {
    let policies = enforced(page);
    if !policies.iter().any(Policy::is_heeded) {
        let reported = page.headers().has("content-security-policy-report-only");
        return if reported {
            "csp-report-only"
        } else {
            "csp-missing"
        };
    }
    let repeated: Vec<&str> = policies
        .iter()
        .flat_map(|policy| policy.repeated.iter().map(String::as_str))
        .collect();
    let of_reports = |name: &&str| matches!(*name, "report-uri" | "report-to");
    if !repeated.iter().all(of_reports) {
        return "csp-invalid";
    }
    let anywhere = || Sources::from(["*".to_owned()]);
    let list = |names: &[&str]| allowed(&policies, names).unwrap_or_else(anywhere);
    let mut scripts = list(&["script-src", "default-src"]);
    let mut styles = list(&["style-src", "default-src"]);
    let objects = list(&["object-src", "default-src"]);
    for sources in [&mut scripts, &mut styles] {
        if with_nonce_or_hash(sources) {
            sources.remove("'unsafe-inline'");
        }
    }
    if scripts.contains("'strict-dynamic'") {
        if !with_nonce_or_hash(&scripts) {
            return "csp-invalid";
        }
        scripts.retain(|source| {
            !(source.starts_with("http") || source.starts_with("ftp:") || source.starts_with('*'))
                && source != "'self'"
        });
    }
    let broad = |source: &String| is_broad(source);
    let lax =
        |source: &String| is_broad(source) || source == "'unsafe-inline'" || source == "data:";
    if scripts.iter().any(lax) || objects.iter().any(broad) {
        return "csp-unsafe-inline";
    }
    let plain = |source: &String| source.starts_with("http:") || source.starts_with("ftp:");
    let names: BTreeSet<&str> = policies
        .iter()
        .flat_map(|policy| policy.directives.iter().map(|found| found.name.as_str()))
        .collect();
    let active = names
        .iter()
        .filter(|name| !matches!(**name, "img-src" | "media-src" | "script-src"))
        .filter_map(|name| allowed(&policies, &[name]))
        .chain([scripts.clone()])
        .any(|sources| sources.iter().any(plain));
    if page.is_https() && active {
        return "csp-insecure-scheme";
    }
    if scripts
        .union(&styles)
        .any(|source| source == "'unsafe-eval'")
    {
        return "csp-unsafe-eval";
    }
    let passive = ["img-src", "media-src"]
        .iter()
        .filter_map(|name| allowed(&policies, &[name, "default-src"]))
        .any(|sources| sources.iter().any(plain));
    if page.is_https() && passive {
        return "csp-insecure-scheme-passive-only";
    }
    if !repeated.is_empty() {
        return "csp-duplicate-directives";
    }
    if styles.iter().any(lax) {
        return "csp-unsafe-in-style-src-only";
    }
    let only = |sources: Option<Sources>, of: &[&str]| {
        sources.is_some_and(|sources| {
            sources.len() == 1 && of.iter().any(|source| sources.contains(*source))
        })
    };
    let nothing = only(allowed(&policies, &["default-src"]), &["'none'"]);
    let forms = only(allowed(&policies, &["form-action"]), &["'none'", "'self'"]);
    if nothing && forms {
        "csp-default-src-none"
    } else {
        "csp-no-unsafe"
    }
}

fn cookies(headers: &Headers, under_hsts: bool) -> &'static str {
    // From best to worst.
    const ORDER: [&str; 7] = [
        "cookies-not-secure-but-hsts",
        "cookies-not-secure",
        "cookies-session-not-secure-but-hsts",
        "cookies-samesite-invalid",
        "cookies-anticsrf-without-samesite",
        "cookies-session-not-httponly",
        "cookies-session-not-secure",
    ];
    let set: Vec<SetCookie> = headers
        .get_all("set-cookie")
        .filter_map(SetCookie::parse)
        .collect();
    if set.is_empty() {
        return "cookies-none";
    }
    let mut found: Vec<&'static str> = Vec::new();
    for cookie in &set {
        let name = cookie.name.to_ascii_lowercase();
        let session = name.contains("login") || name.contains("sess");
        match cookie.same_site {
            Some(SameSite::Unknown(_)) => found.push("cookies-samesite-invalid"),
            Some(SameSite::None) if !cookie.secure => found.push("cookies-samesite-invalid"),
            None if name.contains("csrf") => found.push("cookies-anticsrf-without-samesite"),
            _ => {}
        }
        match (cookie.secure, session, under_hsts) {
            (true, _, _) => {}
            (false, false, true) => found.push("cookies-not-secure-but-hsts"),
            (false, false, false) => found.push("cookies-not-secure"),
            (false, true, true) => found.push("cookies-session-not-secure-but-hsts"),
            (false, true, false) => found.push("cookies-session-not-secure"),
        }
        if session && !cookie.http_only {
            found.push("cookies-session-not-httponly");
        }
    }
    let place = |result: &&str| ORDER.iter().position(|known| known == result);
    match found.into_iter().max_by_key(place) {
        Some(worst) => worst,
        None if set.iter().all(|cookie| cookie.same_site.is_some()) => {
            "cookies-secure-with-samesite"
        }
        None => "cookies-secure-without-samesite",
    }
}

fn cors(headers: &Headers) -> &'static str {
    let credentials = headers
        .get("access-control-allow-credentials")
        .is_some_and(|value| value.trim().eq_ignore_ascii_case("true"));
    match headers.get("access-control-allow-origin").map(str::trim) {
        None | Some("") => "cors-none",
        Some("*") => "cors-public",
        Some(FOREIGN) if credentials => "cors-reflected-with-credentials",
        Some(_) => "cors-restricted",
    }
}

fn referrer(page: &Page) -> &'static str {
    match declared(page) {
        Declared::Nothing => "referrer-missing",
        Declared::Unknown(_) => "referrer-invalid",
        Declared::Policy(
            "no-referrer" | "same-origin" | "strict-origin" | "strict-origin-when-cross-origin",
        ) => "referrer-private",
        Declared::Policy(_) => "referrer-unsafe",
    }
}

fn sri(page: &Page, is_html: bool) -> &'static str {
    // From best to worst.
    const ORDER: [&str; 4] = [
        "sri-all",
        "sri-but-not-https",
        "sri-missing-on-https",
        "sri-missing-not-https",
    ];
    if !is_html {
        return "sri-no-html";
    }
    if page.html("script").next().is_none() {
        return "sri-no-scripts";
    }
    let mut foreign = false;
    let mut found: Vec<&'static str> = Vec::new();
    let loaded = page
        .resources()
        .iter()
        .filter(|resource| resource.kind == ResourceKind::Script);
    for script in loaded {
        let element = page.element(script.node).unwrap();
        let written = element.attr("src").unwrap_or_default();
        let integrity = element
            .attr("integrity")
            .is_some_and(|hash| !hash.is_empty());
        let of_scheme_of_page = written.starts_with("//");
        let secure = script.url.scheme() == "https" && !of_scheme_of_page;
        if same_domain(&script.url, page.url()) && !of_scheme_of_page {
            if integrity && secure {
                found.push("sri-all");
            }
            continue;
        }
        foreign = true;
        match (integrity, secure) {
            (true, true) => {}
            (true, false) => found.push("sri-but-not-https"),
            (false, true) => found.push("sri-missing-on-https"),
            (false, false) => found.push("sri-missing-not-https"),
        }
    }
    let place = |result: &&str| ORDER.iter().position(|known| known == result);
    match found.into_iter().max_by_key(place) {
        Some(worst) => worst,
        None if foreign => "sri-external",
        None => "sri-same-origin",
    }
}

/// Compares the last two labels, which is enough for these names.
fn same_domain(a: &Url, b: &Url) -> bool {
    let domain = |url: &Url| {
        let host = url.host_str().unwrap_or_default().to_owned();
        let labels: Vec<String> = host.rsplit('.').take(2).map(str::to_owned).collect();
        labels
    };
    domain(a) == domain(b)
}

fn nosniff(headers: &Headers) -> &'static str {
    match headers.get("x-content-type-options") {
        None => "nosniff-missing",
        Some(value) if value.trim().eq_ignore_ascii_case("nosniff") => "nosniff",
        Some(_) => "nosniff-invalid",
    }
}

fn frames(headers: &Headers, page: &Page) -> &'static str {
    let by_csp = enforced(page).iter().any(|policy| {
        policy.source == PolicySource::Header && policy.directive("frame-ancestors").is_some()
    });
    let value = headers
        .get("x-frame-options")
        .map(|value| value.trim().to_ascii_lowercase());
    match value.as_deref() {
        _ if by_csp => "frames-by-csp",
        None => "frames-missing",
        Some("deny" | "sameorigin") => "frames-denied",
        Some(value) if value.starts_with("allow-from") => "frames-allow-from",
        Some(_) => "frames-invalid",
    }
}

fn corp(headers: &Headers) -> &'static str {
    let value = headers
        .get("cross-origin-resource-policy")
        .map(|value| value.trim().to_ascii_lowercase());
    match value.as_deref() {
        None => "corp-missing",
        Some("same-origin" | "same-site") => "corp-same",
        Some("cross-origin") => "corp-cross-origin",
        Some(_) => "corp-invalid",
    }
}

/// A header with a single structured token, which may have parameters.
fn structured(headers: &Headers, name: &str, good: &[&str]) -> &'static str {
    let sent: Vec<&str> = headers.get_all(name).collect();
    let value = sent.join(", ");
    let token = value.split(';').next().unwrap_or_default().trim();
    match token {
        _ if sent.is_empty() => "cross-origin-policy-none",
        "unsafe-none" => "cross-origin-policy-none",
        token if good.contains(&token) => "cross-origin-policy-set",
        _ => "cross-origin-policy-invalid",
    }
}
