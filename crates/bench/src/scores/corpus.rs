//! Sites made of files.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use url::Url;

use audit_engine::gather::{FetchFuture, Fetcher, Headers, RECORDING_BASE, Recording, Request};

use crate::html;
use crate::phrase::{Feature, Item};

/// The names of the sites, and their folders below that of all.
pub(crate) const CORPORA: [(&str, &str); 5] = [
    ("gitdoc", "x/usr/share/doc/git/html"),
    ("pgdoc", "x/usr/share/doc/postgresql-doc-15/html"),
    ("jdkdoc", "x/usr/share/doc/openjdk-17-jre-headless/api"),
    ("rustdoc", "x/usr/share/doc/rust-doc/html"),
    ("djangodoc", "x/usr/share/doc/python-django-doc/html"),
];

/// A folder as a site, with changes to its pages. Files are read when they are requested.
#[derive(Debug)]
pub(crate) struct FileSite {
    folder: PathBuf,
    changes: Vec<Feature>,
    missing: HashSet<PathBuf>,
}

impl FileSite {
    /// The site of a name. Changes that files cannot have are an error.
    pub(crate) fn open(corpora: &Path, name: &str, items: &[Item]) -> anyhow::Result<Self> {
        let (_, folder) = CORPORA
            .iter()
            .find(|(own, _)| *own == name)
            .with_context(|| format!("there is no site {name}"))?;
        let folder = corpora.join(folder);
        ensure!(
            folder.is_dir(),
            "{} is missing: unpack the package of {name} there",
            folder.display()
        );
        let mut changes = Vec::new();
        let mut missing = HashSet::new();
        for item in items {
            match (item.removed, item.feature) {
                (true, Feature::Language | Feature::Title | Feature::Headings) => {
                    changes.push(item.feature);
                }
                (false, Feature::PagesMissing) => {
                    let every = 100 / item.percent.unwrap_or(10).clamp(1, 100);
                    missing = every_nth_page(&folder, every)?;
                }
                _ => anyhow::bail!(
                    "a site of files cannot be changed like this: {:?}",
                    item.feature
                ),
            }
        }
        Ok(Self {
            folder,
            changes,
            missing,
        })
    }

    fn recording(&self, url: &Url) -> Recording {
        let mut recording = Recording::default();
        if url.scheme() == "http" || url.host_str().is_some_and(|host| host.starts_with("www.")) {
            let headers = Headers::from_iter([("location", RECORDING_BASE)]);
            recording.add(url, 301, headers, Vec::new());
            return recording;
        }
        let path: PathBuf = url
            .path_segments()
            .into_iter()
            .flatten()
            .filter(|part| *part != ".." && *part != ".")
            .collect();
        let mut file = self.folder.join(path);
        if file.is_dir() {
            file.push("index.html");
        }
        if self.missing.contains(&file) {
            return recording;
        }
        if let Ok(bytes) = std::fs::read(&file) {
            let kind = media_type(&file);
            let mut headers = vec![("content-type", kind)];
            if kind.starts_with("text/") {
                headers.push(("content-encoding", "gzip"));
            }
            let bytes = if kind.starts_with("text/html") {
                self.change(&String::from_utf8_lossy(&bytes)).into_bytes()
            } else {
                bytes
            };
            recording.add(url, 200, Headers::from_iter(headers), bytes);
        }
        recording
    }

    fn change(&self, page: &str) -> String {
        self.changes
            .iter()
            .fold(page.to_owned(), |page, feature| match feature {
                Feature::Language => html::remove_attribute(&page, "html", "lang"),
                Feature::Title => html::remove_elements(&page, "title"),
                _ => html::remove_headings(&page),
            })
    }
}

impl Fetcher for FileSite {
    fn fetch(&self, request: Request) -> FetchFuture<'_> {
        let answer = self.recording(&request.url).answer(&request);
        Box::pin(std::future::ready(answer))
    }
}

/// Every Nth page by path, without the start page.
fn every_nth_page(folder: &Path, every: u32) -> anyhow::Result<HashSet<PathBuf>> {
    let start = folder.join("index.html");
    let mut pages: Vec<PathBuf> = std::fs::read_dir(folder)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|end| end == "html") && *path != start)
        .collect();
    pages.sort();
    let every = usize::try_from(every)?;
    Ok(pages.into_iter().skip(every / 2).step_by(every).collect())
}

fn media_type(file: &Path) -> &'static str {
    match file.extension().and_then(|end| end.to_str()) {
        Some("html" | "htm") => "text/html; charset=utf-8",
        Some("css") => "text/css",
        Some("js") => "text/javascript",
        Some("txt") => "text/plain; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("gif") => "image/gif",
        Some("jpg" | "jpeg") => "image/jpeg",
        Some("ico") => "image/x-icon",
        Some("woff2") => "font/woff2",
        Some("woff") => "font/woff",
        Some("xml") => "application/xml",
        Some("json") => "application/json",
        _ => "application/octet-stream",
    }
}
