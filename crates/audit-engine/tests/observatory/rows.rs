//! Every row of the Observatory's table as a site.

/// How a row's site differs from a site for which every test adds nothing to the score.
#[derive(Clone)]
pub(crate) struct Row {
    /// The Observatory's test.
    pub(crate) test: &'static str,
    /// Its result.
    pub(crate) result: &'static str,
    /// Headers of the https response; these replace the usual headers of the same name.
    pub(crate) headers: &'static [(&'static str, &'static str)],
    /// Headers of the usual response that are omitted.
    pub(crate) without: &'static [&'static str],
    /// The page.
    pub(crate) body: &'static str,
    /// The http response, and further sections.
    pub(crate) http: &'static str,
    /// Whether only http is served.
    pub(crate) over_http: bool,
    /// The https response, if it is not a page.
    pub(crate) https: Option<&'static str>,
    /// Hosts in the HSTS preload list.
    pub(crate) preloaded: &'static [&'static str],
    /// Results of other tests for this site; all others add nothing.
    pub(crate) also: &'static [(&'static str, &'static str)],
    /// The engine's corresponding checks that fail.
    pub(crate) fails: &'static [&'static str],
    /// The reason why the engine differs, if it does.
    pub(crate) differs: Option<&'static str>,
}

pub(crate) const TO_HTTPS: &str = "HTTP/1.1 301 Moved\nLocation: https://example.com/\n";
const FULL: &str = "object-src 'none'; base-uri 'none'; form-action 'self'";

/// A site for which every test of the Observatory adds nothing.
pub(crate) const NEUTRAL: Row = Row {
    test: "",
    result: "",
    headers: &[],
    without: &[],
    body: "<!doctype html><html lang=en><title>Harbour office</title><p>Open from nine to five.",
    http: TO_HTTPS,
    over_http: false,
    https: None,
    preloaded: &[],
    also: &[],
    fails: &[],
    differs: None,
};

const USUAL: [(&str, &str); 5] = [
    ("Content-Type", "text/html; charset=utf-8"),
    (
        "Content-Security-Policy",
        "default-src 'self'; style-src 'unsafe-inline'; object-src 'none'; base-uri 'none'; form-action 'self'",
    ),
    ("Strict-Transport-Security", "max-age=15768000"),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "ALLOW-FROM https://partner.example/"),
];

impl Row {
    /// The site in the text format of recordings.
    pub(crate) fn recording(&self) -> String {
        let usual = USUAL.iter().filter(|(name, _)| {
            !self.without.contains(name) && !self.headers.iter().any(|(other, _)| other == name)
        });
        let headers: String = usual
            .chain(self.headers)
            .filter(|(name, _)| *name != "-")
            .map(|(name, value)| format!("{name}: {value}\n"))
            .collect();
        let page = format!("HTTP/1.1 200 OK\n{headers}\n{}\n", self.body);
        if self.over_http {
            let https = self.https.unwrap_or("FAILS connect");
            return format!(
                "=== http://example.com/\n{page}\n=== https://example.com/\n{https}\n{}",
                self.http
            );
        }
        format!(
            "=== https://example.com/\n{page}\n=== http://example.com/\n{}\n",
            self.http
        )
    }

    const fn new(test: &'static str, result: &'static str) -> Self {
        let mut row = NEUTRAL;
        row.test = test;
        row.result = result;
        row
    }

    const fn headers(mut self, headers: &'static [(&'static str, &'static str)]) -> Self {
        self.headers = headers;
        self
    }

    const fn without(mut self, names: &'static [&'static str]) -> Self {
        self.without = names;
        self
    }

    const fn body(mut self, body: &'static str) -> Self {
        self.body = body;
        self
    }

    const fn http(mut self, answer: &'static str) -> Self {
        self.http = answer;
        self
    }

    const fn preloaded(mut self, hosts: &'static [&'static str]) -> Self {
        self.preloaded = hosts;
        self
    }

    const fn over_http(mut self, https: &'static str) -> Self {
        self.over_http = true;
        self.https = Some(https);
        self.http = "";
        self
    }

    const fn also(mut self, results: &'static [(&'static str, &'static str)]) -> Self {
        self.also = results;
        self
    }

    const fn fails(mut self, checks: &'static [&'static str]) -> Self {
        self.fails = checks;
        self
    }

    const fn differs(mut self, why: &'static str) -> Self {
        self.differs = Some(why);
        self
    }
}

/// The engine's checks that correspond to a test of the Observatory.
pub(crate) fn checks_of(test: &str) -> &'static [&'static str] {
    match test {
        "csp" => &[
            "csp-missing",
            "csp-invalid",
            "csp-unsafe-inline",
            "csp-unsafe-eval",
            "csp-insecure-scheme",
            "csp-weak-fallbacks",
        ],
        "cookies" => &[
            "cookie-not-secure",
            "cookie-not-httponly",
            "cookie-samesite",
            "cookie-prefix-invalid",
        ],
        "cors" => &["cors-credentials-reflected"],
        "redirection" => &["http-no-redirect", "https-missing"],
        "referrer-policy" => &["referrer-policy-unsafe"],
        "hsts" => &["hsts-missing", "hsts-weak", "hsts-invalid", "https-missing"],
        "sri" => &["sri-missing", "mixed-content-active"],
        "x-content-type-options" => &["nosniff-missing"],
        "x-frame-options" => &["clickjacking-unprotected"],
        "coop" => &["coop-missing"],
        "corp" => &["corp-invalid"],
        "coep" => &["coep-invalid"],
        other => panic!("{other} is no test"),
    }
}

const CSP: &str = "Content-Security-Policy";
const HSTS: &str = "Strict-Transport-Security";
const SET: &str = "Set-Cookie";

macro_rules! csp {
    ($result:literal, $policy:expr) => {
        Row::new("csp", $result).headers(&[(CSP, $policy)])
    };
}

macro_rules! cookies {
    ($result:literal, $($cookie:expr),+) => {
        Row::new("cookies", $result).headers(&[$((SET, $cookie)),+])
    };
}

macro_rules! scripts {
    ($result:literal, $markup:expr) => {
        Row::new("sri", $result).body(concat!("<!doctype html><title>x</title>", $markup))
    };
}

pub(crate) fn rows() -> Vec<Row> {
    let mut all = csp_rows();
    all.extend(cookie_rows());
    all.extend(transport_rows());
    all.extend(header_rows());
    all.extend(script_rows());
    all
}

fn csp_rows() -> Vec<Row> {
    let full = |policy: &str| -> &'static str { format!("{policy}; {FULL}").leak() };
    let csp = |result, policy: &str| {
        let headers: &'static [_] = Box::leak(Box::new([(CSP, full(policy))]));
        Row::new("csp", result).headers(headers)
    };
    vec![
        csp("csp-default-src-none", "default-src 'none'"),
        csp("csp-default-src-none", "default-src 'none'; script-src 'self'"),
        csp("csp-no-unsafe", "default-src 'self'"),
        csp!(
            "csp-no-unsafe",
            "default-src 'none'; base-uri 'none'; form-action https://pay.example"
        ),
        csp!("csp-no-unsafe", "default-src 'none'; base-uri 'none'")
            .fails(&["csp-weak-fallbacks"])
            .differs("an open form-action takes a bonus there and is a finding here"),
        csp("csp-no-unsafe", "script-src 'nonce-abc' 'unsafe-inline'; style-src 'self'"),
        csp(
            "csp-no-unsafe",
            "script-src 'nonce-abc' 'strict-dynamic' 'unsafe-inline' 'self' https: http:; style-src 'self'",
        ),
        csp(
            "csp-unsafe-in-style-src-only",
            "default-src 'self'; style-src 'self' 'unsafe-inline'",
        ),
        csp("csp-unsafe-in-style-src-only", "default-src 'self'; style-src https:"),
        csp(
            "csp-duplicate-directives",
            "default-src 'self'; report-uri /a; report-uri /b",
        ),
        csp(
            "csp-insecure-scheme-passive-only",
            "default-src 'self'; img-src http://images.example",
        )
        .fails(&["csp-insecure-scheme"]),
        csp(
            "csp-insecure-scheme-passive-only",
            "default-src 'self'; img-src http://images.example; upgrade-insecure-requests",
        )
        .differs("browsers request https if the policy upgrades requests"),
        csp("csp-unsafe-eval", "default-src 'self'; script-src 'self' 'unsafe-eval'")
            .fails(&["csp-unsafe-eval"]),
        csp("csp-unsafe-eval", "default-src 'self'; style-src 'self' 'unsafe-eval'")
            .differs("browsers apply 'unsafe-eval' only to scripts"),
        csp("csp-unsafe-inline", "default-src 'self'; script-src 'self' 'unsafe-inline'")
            .fails(&["csp-unsafe-inline"]),
        csp("csp-unsafe-inline", "default-src 'self'; script-src 'self' data:")
            .fails(&["csp-unsafe-inline"]),
        csp("csp-unsafe-inline", "default-src 'self'; script-src https:")
            .fails(&["csp-unsafe-inline"]),
        csp("csp-unsafe-inline", "img-src 'self'").fails(&["csp-unsafe-inline"]),
        csp!(
            "csp-unsafe-inline",
            "script-src 'self'; object-src *; base-uri 'none'; form-action 'self'"
        )
        .fails(&["csp-weak-fallbacks"]),
        csp!("csp-unsafe-inline", "script-src 'self'; base-uri 'none'; form-action 'self'")
            .fails(&["csp-weak-fallbacks"]),
        csp("csp-insecure-scheme", "default-src 'self'; script-src http://cdn.example")
            .fails(&["csp-insecure-scheme"]),
        csp("csp-insecure-scheme", "default-src 'self'; frame-src http://maps.example")
            .fails(&["csp-insecure-scheme"]),
        csp("csp-invalid", "default-src 'self'; script-src 'self'; script-src *")
            .fails(&["csp-invalid"]),
        csp("csp-invalid", "default-src 'self'; script-src 'strict-dynamic' https:")
            .fails(&["csp-invalid"]),
        csp("csp-no-unsafe", "default-src 'self'; scripts-src *")
            .fails(&["csp-invalid"])
            .differs("browsers ignore unknown directives"),
        Row::new("csp", "csp-missing").without(&[CSP]).fails(&["csp-missing"]),
        Row::new("csp", "csp-missing")
            .without(&[CSP])
            .body("<meta http-equiv=content-security-policy content=\"frame-ancestors 'none'\"><p>x")
            .fails(&["csp-missing", "csp-invalid"]),
        Row::new("csp", "csp-report-only")
            .without(&[CSP])
            .headers(&[("Content-Security-Policy-Report-Only", "default-src 'self'")])
            .fails(&["csp-missing"]),
        Row::new("csp", "csp-no-unsafe").without(&[CSP]).body(
            "<meta http-equiv=content-security-policy content=\"default-src 'self'; base-uri 'none'; form-action 'self'\"><p>x",
        ),
        // Each further policy adds restrictions.
        Row::new("csp", "csp-no-unsafe").headers(&[
            (CSP, "default-src 'self' 'unsafe-inline'; base-uri 'none'"),
            (CSP, "default-src 'self'; form-action 'self'"),
        ]),
        csp!(
            "csp-no-unsafe",
            "default-src 'self' https:; base-uri 'none', default-src 'self'; form-action 'self'"
        ),
    ]
}

fn cookie_rows() -> Vec<Row> {
    const STRICT: &str = "a=1; Secure; HttpOnly; SameSite=Strict";
    vec![
        cookies!("cookies-secure-with-samesite", STRICT),
        cookies!(
            "cookies-secure-with-samesite",
            "sessionid=1; Secure; HttpOnly; SameSite=Lax",
            "theme=dark; Secure; SameSite=None"
        ),
        cookies!(
            "cookies-secure-without-samesite",
            "theme=dark; Secure",
            STRICT
        ),
        cookies!(
            "cookies-secure-without-samesite",
            "sessionid=1; Secure; HttpOnly"
        )
        .fails(&["cookie-samesite"])
        .differs("a session cookie without SameSite is sent from other sites by some browsers"),
        Row::new("cookies", "cookies-none"),
        cookies!("cookies-not-secure-but-hsts", "theme=dark; SameSite=Lax")
            .fails(&["cookie-not-secure"]),
        cookies!(
            "cookies-session-not-secure-but-hsts",
            "sessionid=1; HttpOnly; SameSite=Lax"
        )
        .fails(&["cookie-not-secure"]),
        cookies!("cookies-not-secure", "theme=dark; SameSite=Lax")
            .without(&[HSTS])
            .also(&[("hsts", "hsts-missing")])
            .fails(&["cookie-not-secure"]),
        cookies!(
            "cookies-samesite-invalid",
            "theme=dark; Secure; SameSite=Maybe"
        )
        .fails(&["cookie-samesite"]),
        cookies!("cookies-samesite-invalid", "theme=dark; Secure; SameSite")
            .fails(&["cookie-samesite"]),
        cookies!("cookies-samesite-invalid", "theme=dark; SameSite=None")
            .fails(&["cookie-not-secure", "cookie-samesite"]),
        cookies!("cookies-anticsrf-without-samesite", "csrftoken=1; Secure")
            .fails(&["cookie-samesite"]),
        cookies!(
            "cookies-session-not-httponly",
            "sessionid=1; Secure; SameSite=Lax"
        )
        .fails(&["cookie-not-httponly"]),
        cookies!(
            "cookies-session-not-httponly",
            "session_csrf=1; Secure; SameSite=Lax"
        )
        .differs("scripts must be able to read CSRF tokens"),
        cookies!(
            "cookies-session-not-secure",
            "login=1; HttpOnly; SameSite=Lax"
        )
        .without(&[HSTS])
        .also(&[("hsts", "hsts-missing")])
        .fails(&["cookie-not-secure"]),
        // The worst cookie decides.
        cookies!(
            "cookies-session-not-secure",
            "login=1; HttpOnly; SameSite=Lax",
            STRICT
        )
        .without(&[HSTS])
        .also(&[("hsts", "hsts-missing")])
        .fails(&["cookie-not-secure"]),
    ]
}

fn transport_rows() -> Vec<Row> {
    let redirection = |result, http| Row::new("redirection", result).http(http);
    let hsts = |result, headers| Row::new("hsts", result).headers(headers);
    vec![
        redirection(
            "redirection-all-preloaded",
            "HTTP/1.1 301 Moved\nLocation: http://www.example.com/\n\n=== http://www.example.com/\nHTTP/1.1 301 Moved\nLocation: https://example.com/\n",
        )
        .preloaded(&["example.com", "www.example.com"])
        .also(&[("hsts", "hsts-preloaded")])
        .fails(&["http-no-redirect"])
        .differs("the engine does not know the HSTS preload list of browsers"),
        redirection("redirection-to-https", TO_HTTPS),
        redirection("redirection-no-http", "FAILS connect"),
        redirection(
            "redirection-off-host",
            "HTTP/1.1 301 Moved\nLocation: https://www.example.com/\n\n=== https://www.example.com/\nHTTP/1.1 301 Moved\nLocation: https://example.com/\n",
        )
        .fails(&["http-no-redirect"]),
        redirection(
            "redirection-first-hop-http",
            "HTTP/1.1 301 Moved\nLocation: http://www.example.com/\n\n=== http://www.example.com/\nHTTP/1.1 301 Moved\nLocation: https://example.com/\n",
        )
        .fails(&["http-no-redirect"]),
        redirection(
            "redirection-not-to-https",
            "HTTP/1.1 301 Moved\nLocation: http://www.example.com/\n\n=== http://www.example.com/\n<p>x",
        )
        .fails(&["http-no-redirect"]),
        redirection("redirection-missing", "<p>x").fails(&["http-no-redirect"]),
        redirection("redirection-missing", "HTTP/1.1 404 Not Found\n\n")
            .differs("a visitor who ends at an error over http sees no page of the site"),
        redirection(
            "redirection-invalid-certificate",
            "HTTP/1.1 301 Moved\nLocation: https://www.example.com/\n\n=== https://www.example.com/\nFAILS tls\n",
        )
        .fails(&["http-no-redirect"]),
        Row::new("redirection", "redirection-missing")
            .without(&[HSTS])
            .over_http("FAILS connect")
            .also(&[("hsts", "hsts-no-https")])
            .fails(&["https-missing"]),
        Row::new("hsts", "hsts-preloaded")
            .preloaded(&["example.com"])
            .also(&[("redirection", "redirection-all-preloaded")]),
        Row::new("hsts", "hsts-preloaded")
            .without(&[HSTS])
            .preloaded(&["example.com"])
            .also(&[("redirection", "redirection-all-preloaded")])
            .fails(&["hsts-missing"])
            .differs("the engine does not know the HSTS preload list of browsers"),
        hsts("hsts-half-a-year", &[(HSTS, "max-age=15768000; includeSubDomains")]),
        hsts("hsts-shorter", &[(HSTS, "max-age=15551999")]).fails(&["hsts-weak"]),
        hsts("hsts-shorter", &[(HSTS, "max-age=15767999")])
            .differs("180 days, the default of several frameworks, are long enough"),
        Row::new("hsts", "hsts-missing").without(&[HSTS]).fails(&["hsts-missing"]),
        hsts("hsts-invalid", &[(HSTS, "includeSubDomains")]).fails(&["hsts-invalid"]),
        hsts("hsts-invalid", &[(HSTS, "max-age=15768000, max-age=15768000")])
            .fails(&["hsts-invalid"]),
        hsts(
            "hsts-invalid",
            &[(HSTS, "max-age=15768000"), (HSTS, "max-age=15768000")],
        )
        .fails(&["hsts-invalid"]),
        Row::new("hsts", "hsts-no-https")
            .without(&[HSTS])
            .over_http("FAILS connect")
            .also(&[("redirection", "redirection-missing")])
            .fails(&["https-missing"]),
        Row::new("hsts", "hsts-invalid-certificate")
            .without(&[HSTS])
            .over_http("FAILS tls")
            .also(&[("redirection", "redirection-missing")])
            .fails(&["https-missing"]),
    ]
}

fn header_rows() -> Vec<Row> {
    const ORIGIN: &str = "Access-Control-Allow-Origin";
    const FRAMES: &str = "X-Frame-Options";
    const NOSNIFF: &str = "X-Content-Type-Options";
    const COOP: &str = "Cross-Origin-Opener-Policy";
    const UNSEPARATED: &str = "information here, of no weight";
    let cors = |result, headers| Row::new("cors", result).headers(headers);
    let referrer = |result, headers| Row::new("referrer-policy", result).headers(headers);
    let frames = |result, headers| Row::new("x-frame-options", result).headers(headers);
    let nosniff = |result, headers| Row::new("x-content-type-options", result).headers(headers);
    let corp = |result, headers| Row::new("corp", result).headers(headers);
    let coep = |result, headers| Row::new("coep", result).headers(headers);
    let coop = |result, headers| Row::new("coop", result).headers(headers);
    vec![
        Row::new("cors", "cors-none"),
        cors("cors-public", &[(ORIGIN, "*")]),
        cors("cors-restricted", &[(ORIGIN, "https://partner.example")]),
        cors("cors-restricted", &[(ORIGIN, "https://assay-probe.invalid")]),
        cors(
            "cors-reflected-with-credentials",
            &[
                (ORIGIN, "https://assay-probe.invalid"),
                ("Access-Control-Allow-Credentials", "true"),
            ],
        )
        .fails(&["cors-credentials-reflected"]),
        referrer("referrer-private", &[("Referrer-Policy", "no-referrer")]),
        referrer("referrer-private", &[("Referrer-Policy", "same-origin")]),
        referrer("referrer-private", &[("Referrer-Policy", "strict-origin")]),
        referrer(
            "referrer-private",
            &[("Referrer-Policy", "strict-origin-when-cross-origin")],
        ),
        // The last known value wins.
        referrer(
            "referrer-private",
            &[("Referrer-Policy", "unsafe-url, no-referrer, of-tomorrow")],
        ),
        Row::new("referrer-policy", "referrer-missing"),
        referrer("referrer-unsafe", &[("Referrer-Policy", "unsafe-url")])
            .fails(&["referrer-policy-unsafe"]),
        referrer("referrer-unsafe", &[("Referrer-Policy", "origin")])
            .fails(&["referrer-policy-unsafe"]),
        referrer("referrer-unsafe", &[("Referrer-Policy", "no-referrer-when-downgrade")])
            .fails(&["referrer-policy-unsafe"]),
        // The page's policy overrides the header's.
        referrer("referrer-unsafe", &[("Referrer-Policy", "no-referrer")])
            .body("<!doctype html><title>x</title><meta name=referrer content=origin-when-cross-origin>")
            .fails(&["referrer-policy-unsafe"]),
        referrer("referrer-invalid", &[("Referrer-Policy", "none")])
            .fails(&["referrer-policy-unsafe"]),
        nosniff("nosniff", &[(NOSNIFF, "NoSniff")]),
        Row::new("x-content-type-options", "nosniff-missing")
            .without(&[NOSNIFF])
            .fails(&["nosniff-missing"]),
        nosniff("nosniff-invalid", &[(NOSNIFF, "sniff")]).fails(&["nosniff-missing"]),
        nosniff("nosniff-invalid", &[(NOSNIFF, "nosniff, nosniff")])
            .differs("browsers use the first value"),
        frames(
            "frames-by-csp",
            &[(CSP, "frame-ancestors 'self'; default-src 'self'; style-src 'unsafe-inline'; object-src 'none'; base-uri 'none'; form-action 'self'")],
        ),
        frames(
            "frames-by-csp",
            &[(CSP, "frame-ancestors *; default-src 'self'; style-src 'unsafe-inline'; object-src 'none'; base-uri 'none'; form-action 'self'")],
        )
        .fails(&["clickjacking-unprotected"])
        .differs("the directive allows every host"),
        frames("frames-denied", &[(FRAMES, "DENY")]),
        frames("frames-denied", &[(FRAMES, "sameorigin")]),
        Row::new("x-frame-options", "frames-allow-from")
            .fails(&["clickjacking-unprotected"])
            .differs("browsers ignore ALLOW-FROM"),
        Row::new("x-frame-options", "frames-missing")
            .without(&[FRAMES])
            .fails(&["clickjacking-unprotected"]),
        Row::new("x-frame-options", "frames-missing")
            .without(&[FRAMES])
            .body("<meta http-equiv=content-security-policy content=\"frame-ancestors 'none'\"><p>x")
            .fails(&["clickjacking-unprotected"]),
        frames("frames-invalid", &[(FRAMES, "ALLOWALL")]).fails(&["clickjacking-unprotected"]),
        corp("corp-same", &[("Cross-Origin-Resource-Policy", "same-origin")]),
        corp("corp-same", &[("Cross-Origin-Resource-Policy", "same-site")]),
        corp("corp-cross-origin", &[("Cross-Origin-Resource-Policy", "cross-origin")]),
        Row::new("corp", "corp-missing"),
        corp("corp-invalid", &[("Cross-Origin-Resource-Policy", "none")])
            .fails(&["corp-invalid"]),
        coep(
            "cross-origin-policy-set",
            &[("Cross-Origin-Embedder-Policy", "require-corp")],
        ),
        coep(
            "cross-origin-policy-set",
            &[("Cross-Origin-Embedder-Policy", "credentialless; report-to=\"x\"")],
        ),
        coep(
            "cross-origin-policy-none",
            &[("Cross-Origin-Embedder-Policy", "unsafe-none")],
        ),
        Row::new("coep", "cross-origin-policy-none"),
        coep(
            "cross-origin-policy-invalid",
            &[("Cross-Origin-Embedder-Policy", "on")],
        )
        .fails(&["coep-invalid"]),
        coop("cross-origin-policy-set", &[(COOP, "same-origin")]),
        coop("cross-origin-policy-set", &[(COOP, "same-origin-allow-popups")]),
        coop("cross-origin-policy-set", &[(COOP, "noopener-allow-popups")]),
        coop("cross-origin-policy-none", &[(COOP, "unsafe-none")])
            .fails(&["coop-missing"])
            .differs(UNSEPARATED),
        Row::new("coop", "cross-origin-policy-none")
            .fails(&["coop-missing"])
            .differs(UNSEPARATED),
        coop("cross-origin-policy-invalid", &[(COOP, "Same-Origin")]).fails(&["coop-missing"]),
        coop(
            "cross-origin-policy-invalid",
            &[(COOP, "same-origin"), (COOP, "same-origin")],
        )
        .fails(&["coop-missing"]),
    ]
}

fn script_rows() -> Vec<Row> {
    vec![
        scripts!(
            "sri-all",
            "<script src=/a.js integrity=sha384-AAAA crossorigin=anonymous></script>"
        ),
        scripts!(
            "sri-external",
            "<script src=https://cdn.example/a.js integrity=sha384-AAAA crossorigin></script>"
        ),
        scripts!(
            "sri-external",
            "<script src=https://cdn.example/a.js integrity=sha384-AAAA></script>"
        )
        .fails(&["sri-missing"])
        .differs("browsers refuse a file of another origin with a hash and without crossorigin"),
        Row::new("sri", "sri-no-scripts"),
        scripts!("sri-same-origin", "<script src=/a.js></script>"),
        scripts!(
            "sri-same-origin",
            "<script src=https://static.example.com/a.js></script>"
        ),
        scripts!(
            "sri-missing-on-https",
            "<script src=https://cdn.example/a.js></script>"
        )
        .fails(&["sri-missing"]),
        scripts!(
            "sri-but-not-https",
            "<script src=http://cdn.example/a.js integrity=sha384-AAAA crossorigin></script>"
        )
        .fails(&["mixed-content-active"]),
        scripts!(
            "sri-but-not-https",
            "<script src=//cdn.example/a.js integrity=sha384-AAAA crossorigin></script>"
        )
        .differs("on a page over https the file comes over https"),
        scripts!(
            "sri-missing-not-https",
            "<script src=http://cdn.example/a.js></script>"
        )
        .fails(&["sri-missing", "mixed-content-active"]),
        scripts!(
            "sri-missing-not-https",
            "<script src=//cdn.example/a.js></script>"
        )
        .fails(&["sri-missing"]),
        // The worst script decides.
        scripts!(
            "sri-missing-on-https",
            "<script src=https://cdn.example/a.js integrity=sha384-AAAA crossorigin></script><script src=https://cdn.example/b.js></script>"
        )
        .fails(&["sri-missing"]),
    ]
}
