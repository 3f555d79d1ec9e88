//! The style sheets and scripts of a site that pages are evaluated with, requested when the first page that loads them
//! is evaluated.

use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::OnceCell;
use url::Url;

use super::exchange::Exchange;
use super::file::{File, fetch};
use crate::address::without_fragment;
use crate::bounds::MAX_STYLESHEET_BYTES;
use crate::bounds::style::{
    MAX_IMPORT_DEPTH, MAX_IMPORTS_OF_A_FILE, MAX_SCRIPT_FILES, MAX_SHEET_FILES, MAX_SHEET_PARTS,
};
use crate::page::ResourceKind;
use crate::style::{
    Condition, HidingClasses, LinkedScripts, LinkedSheet, LinkedSheets, imports, is_of_fonts,
};
use crate::view::Page;

/// How long pages wait for a sheet.
const SHEET_TIMEOUT: Duration = Duration::from_secs(20);

type Cell<T> = Arc<OnceCell<Option<Arc<T>>>>;

/// The style sheets of a site. Each file is requested once, regardless of how many pages and sheets reference
/// it.
pub(crate) struct Sheets {
    exchange: Arc<Exchange>,
    may_request: Box<dyn Fn(&Url) -> bool + Send + Sync>,
    files: Mutex<HashMap<Url, Cell<File>>>,
    sheets: Mutex<HashMap<Url, Cell<LinkedSheet>>>,
    /// The hiding classes that each script names.
    scripts: Mutex<HashMap<Url, Cell<HidingClasses>>>,
    room: AtomicUsize,
    /// How many more scripts may be requested.
    script_room: AtomicUsize,
    /// Bytes of files that may still be kept.
    file_bytes: AtomicUsize,
    /// Bytes of scripts that may still be kept.
    script_bytes: AtomicUsize,
    /// Bytes of text that may still be parsed into rules.
    rule_bytes: AtomicUsize,
}

impl std::fmt::Debug for Sheets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sheets")
            .field("room", &self.room)
            .finish_non_exhaustive()
    }
}

/// A file of a sheet, and when its rules apply.
type Part = (Condition, Arc<File>);

impl Sheets {
    /// An empty set. Only URLs that `may_request` allows are requested.
    pub(crate) fn new(
        exchange: Arc<Exchange>,
        may_request: impl Fn(&Url) -> bool + Send + Sync + 'static,
    ) -> Self {
        Self {
            exchange,
            may_request: Box::new(may_request),
            files: Mutex::default(),
            sheets: Mutex::default(),
            scripts: Mutex::default(),
            room: AtomicUsize::new(MAX_SHEET_FILES),
            script_room: AtomicUsize::new(MAX_SCRIPT_FILES),
            file_bytes: AtomicUsize::new(MAX_STYLESHEET_BYTES),
            script_bytes: AtomicUsize::new(MAX_STYLESHEET_BYTES),
            rule_bytes: AtomicUsize::new(MAX_STYLESHEET_BYTES),
        }
    }

    /// The exchange that sends the requests.
    pub(crate) fn exchange(&self) -> &Exchange {
        &self.exchange
    }

    /// The sheets that the page links to, without those that are unavailable. None if one was not requested
    /// yet, so that [`Self::request_linked`] must be called first.
    pub(crate) fn linked_by(&self, page: &Page) -> Option<LinkedSheets> {
        let mut found = LinkedSheets::new();
        let mut linked = page.stylesheets().peekable();
        linked.peek()?;
        let sheets = self.sheets.lock().unwrap_or_else(PoisonError::into_inner);
        for (_, url) in linked {
            if let Some(sheet) = sheets.get(url)?.get()? {
                found.insert(url.clone(), Arc::clone(sheet));
            }
        }
        Some(found)
    }

    /// Requests the sheets that the page links to and that were not requested yet. Waits for those that are in
    /// flight.
    pub(crate) async fn request_linked(&self, page: &Page) {
        let urls: Vec<Url> = page.stylesheets().map(|(_, url)| url.clone()).collect();
        futures_util::future::join_all(urls.iter().map(|url| self.sheet(url))).await;
    }

    /// The facts about the scripts that the page loads. None if they matter and one was not requested yet, so that
    /// [`Self::request_scripts`] must be called first.
    pub(crate) fn scripts_of(&self, page: &Page) -> Option<LinkedScripts> {
        if page.linked_scripts().next().is_none() || !page.has_hiding_class() {
            return Some(LinkedScripts::default());
        }
        let scripts = self.scripts.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found = Vec::new();
        for url in page.linked_scripts() {
            found.push(if page.site().contains(url) {
                scripts.get(url)?.get()?.as_deref().copied()
            } else {
                None
            });
        }
        Some(LinkedScripts::of(found.into_iter()))
    }

    /// Requests the scripts of its own site that the page loads, if they matter and were not requested yet. Waits
    /// for those that are in flight.
    pub(crate) async fn request_scripts(&self, page: &Page) {
        if !page.has_hiding_class() {
            return;
        }
        let urls = page
            .linked_scripts()
            .filter(|url| page.site().contains(url));
        let urls: Vec<Url> = urls.cloned().collect();
        futures_util::future::join_all(urls.iter().map(|url| self.script(url))).await;
    }

    async fn script(&self, url: &Url) {
        let cell = cell(&self.scripts, url);
        cell.get_or_init(|| async {
            let fetched = self.fetched(url, ResourceKind::Script);
            let file = tokio::time::timeout(SHEET_TIMEOUT, fetched).await.ok()??;
            let is_read = file.is_read_whole() && !file.is_dropped();
            is_read.then(|| Arc::new(HidingClasses::named_by(&file.text())))
        })
        .await;
    }

    /// The file at the URL, if it was requested.
    pub(crate) fn file(&self, url: &Url) -> Option<Arc<File>> {
        let files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        files.get(url)?.get()?.clone()
    }

    async fn sheet(&self, url: &Url) {
        let cell = cell(&self.sheets, url);
        cell.get_or_init(|| async {
            // Sheets that take longer are requested again with all other resources, when no page waits.
            let read = tokio::time::timeout(SHEET_TIMEOUT, self.read(url)).await;
            read.ok().flatten().map(Arc::new)
        })
        .await;
    }

    async fn read(&self, url: &Url) -> Option<LinkedSheet> {
        let (mut parts, mut room) = (Vec::new(), MAX_SHEET_PARTS);
        let part = (url.clone(), Condition::ALWAYS);
        let is_complete = self.collect(part, 0, &mut room, &mut parts).await;
        if self.file(url).is_some_and(|file| file.is_dropped()) {
            return Some(LinkedSheet::without_room());
        }
        // Visitors do not get a sheet either that does not exist.
        let is_absent = |file: Arc<File>| matches!(file.status, Ok(404 | 410));
        if parts.is_empty() && self.file(url).is_some_and(is_absent) {
            return Some(LinkedSheet::absent());
        }
        // The file of the sheet itself. Without it there is no sheet.
        parts.last()?;
        let bytes = parts.iter().map(|(_, file)| file.kept_bytes()).sum();
        if !reserve(&self.rule_bytes, bytes) {
            return Some(LinkedSheet::without_room());
        }
        let texts: Vec<(Condition, String, &Url)> = parts
            .iter()
            .map(|(condition, file)| (*condition, file.text(), &file.base))
            .collect();
        let sheet =
            LinkedSheet::read(texts.iter().map(|(when, css, base)| (*when, &**css, *base)))?;
        Some(if is_complete {
            sheet
        } else {
            sheet.with_a_part_missing()
        })
    }

    /// Adds the file at the URL after the files that it imports. Returns whether all of them were read. `room`
    /// is the number of further files that may be read. A file that fails counts as well, because a file may
    /// import itself without end.
    fn collect<'a>(
        &'a self,
        (url, condition): (Url, Condition),
        depth: usize,
        room: &'a mut usize,
        parts: &'a mut Vec<Part>,
    ) -> Pin<Box<dyn Future<Output = bool> + Send + 'a>> {
        Box::pin(async move {
            if *room == 0 {
                return false;
            }
            *room -= 1;
            // The following work runs on this thread, and other tasks wait for it.
            tokio::task::yield_now().await;
            let file = self.fetched(&url, ResourceKind::Stylesheet).await;
            // Imports of an error page or an incomplete file are ignored.
            let Some(file) = file.filter(|file| file.is_read_whole()) else {
                return false;
            };
            let imports = imports(&file.text(), MAX_IMPORTS_OF_A_FILE + 1);
            let mut is_complete = imports.len() <= MAX_IMPORTS_OF_A_FILE;
            for import in imports.into_iter().take(MAX_IMPORTS_OF_A_FILE) {
                let condition = condition.and(import.condition);
                let target = file.base.join(&import.address).ok();
                is_complete &= match target.map(|url| without_fragment(&url)) {
                    _ if condition.is_never() => true,
                    Some(target) if depth < MAX_IMPORT_DEPTH => {
                        let of_fonts = is_of_fonts(&target);
                        let part = (target, condition);
                        self.collect(part, depth + 1, room, parts).await || of_fonts
                    }
                    _ => false,
                };
            }
            parts.push((condition, file));
            is_complete
        })
    }

    async fn fetched(&self, url: &Url, kind: ResourceKind) -> Option<Arc<File>> {
        let has_place = matches!(url.scheme(), "http" | "https") && (self.may_request)(url);
        if !has_place {
            return None;
        }
        let cell = cell(&self.files, url);
        let file = cell.get_or_init(|| async {
            let (room, bytes) = match kind {
                ResourceKind::Script => (&self.script_room, &self.script_bytes),
                _ => (&self.room, &self.file_bytes),
            };
            if !reserve(room, 1) {
                return None;
            }
            let mut file = fetch(&self.exchange, url, kind, &self.may_request).await;
            if !reserve(bytes, file.kept_bytes()) {
                file.drop_body();
            }
            Some(Arc::new(file))
        });
        file.await.clone()
    }
}

/// Subtracts from the remaining amount. Returns false if there is less.
fn reserve(left: &AtomicUsize, wanted: usize) -> bool {
    let take = |left: usize| left.checked_sub(wanted);
    let taken = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take);
    taken.is_ok()
}

fn cell<T>(cells: &Mutex<HashMap<Url, Cell<T>>>, url: &Url) -> Cell<T> {
    let mut cells = cells.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = cells.get(url) {
        return Arc::clone(known);
    }
    let cell = Cell::default();
    cells.insert(url.clone(), Arc::clone(&cell));
    cell
}
