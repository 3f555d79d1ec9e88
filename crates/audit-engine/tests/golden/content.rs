//! Changes to texts, markup and files.

use crate::{Change, change};

/// A few paragraphs that two pages may share.
macro_rules! article {
    () => {
        "<p>For thirty years two boats have carried everybody who lives on the islands, and everybody who only wants to see them. From the first of May there will be three. The new one is called Meta, after the woman who rowed the mail across before there was an engine in the harbour, and she has room for a hundred people and forty bicycles.</p>\n<p>The Meta was built in a yard up the river, by eleven people and in fourteen months. Her hull is of aluminium, so she is light and needs little, and in the engine room stands a battery as large as a bus. It is filled at night, when the wind blows and nobody else wants the power. A day of crossings takes two thirds of it.</p>\n<p>In summer a ferry will leave every forty minutes instead of every hour. Prices stay as they are until the end of the year. Bicycles travel on the new boat at any time of the day, and prams and wheelchairs get on board without a step. Whoever has a card for ten crossings can use it on all three boats.</p>"
    };
}

const ARTICLE: &str = article!();

/// A page with an article and its own title.
macro_rules! page {
    ($title:literal, $last:literal) => {
        concat!(
            "HTTP/2 200 OK\nContent-Type: text/html; charset=utf-8\nContent-Encoding: br\nContent-Security-Policy: default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\nX-Content-Type-Options: nosniff\n\n<!doctype html><html lang='en'><head><meta charset='utf-8'><meta name='viewport' content='width=device-width'><title>",
            $title,
            "</title><meta name='description' content='",
            $title,
            ", and what there is to be read about it on this page.'></head><body><main><h1>",
            "The yard</h1>",
            article!(),
            "<p>",
            $last,
            "</p><p>Whoever wants to see the yard may come on a Sunday and ask at the gate for Ida.</p></main></body></html>"
        )
    };
}

// A change is one line.
#[rustfmt::skip]
pub(crate) const CHANGES: &[Change] = &[
    change("/privacy", "<p>We set a cookie", "<p>Lorem ipsum dolor sit amet. We set a cookie", &["content-placeholder"]),
    change("/privacy", "<p>We set a cookie", "<p>TODO: write. We set a cookie", &["content-placeholder"]),
    change("/privacy", "<h2>Whom to ask</h2>", "<h2>undefined</h2>", &[]),
    change("/privacy", "<h1>What we know of our visitors</h1>", "<h1>undefined</h1>", &["content-placeholder"]),
    change("/privacy", "<h2>Whom to ask</h2>", "<h2>{{ heading }}</h2>", &["content-placeholder"]),
    change("/privacy", "<h2>Whom to ask</h2>", "<h2 v-text='heading'>{{ heading }}</h2><script src='/vue.min.js' defer></script>", &[]).with(&[("/vue.min.js", "", "HTTP/2 200 OK\nContent-Type: text/javascript\nCache-Control: max-age=604800\nX-Content-Type-Options: nosniff\n\nvue()")]),
    change("/privacy", "<p>We set a cookie", "<p>Whether that is defined or undefined, we set a cookie", &[]),
    change("/privacy", "<p>We set a cookie", "<p><code>TODO: x</code> We set a cookie", &[]),
    change("/privacy", "<p>We set a cookie", "<p>In the cafÃ© we set a cookie", &["content-mojibake"]),
    change("/privacy", "<p>We set a cookie", "<p>It�s a cookie. We set a cookie", &["content-mojibake"]),
    change("/privacy", "<p>We set a cookie", "<p>In São Tomé, “the café” – we set a cookie", &[]),
    change("/news/third-ferry", "<p>For thirty years two boats have carried everybody who lives on the islands, and everybody who only wants to see them. From the first of May there will be three. The new one is called Meta, after the woman who rowed the mail across before there was an engine in the harbour, and she has room for a hundred people and forty bicycles.</p>", "", &["content-thin"]).with(&[("/news/third-ferry", " loading='lazy'", " fetchpriority='high'")]),
    change("/news/third-ferry", "<html lang='en'>", "<html lang='de'>", &["content-language-mismatch"]),
    change("/news/third-ferry", "<html lang='en'>", "<html lang='en-US'>", &[]),
    change("/de/", "<html lang='de'>", "<html lang='en'>", &["content-language-mismatch"]),
    change("/de/", "<html lang='de'>", "<html lang='de-CH'>", &[]),
    change("/ja/", "<html lang='ja'>", "<html lang='zh'>", &["content-language-mismatch"]),
    change("/ja/", "<html lang='ja'>", "<html lang='ja-JP'>", &[]),
    // Ids.
    change("/news/third-ferry", "<h3>What the captain", "<h3 id='yard'>What the captain", &["duplicate-id"]),
    change("/news/third-ferry", "<figure>", "<figure id='a'><span id='a'></span>", &[]),
    // Markup that browsers repair.
    change("/privacy", "<p>We set a cookie", "<div><b>The <i>next</b> one</i></div><p>We set a cookie", &["html-parse-errors"]),
    change("/privacy", "<p>We set a cookie", "<div/><p>We set a cookie", &["html-parse-errors"]),
    change("/privacy", "<p>We set a cookie", "<p class='a' class='b'>We set a cookie", &["html-parse-errors"]),
    change("/timetable", "<caption>Summer</caption>", "<caption>Summer</caption>moved out", &["html-parse-errors"]),
    change("/privacy", "<p>Ask <a", "<p>Ask <a href='/faq'>before <a", &["html-parse-errors"]),
    change("/privacy", "the office</a>.</p>", "the office</a>.", &[]),
    change("/privacy", "<p>We set a cookie", "<br/><p>We set a cookie & more", &[]),
    change("/privacy", "</body>\n</html>", "", &[]),
    change("/privacy", "</main>", "</p></main>", &["html-parse-errors"]),
    change("/privacy", "</main>", "</span></main>", &[]),
    change("/privacy", "</html>", "</html><!-- made in 3 ms -->", &[]),
    change("/privacy", "</html>", "<!-- never closed", &["html-parse-errors"]),
    // Images and files.
    change("/soup.gif", "", "HTTP/2 404 Not found\n\n", &["image-broken"]),
    change("/soup.gif", "", "HTTP/2 403 Forbidden\n\n", &[]),
    change("/soup.gif", "", "HTTP/2 200 OK\nContent-Type: text/html\nCache-Control: max-age=604800\n\n<!doctype html><p>No soup", &["image-broken"]),
    change("/soup.gif", "image/gif", "image/png", &["mime-mismatch"]),
    change("/soup.gif", "image/gif", "IMAGE/GIF; x=1", &[]),
    change("/style.5e1d.css", "text/css", "text/plain", &["mime-mismatch"]),
    change("/app.5e1d.js", "text/javascript", "application/javascript; charset=utf-8", &[]),
    change("/app.5e1d.js", "text/javascript", "text/plain", &["mime-mismatch"]),
    change("/logo.svg", "image/svg+xml", "text/plain", &["mime-mismatch"]),
    change("/icon.svg", "image/svg+xml", "text/plain", &[]),
    // Duplicate content.
    change("/faq", "<h2>Dogs</h2>", ARTICLE, &[]),
    change("/faq", "", page!("Questions about the yard", "And once more, from the yard."), &["content-duplicate-near", "og-incomplete"]).with(&[("/privacy", "", page!("Privacy in the yard", "And once again, from the yard."))]),
    change("/faq", "", page!("Questions about the yard", "From the yard."), &["content-duplicate-exact", "og-incomplete"]).with(&[("/privacy", "", page!("Privacy in the yard", "From the yard."))]),
    change("/privacy", "</main>", "<div>\n%repeat 3000 <div>\n</main>", &["page-truncated", "dom-too-large", "token-weight"]),
];
