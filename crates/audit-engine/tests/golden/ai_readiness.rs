//! Changes that affect AI assistants and their crawlers.

use crate::{Change, change};

// A change is one line.
#[rustfmt::skip]
pub(crate) const CHANGES: &[Change] = &[
    change("/robots.txt", "ai-train=no", "ai-training=no", &["content-signal-invalid"]),
    change("/robots.txt", "ai-train=no", "ai-train=maybe", &["content-signal-invalid"]),
    change("/robots.txt", "search=yes, ai-train=no", "search=yes,ai-input=yes,ai-train=no", &[]),
    change("/robots.txt", "Content-Signal: search=yes, ai-train=no\n", "", &[]),
    change("/robots.txt", "Content-Signal: search=yes, ai-train=no", "Content-Signal: search=yes, ai-train=no\nContent-Signal: ai-train=yes", &["ai-policy-contradiction"]),
    change("/robots.txt", "User-agent: GoogleOther\nDisallow: /drafts", "User-agent: GPTBot\nDisallow: /", &["ai-training-policy"]),
    change("/robots.txt", "User-agent: GoogleOther\nDisallow: /drafts", "User-agent: CCBot\nDisallow: /drafts", &[]),
    change("/robots.txt", "User-agent: GoogleOther\nDisallow: /drafts", "User-agent: OAI-SearchBot\nDisallow: /", &["ai-search-bot-blocked"]),
    change("/robots.txt", "User-agent: GoogleOther\nDisallow: /drafts", "User-agent: ChatGPT-User\nDisallow: /", &["ai-user-fetcher-blocked"]),
    change("/robots.txt", "User-agent: GoogleOther\nDisallow: /drafts", "User-agent: ChatGPT-User\nDisallow: /cart", &[]),
    change("/robots.txt", "User-agent: GoogleOther\nDisallow: /drafts", "User-agent: PerplexityBot\nDisallow:", &[]),
    // llms.txt.
    change("/llms.txt", "", "HTTP/2 404 Not found\n\n", &["llms-txt-missing"]),
    change("/llms.txt", "# Island Line", "Island Line", &["llms-txt-invalid"]),
    change("/llms.txt", "- [Timetable](https://example.com/timetable): all crossings", "- Timetable: all crossings", &["llms-txt-invalid"]),
    change("/llms.txt", "", "HTTP/2 200 OK\nContent-Type: text/html\n\n<!doctype html><title>Home</title><p>Not a file.", &["llms-txt-invalid"]),
    change("/llms.txt", "https://example.com/timetable", "/timetable", &[]),
    change("/llms.txt", "https://example.com/timetable", "https://example.com/gone", &["llms-txt-broken-links", "link-broken-internal"]).with(&[("/privacy", "href='/contact'>the", "href='/gone'>the")]),
    change("/llms.txt", "text/plain", "text/markdown", &[]),
    change("/llms.txt", "> Two ferries", "Read all with care.\n\n## Boats\n\n> Two ferries", &[]),
    // The text.
    change("/privacy", "</head>", "<link rel='alternate' type='text/markdown' href=''></head>", &["markdown-alternate"]),
    change("/privacy", "</head>", "<link rel='alternate' type='text/markdown' href='/privacy.md'></head>", &[]),
    change("/privacy", "</main>", "</main><div>\n%repeat 40 It rains a lot in the old harbour in spring. \n</div>", &["main-content-extractable"]),
    change("/privacy", "</main>", "</main><aside>\n%repeat 40 It rains a lot in the old harbour in spring. \n</aside>", &[]),
    change("/privacy", "</main>", "</main><div>It rains a lot in the old harbour in spring.</div>", &[]),
    change("/", "\"@type\": \"Organization\"", "\"@type\": \"Thing\"", &[]),
    change("/", "<script type='application/ld+json'>", "<script type='application/json'>", &["structured-entity-missing"]),
    change("/board", "</main>", "<script type='application/json'>\n%repeat 9000 [0000000000000000,0]\n</script></main>", &["token-weight"]),
    change("/privacy", "", "HTTP/2 200 OK\nContent-Type: text/html; charset=utf-8\nContent-Security-Policy: default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\nX-Content-Type-Options: nosniff\n\n<!doctype html><html lang='en'><head><meta charset='utf-8'><meta name='viewport' content='width=device-width'><meta name='description' content='What this site keeps of its visitors, for how long it does so, and whom to ask.'><title>What we know of our visitors</title></head><body><main id='root'></main><script src='/app.5e1d.js'></script></body></html>", &["content-needs-js-suspected", "og-incomplete"]),
    change("/news/third-ferry", "<main id='content'>", "<div id='content'>", &["landmark-main", "semantic-structure"]).with(&[("/news/third-ferry", "</main>", "</div>"), ("/news/third-ferry", "<article>", "<div>"), ("/news/third-ferry", "</article>", "</div>"), ("/news/third-ferry", "<p id='note'>", "<p>\n%repeat 30 It rains a lot in the old harbour in spring. \n</p><p id='note'>")]),
];
