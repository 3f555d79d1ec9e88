//! Detects challenge pages that bot protection services return instead of the site's own pages.

use memchr::memmem;

use crate::gather::Response;

/// Longer bodies are not interstitials, regardless of their title.
const MAX_BYTES: usize = 128 * 1024;
/// Interstitials without a known title are shorter than this.
const MAX_UNTITLED_BYTES: usize = 8 * 1024;
/// The title is within these first bytes.
const HEAD_BYTES: usize = 8 * 1024;
/// A page with more links than this has content of its own.
const MAX_LINKS: usize = 5;

/// The title and the marks of one service. A title alone proves nothing: articles are written about such pages.
struct Interstitial {
    service: &'static str,
    /// The beginning of the title, in lower case; none if the title does not identify the service.
    title: Option<&'static str>,
    /// Byte sequences of the body, all of which must occur.
    marks: &'static [&'static str],
}

const KNOWN: [Interstitial; 13] = [
    titled(
        "Cloudflare",
        "just a moment",
        &["/cdn-cgi/challenge-platform/"],
    ),
    titled("Cloudflare", "just a moment", &["_cf_chl_opt"]),
    titled(
        "Cloudflare",
        "attention required! | cloudflare",
        &["cf-error-details"],
    ),
    titled("DDoS-Guard", "ddos-guard", &["ddos-guard/"]),
    titled(
        "Sucuri",
        "you are being redirected",
        &["sucuri_cloudproxy_js"],
    ),
    titled(
        "HUMAN",
        "access to this page has been denied",
        &["px-captcha"],
    ),
    titled(
        "Imperva",
        "pardon our interruption",
        &["onProtectionInitialized"],
    ),
    titled("Amazon", "robot check", &["/errors/validateCaptcha"]),
    titled(
        "Anubis",
        "making sure you're not a bot",
        &["/.within.website/x/cmd/anubis/"],
    ),
    titled(
        "Anubis",
        "making sure you&#39;re not a bot",
        &["/.within.website/x/cmd/anubis/"],
    ),
    untitled("Imperva", &["Incapsula incident ID", "_Incapsula_Resource"]),
    untitled("DataDome", &["captcha-delivery.com", "var dd="]),
    untitled("AWS WAF", &["awsWafCookieDomainList", "AwsWafIntegration"]),
];

/// Titles of other interstitials, in lower case.
const CHALLENGE_TITLES: [&str; 10] = [
    "are you a human",
    "are you a robot",
    "are you human",
    "bot verification",
    "captcha",
    "human verification",
    "one more step",
    "please verify you",
    "security check",
    "verify you are human",
];
/// Marks of CAPTCHA widgets.
const CAPTCHA_MARKS: [&str; 4] = ["g-recaptcha", "h-captcha", "cf-turnstile", "geetest"];

const fn titled(
    service: &'static str,
    title: &'static str,
    marks: &'static [&'static str],
) -> Interstitial {
    Interstitial {
        service,
        title: Some(title),
        marks,
    }
}

const fn untitled(service: &'static str, marks: &'static [&'static str]) -> Interstitial {
    Interstitial {
        service,
        title: None,
        marks,
    }
}

/// The description of the interstitial, if the body is one. At least two signs are required. For ordinary pages
/// only the title is inspected.
pub(super) fn interstitial(response: &Response) -> Option<String> {
    let body: &[u8] = &response.body;
    if body.is_empty() || body.len() > MAX_BYTES || !response.is_html() {
        return None;
    }
    let title = title(body);
    let known = KNOWN.iter().find(|known| {
        let fits = match known.title {
            Some(beginning) => title.starts_with(beginning),
            None => body.len() <= MAX_UNTITLED_BYTES,
        };
        fits && known.marks.iter().all(|mark| holds(body, mark))
    });
    if let Some(known) = known {
        return Some(format!("a challenge page of {}", known.service));
    }
    let is_challenge = CHALLENGE_TITLES
        .iter()
        .any(|question| title.contains(question))
        && CAPTCHA_MARKS.iter().any(|widget| holds(body, widget))
        && memmem::find_iter(body, "<a ").take(MAX_LINKS + 1).count() <= MAX_LINKS;
    is_challenge.then(|| "a CAPTCHA page".to_owned())
}

fn holds(body: &[u8], mark: &str) -> bool {
    memmem::find(body, mark.as_bytes()).is_some()
}

/// The title in lower case, as written; empty if there is none near the beginning.
fn title(body: &[u8]) -> String {
    let head = body.get(..HEAD_BYTES).unwrap_or(body);
    let found = ["<title", "<TITLE"]
        .iter()
        .filter_map(|tag| memmem::find(head, tag.as_bytes()))
        .min();
    let Some(text) = found
        .and_then(|at| head.get(at..))
        .and_then(|tag| after(tag, b'>'))
    else {
        return String::new();
    };
    let end = memchr::memchr(b'<', text).unwrap_or(text.len());
    let text = text.get(..end.min(200)).unwrap_or_default();
    String::from_utf8_lossy(text)
        .trim()
        .to_lowercase()
        .replace('\u{2019}', "'")
}

/// The bytes after the first occurrence of `octet`.
fn after(bytes: &[u8], octet: u8) -> Option<&[u8]> {
    bytes.get(memchr::memchr(octet, bytes)? + 1..)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rstest::rstest;
    use url::Url;

    use super::*;
    use crate::gather::{Headers, HttpVersion};

    fn detected(body: &str) -> Option<String> {
        interstitial(&Response {
            url: Url::parse("https://example.com/").unwrap(),
            status: 200,
            headers: Headers::from_iter([("content-type", "text/html; charset=utf-8")]),
            body: body.to_owned().into(),
            wire_bytes: 0,
            truncated: false,
            version: HttpVersion::Http11,
            time_to_first_byte: Duration::ZERO,
            large_body_permit: None,
        })
    }

    #[rstest]
    #[case(
        "<title>Just a moment...</title><script src=/cdn-cgi/challenge-platform/h/b.js></script>"
    )]
    #[case("<title>Just a moment...</title><script>window._cf_chl_opt={}</script>")]
    #[case("<TITLE>Attention Required! | Cloudflare</TITLE><div id=cf-error-details>x")]
    #[case("<title>DDoS-Guard</title><script src=/.well-known/ddos-guard/js></script>")]
    #[case("<title>You are being redirected...</title><script>sucuri_cloudproxy_js=''</script>")]
    #[case("<title>Access to this page has been denied.</title><div id=px-captcha></div>")]
    #[case(
        "<title>Pardon Our Interruption</title><script>function onProtectionInitialized(){}</script>"
    )]
    #[case("<title>Robot Check</title><form action=/errors/validateCaptcha>")]
    #[case(
        "<title>Making sure you&#39;re not a bot!</title><img src=/.within.website/x/cmd/anubis/a.webp>"
    )]
    #[case(
        "<title>Making sure you\u{2019}re not a bot!</title><img src=/.within.website/x/cmd/anubis/a.webp>"
    )]
    #[case(
        "<iframe src=/_Incapsula_Resource?a=1>Request unsuccessful. Incapsula incident ID: 5</iframe>"
    )]
    #[case(
        "<title>example.com</title><script>var dd={'rt':'c'}</script><script src=https://ct.captcha-delivery.com/c.js></script>"
    )]
    #[case("<script>window.awsWafCookieDomainList=[];AwsWafIntegration.saveReferrer()</script>")]
    #[case("<title>Are you a robot?</title><div class=g-recaptcha></div>")]
    #[case(
        "<title lang=en>\n Security check | Shop</title><div class='h-captcha'></div><a href=/>home</a>"
    )]
    fn an_interstitial_is_told_by_two_signs(#[case] body: &str) {
        assert!(detected(body).is_some(), "{body}");
    }

    #[rstest]
    #[case::a_title_alone("<title>Just a moment...</title><p>A poem.</p>")]
    #[case::an_article(
        "<title>Just a moment: how challenge pages work</title><p>They load a script.</p>"
    )]
    #[case::marks_on_a_page_of_its_own(
        "<title>Shop</title><script src=/cdn-cgi/challenge-platform/scripts/jsd/main.js></script>"
    )]
    #[case::a_form_with_a_captcha(
        "<title>Contact us</title><form><div class=g-recaptcha></div></form>"
    )]
    #[case::an_article_on_captchas("<title>What is a captcha?</title><p>A question.</p>")]
    #[case::an_article_with_a_comment_form(
        "<title>Security check for your car</title><a href=/1>1</a><a href=/2>2</a><a href=/3>3</a>\
         <a href=/4>4</a><a href=/5>5</a><a href=/6>6</a><div class=g-recaptcha></div>"
    )]
    #[case::a_page_of_imperva_customer(
        "<title>Bank</title><script src=/_Incapsula_Resource?SWJIYLWA=1></script>"
    )]
    #[case::an_own_page_about_robots("<title>Robot Check</title><p>We repair robots.</p>")]
    #[case::a_script_named_dd("<script>var dd=new Date()</script>")]
    #[case::nothing("")]
    #[case::a_title_cut_off("<title>Just a moment")]
    fn one_sign_is_none(#[case] body: &str) {
        assert_eq!(detected(body), None, "{body}");
    }

    #[test]
    fn a_long_page_is_no_interstitial() {
        let long = format!(
            "<title>Just a moment...</title>_cf_chl_opt{}",
            " ".repeat(MAX_BYTES)
        );
        assert_eq!(detected(&long), None);
    }
}
