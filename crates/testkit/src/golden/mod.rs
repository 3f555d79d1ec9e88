//! A clean site for tests and measurements: a page of every kind, on which no check fails.
//!
//! [`GoldenSite::clean`] builds it, [`GoldenSite::edit`] puts a defect into it, and its [`Display`] is the text
//! that `audit_engine::gather::Recording::parse` reads.
//!
//! ```
//! use audit_engine::gather::Recording;
//! use testkit::golden::GoldenSite;
//!
//! let mut site = GoldenSite::clean();
//! site.edit("/privacy", " lang='en'", "")?;
//! Recording::parse(&site.to_string())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod template;
#[cfg(test)]
mod tests;

use std::fmt::{self, Display};

/// The pages: a title, a description and other differences, and the main content.
const PAGES: &str = include_str!("site.txt");

/// Responses that are not pages.
const ANSWERS: &str = include_str!("answers.txt");

/// Images by URL path: width and height in pixels.
const IMAGES: [(&str, u16, u16); 9] = [
    ("/hero.gif", 1100, 630),
    ("/alma.gif", 600, 400),
    ("/meta.gif", 600, 400),
    ("/map.gif", 600, 400),
    ("/plan.gif", 600, 400),
    ("/small.gif", 200, 150),
    ("/soup.gif", 200, 150),
    ("/wave.gif", 300, 20),
    ("/send.gif", 40, 40),
];

/// Pages in the menu of every page.
const MENU: [&str; 8] = [
    "/",
    "/news/",
    "/timetable",
    "/shop/day-ticket",
    "/gallery",
    "/faq",
    "/contact",
    "/privacy",
];

const HEADERS: &str = "HTTP/2 200 OK
Content-Type: text/html; charset=utf-8
Content-Encoding: br
Cache-Control: no-cache
Strict-Transport-Security: max-age=31536000; includeSubDomains
Content-Security-Policy: default-src 'self'; script-src 'self' https://cdn.example.net; style-src 'self'; frame-src https://maps.example.net; object-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'
X-Content-Type-Options: nosniff
X-Frame-Options: DENY
Referrer-Policy: strict-origin-when-cross-origin
Permissions-Policy: camera=(), microphone=()
Cross-Origin-Opener-Policy: same-origin
Server: nginx
Set-Cookie: __Host-session=1; Path=/; Secure; HttpOnly; SameSite=Lax
Set-Cookie: theme=light; Secure; SameSite=Lax
";

const ERROR_PAGE: &str = "HTTP/2 404 Not Found
Content-Type: text/html; charset=utf-8
X-Content-Type-Options: nosniff

<!doctype html><html lang='en'><head><meta charset='utf-8'><meta name='viewport' content='width=device-width'><meta name='description' content='There is no page at this address of the site; the menu leads to all that there are.'><title>There is no such page – Island Line</title></head><body><main><h1>Not found</h1><p>We looked everywhere for this page.</p></main></body></html>
";

/// The site as sections of a recording: a path each, and the response to a request for it.
#[derive(Debug, Clone)]
pub struct GoldenSite {
    sections: Vec<(String, String)>,
}

impl GoldenSite {
    /// The site without findings.
    #[must_use]
    pub fn clean() -> Self {
        Self::assemble(PAGES, ANSWERS, &MENU, &["/", "/de/", "/news/"])
    }

    /// A site without findings of this number of pages, at least one, all made from one template.
    ///
    /// The same number gives the same bytes, and the texts differ from page to page. The first page is `/`.
    #[must_use]
    pub fn of_pages(pages: u32) -> Self {
        let entity = sections(PAGES)
            .next()
            .map(|(path, text)| Text::read(path, text).head)
            .unwrap_or_default();
        let entity = entity.lines().find(|line| line.starts_with("<script"));
        let text = template::pages(pages.max(1), entity.unwrap_or_default());
        let paths: Vec<&str> = sections(&text).map(|(path, _)| path).collect();
        let menu: Vec<&str> = paths.iter().take(MENU.len()).copied().collect();
        // The other responses name pages that this site does not have.
        let answers = ANSWERS
            .replace("https://example.com/timetable", "https://example.com/")
            .replace(
                "https://example.com/news/third-ferry",
                "https://example.com/",
            );
        Self::assemble(&text, &answers, &menu, &["/", template::FOLDER])
    }

    fn assemble(pages: &str, answers: &str, menu: &[&str], folders: &[&str]) -> Self {
        let pages: Vec<Text<'_>> = sections(pages)
            .map(|(path, text)| Text::read(path, text))
            .collect();
        let menu: String = pages
            .iter()
            .filter(|page| menu.contains(&page.path))
            .map(Text::entry)
            .collect();
        let mut sections: Vec<(String, String)> = pages
            .iter()
            .map(|page| (page.path.to_owned(), page.to_html(&menu)))
            .chain(sections(answers).map(|(path, text)| (path.to_owned(), text.to_owned())))
            .collect();
        let entries: String = pages
            .iter()
            .map(|page| {
                format!(
                    "<url><loc>https://example.com{}</loc><lastmod>2026-04-03</lastmod></url>\n",
                    page.path
                )
            })
            .collect();
        sections.push(("/sitemap.xml".to_owned(), format!(
            "HTTP/2 200 OK\nContent-Type: application/xml\n\n<?xml version='1.0' encoding='UTF-8'?>\n<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>\n{entries}</urlset>\n"
        )));
        for folder in folders {
            let path = format!("{folder}assay-probe-a379a6f6eeafb9a5");
            sections.push((path, ERROR_PAGE.to_owned()));
        }
        for (path, width, height) in IMAGES {
            let ([a, b], [c, d]) = (width.to_le_bytes(), height.to_le_bytes());
            sections.push((path.to_owned(), format!(
                "HTTP/2 200 OK\nContent-Type: image/gif\nCache-Control: max-age=604800\n:body-hex: 474946383961{a:02x}{b:02x}{c:02x}{d:02x}800000\n\n"
            )));
        }
        Self { sections }
    }

    /// The paths of the pages that have a canonical URL, in the order of the sitemap.
    #[must_use]
    pub fn pages(&self) -> Vec<String> {
        self.sections
            .iter()
            .filter(|(_, text)| is_page(text))
            .map(|(path, _)| path.clone())
            .collect()
    }

    /// The response of a path, or of a URL of another origin.
    #[must_use]
    pub fn section(&self, path: &str) -> Option<&str> {
        self.sections
            .iter()
            .find(|(own, _)| own == path)
            .map(|(_, text)| text.as_str())
    }

    /// Replaces the response of a path, or adds it.
    pub fn set_section(&mut self, path: &str, text: String) {
        match self.sections.iter_mut().find(|(own, _)| own == path) {
            Some((_, old)) => *old = text,
            None => self.sections.push((path.to_owned(), text)),
        }
    }

    /// Replaces text in the section of a path, or in every page (`*`).
    ///
    /// An empty old text means the whole section, which is added if the site has none. A new text of the form
    /// `copy of /path` is the text of that section.
    ///
    /// # Errors
    ///
    /// There is no such section, or a section has no such text. The sections before it are changed then.
    pub fn edit(&mut self, place: &str, from: &str, to: &str) -> Result<(), String> {
        let copied = to
            .strip_prefix("copy of ")
            .and_then(|source| self.sections.iter().find(|(path, _)| path == source))
            .map(|(_, text)| text.clone());
        let to = copied.as_deref().unwrap_or(to);
        let mut known = self
            .sections
            .iter_mut()
            .filter(|(path, text)| path == place || (place == "*" && is_page(text)))
            .peekable();
        if from.is_empty() {
            if let Some((_, text)) = known.next() {
                to.clone_into(text);
            } else {
                self.sections.push((place.to_owned(), to.to_owned()));
            }
            return Ok(());
        }
        if known.peek().is_none() {
            return Err(format!("there is no section {place}"));
        }
        for (path, text) in known {
            if !text.contains(from) {
                return Err(format!("{path} has no {from}"));
            }
            *text = text.replace(from, to);
        }
        Ok(())
    }
}

impl Display for GoldenSite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.sections
            .iter()
            .try_for_each(|(path, text)| write!(f, "=== {path}\n{text}\n"))
    }
}

fn is_page(text: &str) -> bool {
    text.contains("rel='canonical'")
}

/// Path and text of each section.
#[expect(
    clippy::expect_used,
    reason = "the texts are part of the program, and every use reads all of them"
)]
fn sections(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split("=== ")
        .skip(1)
        .map(|section| section.split_once('\n').expect("a section has lines"))
}

/// The source text of a page.
struct Text<'a> {
    path: &'a str,
    title: &'a str,
    description: &'a str,
    lang: &'a str,
    head: String,
    main: String,
}

impl<'a> Text<'a> {
    #[expect(
        clippy::expect_used,
        reason = "the texts are part of the program, and every use reads all of them"
    )]
    fn read(path: &'a str, text: &'a str) -> Self {
        let field = |name| text.lines().filter_map(move |line| line.strip_prefix(name));
        let head: Vec<&str> = field("head: ").collect();
        let names = ["title: ", "description: ", "lang: ", "head: "];
        let main: Vec<&str> = text
            .lines()
            .filter(|line| !names.iter().any(|name| line.starts_with(name)))
            .collect();
        Self {
            path,
            title: field("title: ").next().expect("a page has a title"),
            description: field("description: ")
                .next()
                .expect("a page has a description"),
            lang: field("lang: ").next().unwrap_or("en"),
            head: head.join("\n"),
            main: main.join("\n"),
        }
    }

    fn entry(&self) -> String {
        let Self {
            path, title, lang, ..
        } = self;
        format!("<li><a href='{path}' lang='{lang}'>{title}</a></li>\n")
    }

    fn to_html(&self, menu: &str) -> String {
        let Self {
            path,
            title,
            description,
            lang,
            head,
            main,
        } = self;
        format!(
            "{HEADERS}\n<!doctype html>\n<html lang='{lang}'>\n<head>\n<meta charset='utf-8'>\n\
             <meta name='viewport' content='width=device-width, initial-scale=1'>\n\
             <title>{title} – Island Line</title>\n<meta name='description' content='{description}'>\n\
             <link rel='canonical' href='https://example.com{path}'>\n\
             <link rel='stylesheet' href='/style.5e1d.css'>\n\
             <link rel='icon' href='/icon.svg' type='image/svg+xml'>\n\
             <link rel='alternate' type='application/rss+xml' title='News' href='/news.xml'>\n\
             <meta property='og:type' content='website'>\n<meta property='og:title' content='{title}'>\n\
             <meta property='og:description' content='{description}'>\n\
             <meta property='og:url' content='https://example.com{path}'>\n\
             <meta property='og:image' content='https://example.com/hero.gif'>\n\
             {head}\n<script src='/app.5e1d.js' defer></script>\n</head>\n<body>\n\
             <a class='skip' href='#content'>Skip to the content</a>\n\
             <header><a href='/'><img src='/logo.svg' alt='Island Line' width='120' height='40'></a></header>\n\
             <nav aria-label='Main'><ul>\n{menu}</ul></nav>\n\
             <main id='content'>\n<h1>{title}</h1>\n{main}\n</main>\n\
             <footer><p>© 2026 Island Line</p></footer>\n</body>\n</html>"
        )
    }
}
