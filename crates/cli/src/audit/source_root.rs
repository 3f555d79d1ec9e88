//! `--source-root`: finds the files of a folder that a site was built from.
//!
//! The path of a URL is looked up as a static file server does it: `/a/` is `a/index.html`, `/a` is the file `a`,
//! `a.html` or `a/index.html`. Nothing outside of the folder is read, whatever the site's addresses and the folder's
//! symbolic links say.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::File;
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use audit_engine::egress::GuardedFetcher;
use audit_engine::gather::{FetchFuture, Fetcher, Request, Response, TlsFuture};
use domain::report::Report;
use report::export::{SourceFile, SourceFiles};
use report::plain::plain;
use sha2::{Digest, Sha256};
use url::Url;

/// Responses whose bytes are remembered, at most; places of further ones are shown without a line.
const MAX_SERVED: usize = 100_000;
/// Addresses that are looked up in the folder, at most.
const MAX_LOOKED_UP: usize = 20_000;
/// Bytes of a file that are compared with what was served, at most. The engine reads no longer documents.
const MAX_FILE_BYTES: u64 = 16 * 1024 * 1024;
/// Parts of a path that are looked up, at most.
const MAX_PARTS: usize = 64;

/// A folder that a site was built from.
#[derive(Debug)]
pub(super) struct SourceRoot {
    /// The folder, without symbolic links.
    folder: PathBuf,
    /// Where it is in its repository, with a slash at the end; empty at the root of the repository.
    prefix: String,
}

impl SourceRoot {
    /// Opens a folder. Paths are relative to the nearest folder above it that has a `.git`, or else to the folder itself.
    pub(super) fn open(folder: &Path) -> Result<Self, String> {
        let name = plain(&folder.display().to_string());
        let wrong = |error: std::io::Error| format!("--source-root {name}: {error}");
        let folder = folder.canonicalize().map_err(wrong)?;
        if !folder.is_dir() {
            return Err(format!("--source-root {name}: not a folder"));
        }
        let repository = folder
            .ancestors()
            .find(|folder| folder.join(".git").exists());
        let inside = repository.and_then(|root| folder.strip_prefix(root).ok());
        let prefix = inside.and_then(slashed).unwrap_or_default();
        let prefix = match prefix.is_empty() {
            true => prefix,
            false => prefix + "/",
        };
        Ok(Self { folder, prefix })
    }

    /// The files behind the addresses of a report.
    pub(super) fn files(&self, report: &Report, served: &Served) -> SourceFiles {
        let Ok(site) = Url::parse(&report.url) else {
            return SourceFiles::default();
        };
        let causes = report.issues.iter().flat_map(|issue| &issue.causes);
        let occurrences = causes.flat_map(|cause| &cause.occurrences);
        let urls = looked_up(occurrences.map(|found| found.url.as_str()));
        // Many addresses may be one file.
        let mut digests = HashMap::new();
        let files = urls.into_iter().filter_map(|text| {
            let url = Url::parse(text).ok()?;
            let file = (url.origin() == site.origin()).then(|| self.find(url.path()))??;
            let digest = *(digests.entry(file.clone())).or_insert_with(|| file_digest(&file));
            let inside = slashed(file.strip_prefix(&self.folder).ok()?)?;
            let found = SourceFile {
                path: format!("{}{inside}", self.prefix),
                is_served: digest.is_some() && digest == served.digest(&url),
            };
            Some((text.to_owned(), found))
        });
        files.collect()
    }

    /// The file of a path of a URL, without symbolic links; none if there is none in the folder.
    fn find(&self, path: &str) -> Option<PathBuf> {
        let parts = parts(path)?;
        let base = parts
            .iter()
            .fold(self.folder.clone(), |base, part| base.join(part));
        let with_ending = |ending: &str| {
            let last = parts.last()?;
            Some(base.with_file_name(format!("{last}{ending}")))
        };
        let indexes = ["index.html", "index.htm"].map(|name| Some(base.join(name)));
        let is_folder = path.ends_with('/');
        let files = [
            Some(base.clone()),
            with_ending(".html"),
            with_ending(".htm"),
        ];
        let candidates = files.into_iter().filter(|_| !is_folder).chain(indexes);
        candidates.flatten().find_map(|file| self.inside(&file))
    }

    /// A file as it is called without symbolic links, if that is in the folder.
    fn inside(&self, file: &Path) -> Option<PathBuf> {
        let file = file.canonicalize().ok()?;
        (file.starts_with(&self.folder) && file.is_file()).then_some(file)
    }
}

/// The different addresses without fragments that are looked up.
fn looked_up<'a>(urls: impl Iterator<Item = &'a str>) -> BTreeSet<&'a str> {
    let mut different = BTreeSet::new();
    for url in urls {
        if different.len() >= MAX_LOOKED_UP {
            break;
        }
        different.insert(url.split('#').next().unwrap_or_default());
    }
    different
}

/// The parts of a path of a URL, decoded; none for a path that names no file: with a part that leads elsewhere or has a
/// character that no name has.
fn parts(path: &str) -> Option<Vec<String>> {
    let mut parts = Vec::new();
    for part in path.split('/').filter(|part| !part.is_empty()) {
        let part = decoded(part)?;
        let is_name = !part.contains(['/', '\\', ':', '\0'])
            && Path::new(&part)
                .components()
                .all(|part| matches!(part, Component::Normal(_)));
        if !is_name || parts.len() >= MAX_PARTS {
            return None;
        }
        parts.push(part);
    }
    Some(parts)
}

/// A part of a path without percent-encoding; none if it is not UTF-8.
fn decoded(part: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.as_bytes();
    while let Some((&byte, behind)) = rest.split_first() {
        rest = behind;
        let digits = behind.split_at_checked(2).filter(|_| byte == b'%');
        let escaped = digits.and_then(|(digits, behind)| {
            let digits = std::str::from_utf8(digits).ok()?;
            let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
            let byte = u8::from_str_radix(digits, 16).ok().filter(|_| is_hex)?;
            Some((byte, behind))
        });
        match escaped {
            Some((byte, behind)) => {
                bytes.push(byte);
                rest = behind;
            }
            None => bytes.push(byte),
        }
    }
    String::from_utf8(bytes).ok()
}

/// A relative path with slashes; none if it is not UTF-8.
fn slashed(path: &Path) -> Option<String> {
    let parts = path.components().map(|part| part.as_os_str().to_str());
    Some(parts.collect::<Option<Vec<_>>>()?.join("/"))
}

/// The SHA-256 of a body.
type BodyDigest = [u8; 32];

/// The digest of a file; none if it cannot be read or has more than [`MAX_FILE_BYTES`].
fn file_digest(file: &Path) -> Option<BodyDigest> {
    let mut bytes = Vec::new();
    let open = File::open(file).ok()?;
    open.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).ok()?;
    let is_whole = u64::try_from(bytes.len()).is_ok_and(|length| length <= MAX_FILE_BYTES);
    is_whole.then(|| Sha256::digest(&bytes).into())
}

/// What the site served, by URL: the digests of complete bodies.
#[derive(Debug, Default)]
pub(super) struct Served(Mutex<BTreeMap<String, BodyDigest>>);

impl Served {
    fn digest(&self, url: &Url) -> Option<BodyDigest> {
        let mut url = url.clone();
        url.set_fragment(None);
        let served = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        served.get(url.as_str()).copied()
    }

    /// Remembers a complete response.
    fn record(&self, response: &Response) {
        if response.status != 200 || response.truncated || response.body.is_empty() {
            return;
        }
        self.remember(response.url.as_str(), Sha256::digest(&response.body).into());
    }

    fn remember(&self, url: &str, digest: BodyDigest) {
        let mut served = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if served.len() < MAX_SERVED {
            served.insert(url.to_owned(), digest);
        }
    }
}

/// A fetcher that remembers what a site served.
pub(super) struct RecordingFetcher {
    fetcher: Arc<GuardedFetcher>,
    /// The host and port of the site; other sites are not remembered.
    site: url::Origin,
    served: Arc<Served>,
}

impl RecordingFetcher {
    pub(super) fn new(fetcher: Arc<GuardedFetcher>, site: &Url, served: Arc<Served>) -> Self {
        Self {
            fetcher,
            site: site.origin(),
            served,
        }
    }
}

impl Fetcher for RecordingFetcher {
    fn fetch(&self, request: Request) -> FetchFuture<'_> {
        Box::pin(async move {
            let response = self.fetcher.fetch(request).await?;
            if response.url.origin() == self.site {
                self.served.record(&response);
            }
            Ok(response)
        })
    }

    fn inspect_tls(&self, url: Url) -> TlsFuture<'_> {
        self.fetcher.inspect_tls(url)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use rstest::rstest;

    use super::*;

    /// A repository with a site in `web/public`, and a secret beside it.
    struct Repository(PathBuf);

    impl Repository {
        fn new() -> Self {
            static NUMBER: AtomicUsize = AtomicUsize::new(0);
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let name = format!("assay-source-root-{}-{number}", std::process::id());
            let root = std::env::temp_dir().join(name);
            let site = root.join("web/public");
            fs::create_dir_all(site.join("docs")).unwrap();
            fs::create_dir_all(root.join(".git")).unwrap();
            for (file, text) in [
                ("index.html", "<h1>Home</h1>"),
                ("about.html", "<h1>About</h1>"),
                ("docs/index.html", "<h1>Docs</h1>"),
                ("docs/a b.html", "<h1>A b</h1>"),
                ("style.css", "b{}"),
            ] {
                fs::write(site.join(file), text).unwrap();
            }
            fs::write(root.join("secret.html"), "secret").unwrap();
            Self(root)
        }

        fn site(&self) -> SourceRoot {
            SourceRoot::open(&self.0.join("web/public")).unwrap()
        }
    }

    impl Drop for Repository {
        fn drop(&mut self) {
            fs::remove_dir_all(&self.0).ok();
        }
    }

    fn found(root: &SourceRoot, path: &str) -> Option<String> {
        let file = root.find(path)?;
        slashed(file.strip_prefix(&root.folder).unwrap())
    }

    #[rstest]
    #[case("/", Some("index.html"))]
    #[case("/index.html", Some("index.html"))]
    #[case("/about", Some("about.html"))]
    #[case("/about.html", Some("about.html"))]
    #[case("/docs", Some("docs/index.html"))]
    #[case("/docs/", Some("docs/index.html"))]
    #[case("/docs/a%20b", Some("docs/a b.html"))]
    #[case("//docs//", Some("docs/index.html"))]
    #[case("/style.css", Some("style.css"))]
    #[case("/nothing", None)]
    #[case("/about/", None)]
    #[case("/../../secret.html", None)]
    #[case("/%2e%2e/%2e%2e/secret.html", None)]
    #[case("/..%2f..%2fsecret.html", None)]
    #[case("/docs/..%5c..%5csecret", None)]
    #[case("/%00", None)]
    #[case("/%ff", None)]
    #[case("/%zz", None)]
    #[case("/%", None)]
    fn paths_are_looked_up_as_a_file_server_does(#[case] path: &str, #[case] file: Option<&str>) {
        let repository = Repository::new();
        assert_eq!(found(&repository.site(), path).as_deref(), file);
    }

    #[test]
    fn paths_of_many_parts_are_not_looked_up() {
        assert!(parts(&"/a".repeat(MAX_PARTS)).is_some());
        assert_eq!(parts(&"/a".repeat(MAX_PARTS + 1)), None);
    }

    #[test]
    fn addresses_and_responses_are_bounded() {
        let urls: Vec<_> = (0..=MAX_LOOKED_UP)
            .map(|number| format!("https://a.example/{number}"))
            .collect();
        let again = urls.iter().chain(&urls).map(String::as_str);
        assert_eq!(looked_up(again).len(), MAX_LOOKED_UP);
        let twice = ["https://a.example/#a", "https://a.example/#b"];
        assert_eq!(looked_up(twice.into_iter()).len(), 1);

        let served = Served::default();
        for number in 0..=MAX_SERVED {
            served.remember(&format!("https://a.example/{number}"), [0; 32]);
        }
        let digest =
            |number: usize| served.digest(&format!("https://a.example/{number}").parse().unwrap());
        assert!(digest(0).is_some());
        assert_eq!(digest(MAX_SERVED), None);
    }

    #[cfg(unix)]
    #[test]
    fn symbolic_links_do_not_lead_out_of_the_folder() {
        let repository = Repository::new();
        let site = repository.0.join("web/public");
        let link = |to: &Path, name: &str| std::os::unix::fs::symlink(to, site.join(name)).unwrap();
        link(&repository.0.join("secret.html"), "out.html");
        link(&repository.0, "up");
        link(Path::new("about.html"), "same.html");
        let root = repository.site();
        assert_eq!(found(&root, "/out.html"), None);
        assert_eq!(found(&root, "/out"), None);
        assert_eq!(found(&root, "/up/secret.html"), None);
        // Within the folder a link is the file that it names.
        assert_eq!(found(&root, "/same").as_deref(), Some("about.html"));
    }

    #[test]
    fn paths_are_relative_to_the_repository() {
        let repository = Repository::new();
        assert_eq!(repository.site().prefix, "web/public/");
        let root = SourceRoot::open(&repository.0).unwrap();
        assert_eq!(root.prefix, "");
        fs::remove_dir(repository.0.join(".git")).unwrap();
        assert_eq!(repository.site().prefix, "");
        let missing = SourceRoot::open(&repository.0.join("missing")).unwrap_err();
        assert!(missing.starts_with("--source-root "), "{missing}");
        let file = SourceRoot::open(&repository.0.join("secret.html")).unwrap_err();
        assert!(file.ends_with("not a folder"), "{file}");
    }

    #[test]
    fn a_long_file_is_not_compared() {
        let repository = Repository::new();
        let file = repository.0.join("long.html");
        let open = File::create(&file).unwrap();
        open.set_len(MAX_FILE_BYTES).unwrap();
        assert!(file_digest(&file).is_some());
        open.set_len(MAX_FILE_BYTES + 1).unwrap();
        assert_eq!(file_digest(&file), None);
    }
}
