//! Builds described sites and scores them.

use std::path::Path;
use std::sync::Arc;

use anyhow::bail;
use testkit::golden::GoldenSite;

use crate::corpus::FileSite;
use crate::html;
use crate::measure::{self, Scores};
use crate::phrase::{Base, Feature, Item, Scope, SitePhrase};

/// The audited pages of a site, unless its words say a number.
const MAX_PAGES: u32 = 1_000;

/// The pages of a shop, unless its words say a number.
const SHOP_PAGES: u32 = 29;

const STYLE: &str = "/style.5e1d.css";
const SCRIPT: &str = "/app.5e1d.js";

const IMAGES: [&str; 9] = [
    "/hero.gif",
    "/alma.gif",
    "/meta.gif",
    "/map.gif",
    "/plan.gif",
    "/small.gif",
    "/soup.gif",
    "/wave.gif",
    "/send.gif",
];

const SECURITY_HEADERS: [&str; 7] = [
    "Strict-Transport-Security",
    "Content-Security-Policy",
    "X-Content-Type-Options",
    "X-Frame-Options",
    "Referrer-Policy",
    "Permissions-Policy",
    "Cross-Origin-Opener-Policy",
];

const LOGIN: &str = "HTTP/1.1 200 OK\nContent-Type: text/html; charset=utf-8\n\n<!doctype html><html lang='en'><head><meta charset='utf-8'><meta name='viewport' content='width=device-width'><title>Members of the line</title><meta name='description' content='Only for those who work on the boats, with a password that they got on paper.'></head><body><main><h1>Members</h1><form method='post' action='http://example.com/session'><label>Password <input type='password' name='p' autocomplete='current-password'></label> <button>In</button></form></main></body></html>";

const MISSING: &str = "HTTP/2 404 Not Found\nContent-Type: text/html; charset=utf-8\nX-Content-Type-Options: nosniff\n\n<!doctype html><html lang='en'><title>There is no such page</title><h1>Not found</h1></html>";

/// The scores of a site; none if it is made of files and their folder is not given.
pub(crate) fn scores(
    phrase: &SitePhrase,
    corpora: Option<&Path>,
) -> anyhow::Result<Option<Scores>> {
    let max_pages = phrase.audited.unwrap_or(MAX_PAGES);
    let Base::Files(name) = phrase.base else {
        let site = Builder::build(phrase)?;
        return measure::recording(&site.to_string(), max_pages).map(Some);
    };
    let Some(corpora) = corpora else {
        return Ok(None);
    };
    let site = FileSite::open(corpora, name, &phrase.items)?;
    let external = false;
    measure::audited(Arc::new(site), max_pages, external).map(Some)
}

/// A site that is being changed.
pub(crate) struct Builder {
    site: GoldenSite,
    /// The pages in the order in which changes to some of them choose: those that fewest checks exempt first,
    /// the start page last.
    pages: Vec<String>,
    defects: usize,
}

impl Builder {
    pub(crate) fn build(phrase: &SitePhrase) -> anyhow::Result<GoldenSite> {
        let site = match (phrase.base, phrase.pages) {
            (Base::Shop, pages) => GoldenSite::of_pages(pages.unwrap_or(SHOP_PAGES)),
            (_, Some(pages)) => GoldenSite::of_pages(pages),
            (_, None) => GoldenSite::clean(),
        };
        let mut pages = site.pages();
        pages.reverse();
        pages.sort_by_key(|path| {
            ["/contact", "/privacy", "/"]
                .iter()
                .position(|last| last == path)
        });
        let mut builder = Self {
            site,
            pages,
            defects: 0,
        };
        if phrase.base == Base::Shop {
            builder.open_shop();
        }
        for item in &phrase.items {
            builder.apply(item)?;
        }
        Ok(builder.site)
    }

    fn open_shop(&mut self) {
        let pages = self.pages.clone();
        for (number, path) in pages.iter().enumerate() {
            self.edit(path, |page| {
                insert(page, "</main>", &format!(
                    "<h2>Buy a picture of it</h2><p>A print costs {} €.</p><form action='/cart' method='post'><label>Number <input name='count' type='number' min='1' value='1'></label> <button>Put into the cart</button></form>",
                    7 + number
                ))
            });
        }
    }

    fn apply(&mut self, item: &Item) -> anyhow::Result<()> {
        if item.removed {
            return self.remove(item);
        }
        match item.feature {
            Feature::Defects | Feature::MoreDefects => {
                for _ in 0..item.count.unwrap_or(1) {
                    self.add_defect();
                }
            }
            Feature::AiTrainingKeptOut => {
                self.keep_out(&["GPTBot", "ClaudeBot", "CCBot", "Google-Extended"])?;
            }
            Feature::AiSearchKeptOut => {
                self.keep_out(&["OAI-SearchBot", "Claude-SearchBot", "PerplexityBot"])?;
            }
            Feature::AiUsersKeptOut => self.keep_out(&["ChatGPT-User", "Claude-User"])?,
            Feature::RobotsClosed => {
                self.replace("/robots.txt", "Disallow: /cart", "Disallow: /")?;
            }
            Feature::HeaderImage => self.add_header_image(item),
            Feature::ImageFiles => {
                let tens = item.bytes.unwrap_or_default() / 10;
                for image in IMAGES {
                    self.replace(
                        image,
                        "800000\n\n",
                        &format!("800000\n\n\n%repeat {tens} xxxxxxxxxx\n"),
                    )?;
                }
            }
            Feature::StyleSheets => {
                if let Some(bytes) = item.bytes {
                    self.pad_style(bytes)?;
                    self.replace(
                        STYLE,
                        "Content-Type: text/css",
                        "Content-Encoding: br\nContent-Type: text/css",
                    )?;
                }
            }
            Feature::VisitBytes => {
                let half = item.bytes.unwrap_or_default() / 2;
                self.pad_style(half)?;
                let calls = half / "call(1);".len();
                self.replace(
                    SCRIPT,
                    "document.",
                    &format!("\n%repeat {calls} call(1);\ndocument."),
                )?;
            }
            Feature::BlockingScripts => self.add_blocking_scripts(item),
            Feature::Uncompressed => self.remove_headers(&["Content-Encoding"]),
            Feature::FramingAllowed => {
                self.remove_headers(&["X-Frame-Options"]);
                self.edit_all(|page| page.replace("; frame-ancestors 'none'", ""));
            }
            Feature::PlainLogin => {
                self.site
                    .set_section("http://example.com/members", LOGIN.to_owned());
                self.replace("http://example.com/", "301 Moved Permanently", "200 OK")?;
                self.edit_all(|page| {
                    insert(
                        page,
                        "</main>",
                        "<p><a href='http://example.com/members'>For members</a></p>",
                    )
                });
            }
            Feature::BrokenLinks if item.percent.is_some() => {
                self.break_links(item.percent.unwrap_or(100));
            }
            Feature::PagesMissing => {
                for path in self.share_of_pages(item.percent.unwrap_or(10)) {
                    self.site.set_section(&path, MISSING.to_owned());
                }
            }
            Feature::NearDuplicates => self.share_texts(2, |number| {
                format!("<p>This is text number {number} of its kind.</p>")
            }),
            Feature::PagesSame => {
                let count = self.share_of_pages(item.percent.unwrap_or(100)).len();
                self.share_texts(count, |_| String::new());
            }
            _ => self.edit_scope(item),
        }
        Ok(())
    }

    /// Changes that are made on each page of the scope.
    fn edit_scope(&mut self, item: &Item) {
        let pages = self.targets(item);
        let count = pages.len();
        for (index, path) in pages.iter().enumerate() {
            let times = times_on_page(item.count, count, index);
            self.edit(path, |page| defective(page, item, times, index));
        }
    }

    fn remove(&mut self, item: &Item) -> anyhow::Result<()> {
        match item.feature {
            Feature::SecurityHeaders => self.remove_headers(&SECURITY_HEADERS),
            Feature::ContentSecurityPolicy => self.remove_headers(&["Content-Security-Policy"]),
            Feature::TransportSecurity => self.remove_headers(&["Strict-Transport-Security"]),
            Feature::Cookies => self.remove_headers(&["Set-Cookie"]),
            Feature::LlmsTxt => self.site.set_section("/llms.txt", MISSING.to_owned()),
            Feature::Sitemap => {
                self.site.set_section("/sitemap.xml", MISSING.to_owned());
                self.replace(
                    "/robots.txt",
                    "Sitemap: https://example.com/sitemap.xml",
                    "",
                )?;
            }
            Feature::ImagesWithoutText => self.apply(&Item {
                removed: false,
                ..*item
            })?,
            Feature::Templates => self.edit_all(|page| {
                replace_main(page, "<h1>{{ page.title }}</h1><p>{{ page.text }}</p>")
            }),
            Feature::Title
            | Feature::Description
            | Feature::Viewport
            | Feature::StyleSheets
            | Feature::Language
            | Feature::Headings
            | Feature::Forms
            | Feature::Canonical
            | Feature::Doctype
            | Feature::StructuredData => {
                for path in self.targets(item) {
                    self.edit(&path, |page| without(page, item.feature));
                }
            }
            feature => bail!("nothing to remove from the site: {feature:?}"),
        }
        Ok(())
    }

    /// The pages of a change. Without a scope, one thing is on one page, and a change of a kind on all.
    fn targets(&self, item: &Item) -> Vec<String> {
        let first = |count: u32| {
            let count = usize::try_from(count).unwrap_or(usize::MAX);
            self.pages.iter().take(count).cloned().collect()
        };
        match (item.scope, item.count) {
            (Some(Scope::Start), _) => vec!["/".to_owned()],
            (Some(Scope::Pages(count)), _) | (None, Some(count)) => first(count),
            (None, None) if item.feature == Feature::Secret => first(1),
            (Some(Scope::All), _) | (None, None) => self.pages.clone(),
        }
    }

    fn share_of_pages(&self, percent: u32) -> Vec<String> {
        let count = self.pages.len() * usize::try_from(percent).unwrap_or(100) / 100;
        self.pages.iter().take(count.max(1)).cloned().collect()
    }

    fn edit(&mut self, path: &str, change: impl Fn(&str) -> String) {
        if let Some(changed) = self.site.section(path).map(change) {
            self.site.set_section(path, changed);
        }
    }

    fn edit_all(&mut self, change: impl Fn(&str) -> String) {
        for path in self.pages.clone() {
            self.edit(&path, &change);
        }
    }

    fn replace(&mut self, path: &str, from: &str, to: &str) -> anyhow::Result<()> {
        self.site.edit(path, from, to).map_err(anyhow::Error::msg)
    }

    fn remove_headers(&mut self, names: &[&str]) {
        let mut paths = self.pages.clone();
        paths.extend([STYLE.to_owned(), SCRIPT.to_owned()]);
        for path in paths {
            self.edit(&path, |section| {
                let (head, body) = section.split_once("\n\n").unwrap_or((section, ""));
                let kept: Vec<&str> = head
                    .lines()
                    .filter(|line| {
                        let name = line.split(':').next().unwrap_or_default();
                        !names.contains(&name)
                    })
                    .collect();
                format!("{}\n\n{body}", kept.join("\n"))
            });
        }
    }

    fn keep_out(&mut self, crawlers: &[&str]) -> anyhow::Result<()> {
        let lines: String = crawlers
            .iter()
            .map(|name| format!("User-agent: {name}\n"))
            .collect();
        self.replace(
            "/robots.txt",
            "Sitemap:",
            &format!("{lines}Disallow: /\n\nSitemap:"),
        )
    }

    fn pad_style(&mut self, bytes: usize) -> anyhow::Result<()> {
        let rules = bytes / ".tide{color:navy}".len();
        self.replace(
            STYLE,
            "body{",
            &format!("\n%repeat {rules} .tide{{color:navy}}\nbody{{"),
        )
    }

    fn add_header_image(&mut self, item: &Item) {
        let tens = item.bytes.unwrap_or(100_000) / 10;
        // The digits are the header of a GIF of 1,200 × 720 pixels.
        self.site.set_section("/header.gif", format!(
            "HTTP/2 200 OK\nContent-Type: image/gif\nCache-Control: max-age=604800\n:body-hex: 474946383961b004d002800000\n\n\n%repeat {tens} xxxxxxxxxx\n"
        ));
        let item = Item {
            scope: item.scope.or(Some(Scope::Start)),
            ..*item
        };
        for path in self.targets(&item) {
            self.edit(&path, |page| {
                insert(
                    page,
                    "<h1>",
                    "<img src='/header.gif' alt='The whole bay' width='1200' height='720'>",
                )
            });
        }
    }

    fn add_blocking_scripts(&mut self, item: &Item) {
        let calls = item.bytes.unwrap_or(20_000) / "call(1);".len();
        let mut tags = String::new();
        for number in 1..=item.count.unwrap_or(1) {
            let path = format!("/block-{number}.js");
            self.site.set_section(&path, format!(
                "HTTP/2 200 OK\nContent-Type: text/javascript\nContent-Encoding: br\nCache-Control: public, max-age=31536000, immutable\nX-Content-Type-Options: nosniff\n\n\n%repeat {calls} call(1);\n"
            ));
            tags.push_str(&format!("<script src='{path}'></script>\n"));
        }
        let item = Item {
            count: None,
            ..*item
        };
        for path in self.targets(&item) {
            self.edit(&path, |page| insert(page, "</head>", &tags));
        }
    }

    /// Every Nth link to a page leads nowhere.
    fn break_links(&mut self, percent: u32) {
        let every = usize::try_from(100 / percent.clamp(1, 100)).unwrap_or(1);
        let mut links = 0;
        for path in self.pages.clone() {
            let Some(page) = self.site.section(&path) else {
                continue;
            };
            let mut parts = page.split("<a href='/");
            let mut changed = parts.next().unwrap_or_default().to_owned();
            for part in parts {
                links += 1;
                let to = if links % every == 0 {
                    "<a href='/gone/"
                } else {
                    "<a href='/"
                };
                changed.push_str(to);
                changed.push_str(part);
            }
            self.site.set_section(&path, changed);
        }
    }

    /// Gives pages one text, with what `own` adds to each.
    fn share_texts(&mut self, count: usize, own: impl Fn(usize) -> String) {
        let pages: Vec<String> = self.pages.iter().take(count).cloned().collect();
        let text = article();
        for (number, path) in pages.iter().enumerate() {
            let text = format!("<h1>The yard</h1>{text}{}", own(number));
            self.edit(path, |page| replace_main(page, &text));
        }
    }

    /// The next of a list of defects of four kinds, each on another page.
    fn add_defect(&mut self) {
        let kinds = [
            (false, Feature::LinksWithoutText),
            (true, Feature::Description),
            (false, Feature::ImagesWithoutText),
            (false, Feature::ShortTitle),
        ];
        let number = self.defects;
        self.defects += 1;
        let page = self.pages.iter().cycle().nth(number).cloned();
        let kind = kinds.iter().cycle().nth(number);
        if let (Some(page), Some((removed, feature))) = (page, kind) {
            let item = Item {
                removed: *removed,
                feature: *feature,
                count: Some(1),
                percent: None,
                bytes: None,
                scope: None,
            };
            self.edit(&page, |text| {
                if *removed {
                    without(text, *feature)
                } else {
                    defective(text, &item, 1, number)
                }
            });
        }
    }
}

/// A number of things is spread over the pages; each page has at least one.
fn times_on_page(count: Option<u32>, pages: usize, index: usize) -> usize {
    let count = usize::try_from(count.unwrap_or(1)).unwrap_or(1);
    let pages = pages.max(1);
    (count / pages + usize::from(index < count % pages)).max(1)
}

fn insert(page: &str, before: &str, text: &str) -> String {
    page.replacen(before, &format!("{text}\n{before}"), 1)
}

/// The main part with another text. Its links stay, in a navigation, so that the crawl finds the same pages.
fn replace_main(page: &str, text: &str) -> String {
    html::replace_content(page, "main", |main| {
        let links: String = main
            .split("<a href='/")
            .skip(1)
            .filter_map(|link| {
                let (to, _) = link.split_once('\'')?;
                let to = to.split('#').next()?;
                (!to.contains('?') && !to.ends_with(".gif"))
                    .then(|| format!("<li><a href='/{to}'>To /{to}</a></li>"))
            })
            .collect();
        if links.is_empty() {
            return text.to_owned();
        }
        format!("{text}<nav aria-label='Further'><ul>{links}</ul></nav>")
    })
}

/// A text of about three hundred words.
fn article() -> String {
    let site = GoldenSite::of_pages(1);
    let page = site.section("/").unwrap_or_default();
    let main = html::split_element(page, "main").map_or("", |(_, main, _)| main);
    let main = main.split_once("</h1>").map_or(main, |(_, text)| text);
    main.split_once("<p><img")
        .map_or(main, |(text, _)| text)
        .to_owned()
}

fn defective(page: &str, item: &Item, times: usize, index: usize) -> String {
    let add = |text: &str| insert(page, "</main>", &text.repeat(times));
    match item.feature {
        Feature::ImagesWithoutText if item.count.is_none() => {
            html::remove_attribute(page, "img", "alt")
        }
        Feature::ImagesWithoutText => {
            add("<img src='/small.gif' width='200' height='150' loading='lazy'>\n")
        }
        Feature::UnlabelledFields => add("<input name='wish'>\n"),
        Feature::LinksWithoutText => add("<p><a href='/'></a></p>\n"),
        Feature::BrokenLinks => add("<p><a href='/gone'>The times of last year</a></p>\n"),
        Feature::Frame => add(
            "<iframe src='https://maps.example.net/bay' width='600' height='400' loading='lazy'></iframe>\n",
        ),
        Feature::Secret => {
            add("<script type='application/json'>{\"key\": \"AKIAQ3EGRTW5ZLMNX7BD\"}</script>\n")
        }
        Feature::SignIn => add(
            "<h2>Sign in here</h2><form action='/session' method='post'><label>User <input name='u' autocomplete='username'></label> <label>Password <input name='p' type='password' autocomplete='current-password'></label> <button>Sign in</button></form>\n",
        ),
        Feature::Placeholder => add("<p>Lorem ipsum dolor sit amet.</p>\n"),
        Feature::HtmlErrors => add("<p class='a' class='b'>All of it is true.</p>\n"),
        Feature::HeadEnded => insert(page, "<link rel='canonical'", "<div></div>"),
        Feature::Noindex => insert(page, "<title>", "<meta name='robots' content='noindex'>"),
        Feature::ShortTitle => html::replace_content(page, "title", |_| format!("P{index}")),
        Feature::ThinText => {
            let heading = html::split_element(page, "h1").map_or("News", |(_, text, _)| text);
            replace_main(
                page,
                &format!("<h1>{heading}</h1><p>More will follow soon.</p>"),
            )
        }
        Feature::ScriptText => html::replace_content(page, "body", |_| {
            "<div id='root'></div><script src='/app.5e1d.js' defer></script>".to_owned()
        }),
        _ => page.to_owned(),
    }
}

fn without(page: &str, feature: Feature) -> String {
    match feature {
        Feature::Title => html::remove_elements(page, "title"),
        Feature::Description => html::remove_tags(page, "meta", "name='description'"),
        Feature::Viewport => html::remove_tags(page, "meta", "name='viewport'"),
        Feature::StyleSheets => html::remove_tags(page, "link", "rel='stylesheet'"),
        Feature::Canonical => html::remove_tags(page, "link", "rel='canonical'"),
        Feature::Language => html::remove_attribute(page, "html", "lang"),
        Feature::Headings => html::remove_headings(page),
        Feature::Forms => html::remove_elements(page, "form"),
        Feature::Doctype => page.replace("<!doctype html>\n", ""),
        Feature::StructuredData => page.replace("application/ld+json", "application/json"),
        _ => page.to_owned(),
    }
}
