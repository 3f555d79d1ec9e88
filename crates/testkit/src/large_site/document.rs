//! The responses of the site: pages, redirects, sitemaps, pictures.

use std::fmt::Write;

use super::layout::{self, IN_MENU, LISTED, Layout};
use super::text::word;
use super::{Defect, LargeSite};
use crate::packed::{Packed, Piece};

/// A response of the site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServedDocument {
    /// The status code.
    pub status: u16,
    /// The `Content-Type`.
    pub media_type: &'static str,
    /// The `Location` of a redirect.
    pub location: Option<String>,
    /// The body.
    pub body: Vec<u8>,
}

const HTML: &str = "text/html; charset=utf-8";
const XML: &str = "application/xml";

const STYLE: &str =
    "body{font-family:sans-serif;max-width:60em;margin:auto}nav a{margin-right:1em}\n";
const SCRIPT: &str = "document.documentElement.dataset.ready='true';\n";
/// A transparent pixel.
const PICTURE: &[u8] = b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff!\xf9\x04\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;";

pub(super) fn answer(site: &LargeSite, path: &str) -> ServedDocument {
    if let Some(page) = layout::page(path).filter(|page| *page < site.pages()) {
        return ServedDocument::new(HTML, page_of(site, page));
    }
    match path {
        "/robots.txt" => ServedDocument::new(
            "text/plain; charset=utf-8",
            format!(
                "User-agent: *\nDisallow: /private/\n\nSitemap: {}/sitemap.xml\n",
                site.origin
            ),
        ),
        "/sitemap.xml" => ServedDocument::new(XML, sitemap_index(site)),
        "/style.css" => ServedDocument::new("text/css; charset=utf-8", STYLE),
        "/site.js" => ServedDocument::new("text/javascript; charset=utf-8", SCRIPT),
        "/picture.gif" => ServedDocument::new("image/gif", PICTURE),
        _ => moved(site, path)
            .or_else(|| sitemap(site, path))
            .unwrap_or_else(missing),
    }
}

impl ServedDocument {
    fn new(media_type: &'static str, body: impl Into<Vec<u8>>) -> Self {
        Self {
            status: 200,
            media_type,
            location: None,
            body: body.into(),
        }
    }
}

fn missing() -> ServedDocument {
    ServedDocument {
        status: 404,
        ..ServedDocument::new(
            HTML,
            "<!doctype html><html lang=\"en\"><title>Not found</title><h1>Not found</h1>",
        )
    }
}

/// `/old/n` redirects to page `n`.
fn moved(site: &LargeSite, path: &str) -> Option<ServedDocument> {
    let page: u32 = path.strip_prefix("/old/")?.parse().ok()?;
    (page < site.pages()).then(|| ServedDocument {
        status: 301,
        location: Some(layout::path(page)),
        ..ServedDocument::new(HTML, Vec::new())
    })
}

fn sitemap_index(site: &LargeSite) -> String {
    let files: String = (0..site.layout.sitemaps())
        .map(|file| {
            format!(
                "<sitemap><loc>{}/sitemap-{file}.xml</loc></sitemap>\n",
                site.origin
            )
        })
        .collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{files}</sitemapindex>\n"
    )
}

fn sitemap(site: &LargeSite, path: &str) -> Option<ServedDocument> {
    let file: u32 = path
        .strip_prefix("/sitemap-")?
        .strip_suffix(".xml")?
        .parse()
        .ok()
        .filter(|file| *file < site.layout.sitemaps())?;
    let first = file.checked_mul(LISTED)?;
    let urls: String = (first..site.pages().min(first.saturating_add(LISTED)))
        .filter(|page| site.layout.is_listed(*page))
        .map(|page| {
            format!(
                "<url><loc>{}{}</loc></url>\n",
                site.origin,
                layout::path(page)
            )
        })
        .collect();
    let body = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{urls}</urlset>\n"
    );
    Some(ServedDocument::new(XML, body))
}

/// The name of a page: three words and its number, which makes it unique.
fn name(layout: &Layout, page: u32) -> String {
    let word = |purpose| word(layout.chance(page, purpose));
    format!(
        "The {} of the {} and the {} {page}",
        word(2),
        word(3),
        word(4)
    )
}

/// A page that is being written: paragraphs, and the text between them. Writing to it cannot fail, so the
/// results of `write!` are ignored.
trait Paper: Write {
    fn paragraph(&mut self, text: &str, piece: &Piece);
}

impl Paper for String {
    fn paragraph(&mut self, text: &str, _: &Piece) {
        self.push_str(text);
    }
}

/// A page that is compressed as it is written: paragraphs were compressed once for all pages, the text between
/// them is stored uncompressed.
#[derive(Default)]
struct Compressed {
    between: String,
    packed: Packed,
}

impl Compressed {
    fn store(&mut self) {
        self.packed.push_stored(self.between.as_bytes());
        self.between.clear();
    }
}

impl Write for Compressed {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.between.push_str(text);
        Ok(())
    }
}

impl Paper for Compressed {
    fn paragraph(&mut self, text: &str, piece: &Piece) {
        self.store();
        self.packed.push_known(piece, text.as_bytes());
    }
}

/// The page in gzip; none if the path is not a page.
pub(super) fn compressed(site: &LargeSite, path: &str) -> Option<Vec<u8>> {
    let page = layout::page(path).filter(|page| *page < site.pages())?;
    let mut paper = Compressed::default();
    write_page(&mut paper, site, page);
    paper.store();
    Some(paper.packed.gzip())
}

fn page_of(site: &LargeSite, page: u32) -> String {
    let mut html = String::with_capacity(16 << 10);
    write_page(&mut html, site, page);
    html
}

fn write_page(html: &mut impl Paper, site: &LargeSite, page: u32) {
    let layout = &site.layout;
    let defect = layout.defect(page);
    write_head(html, layout, page, defect);
    write_menu(html, layout, page);
    write_main(html, site, page, defect);
    put(
        html,
        "<footer><p>Harbour Guide, 1 Harbour Street. All rights reserved.</p></footer>\n</body>\n</html>\n",
    );
}

fn put(html: &mut impl Paper, text: &str) {
    let _ = html.write_str(text);
}

fn write_head(html: &mut impl Paper, layout: &Layout, page: u32, defect: Option<Defect>) {
    let name = name(layout, page);
    put(
        html,
        match defect {
            Some(Defect::LanguageMissing) => "<!doctype html>\n<html>\n<head>\n",
            _ => "<!doctype html>\n<html lang=\"en\">\n<head>\n",
        },
    );
    put(
        html,
        "<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
    );
    let _ = match defect {
        Some(Defect::TitleMissing) => Ok(()),
        Some(Defect::TitleDuplicate) => {
            writeln!(html, "<title>A title that many pages share</title>")
        }
        _ => writeln!(html, "<title>{name}</title>"),
    };
    let _ = match defect {
        Some(Defect::DescriptionMissing) => Ok(()),
        Some(Defect::DescriptionDuplicate) => writeln!(
            html,
            "<meta name=\"description\" content=\"A description that many pages share, long enough to be shown whole below a title in results.\">"
        ),
        _ => writeln!(
            html,
            "<meta name=\"description\" content=\"{name}: what to see, when to come and how to get there, told by those who live nearby.\">"
        ),
    };
    if defect == Some(Defect::Noindex) {
        put(html, "<meta name=\"robots\" content=\"noindex\">\n");
    }
    put(
        html,
        "<link rel=\"stylesheet\" href=\"/style.css\">\n<script src=\"/site.js\" defer></script>\n</head>\n<body>\n",
    );
}

fn write_menu(html: &mut impl Paper, layout: &Layout, page: u32) {
    put(
        html,
        "<header><a href=\"#content\">Skip to the content</a>\n<nav aria-label=\"Main\"><ul>\n",
    );
    for target in 0..IN_MENU.min(layout.pages()) {
        write_item(html, layout, target);
    }
    put(html, "</ul></nav></header>\n");
    if let Some(parent) = Layout::parent(page) {
        put(html, "<nav aria-label=\"Path\"><ul>\n");
        write_item(html, layout, parent);
        put(html, "</ul></nav>\n");
    }
}

fn write_item(html: &mut impl Paper, layout: &Layout, target: u32) {
    let _ = writeln!(
        html,
        "<li><a href=\"{}\">{}</a></li>",
        layout::path(target),
        name(layout, target)
    );
}

fn write_main(html: &mut impl Paper, site: &LargeSite, page: u32, defect: Option<Defect>) {
    let layout = &site.layout;
    let name = name(layout, page);
    put(html, "<main id=\"content\">\n");
    let _ = match defect {
        Some(Defect::HeadingMissing) => writeln!(html, "<p><b>{name}</b></p>"),
        _ => writeln!(html, "<h1>{name}</h1>"),
    };
    let paragraphs = 8 + layout.chance(page, 5) % 14;
    for number in 0..paragraphs {
        if number % 5 == 2 {
            let _ = writeln!(
                html,
                "<h2>The {} of part {number}</h2>",
                word(layout.chance(page, 6 + (number << 8)))
            );
        }
        if let Some((text, piece)) = site.prose.paragraph(layout.chance(page, 7 + (number << 8))) {
            html.paragraph(text, piece);
        }
    }
    let _ = match defect {
        Some(Defect::AltMissing) => {
            writeln!(html, "<img src=\"/picture.gif\" width=\"1\" height=\"1\">")
        }
        _ => writeln!(
            html,
            "<img src=\"/picture.gif\" width=\"1\" height=\"1\" alt=\"The view of {name}\">"
        ),
    };
    let _ = match defect {
        Some(Defect::BrokenLink) => {
            writeln!(
                html,
                "<p><a href=\"/missing/{page}\">The timetable of {name}</a></p>"
            )
        }
        Some(Defect::RedirectedLink) => writeln!(
            html,
            "<p><a href=\"/old/{}\">The page above {name}</a></p>",
            Layout::parent(page).unwrap_or(0)
        ),
        _ => Ok(()),
    };
    put(html, "<h2>More to read</h2>\n<ul>\n");
    for target in layout.linked(page) {
        write_item(html, layout, target);
    }
    put(html, "</ul>\n</main>\n");
}
