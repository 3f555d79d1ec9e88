//! Documents, generated on request and cached.

use std::collections::{HashSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use actix_web::rt::time::timeout;
use actix_web::web::Bytes;
use chrono::{DateTime, Utc};
use data_encoding::HEXLOWER;
use domain::id::{OrgId, ReportId};
use domain::link::ReportLink;
use domain::ports::{DocumentRequest, ReportRenderer, StoreError, StoredReport};
use domain::report::{RunFacts, Variant, file_name};
use sha2::{Digest, Sha256};

use httpkit::problem::Problem;
use httpkit::rate_limits::Exports;

/// The limits of the cache, so that all ranges of a download come from one document.
const MAX_KEPT: usize = 16;
const MAX_KEPT_BYTES: usize = 64 * 1_024 * 1_024;

/// The maximum time that a caller waits for a document.
const PATIENCE: Duration = Duration::from_secs(30);

/// A report of which a document is generated.
#[derive(Debug)]
pub(crate) struct LoadedReport {
    pub(crate) report: StoredReport,
    /// What its run saw besides.
    pub(crate) run: RunFacts,
}

/// The cache key: a report in a variant.
pub(crate) type DocumentKey = (ReportId, Variant);

/// A generated document.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Document {
    pub(crate) bytes: Bytes,
    /// The strong entity tag with quotes: equal bytes have equal tags.
    pub(crate) etag: String,
    pub(crate) file_name: String,
}

impl Document {
    fn new(report: &StoredReport, bytes: Vec<u8>) -> Self {
        let hash = Sha256::digest(&bytes);
        let digits = HEXLOWER.encode(hash.get(..16).unwrap_or_default());
        Self {
            bytes: bytes.into(),
            etag: format!("\"{digits}\""),
            file_name: file_name(&report.report.url, report.created_at, "pdf"),
        }
    }
}

/// Generates documents on the export threads and caches the most recently used ones.
///
/// All servers of a process share one. It caches at most 16 documents and 64 MiB. Callers check access before they
/// use it.
pub struct Documents {
    request_timeout: Duration,
    shelf: Mutex<Shelf>,
    /// Used links that have not expired: report and expiry.
    used: Mutex<HashSet<(ReportId, DateTime<Utc>)>>,
}

impl Default for Documents {
    fn default() -> Self {
        Self::new(PATIENCE)
    }
}

impl Documents {
    fn new(request_timeout: Duration) -> Self {
        Self {
            request_timeout,
            shelf: Mutex::default(),
            used: Mutex::default(),
        }
    }

    /// Whether a link is used for the first time in this process. Expired links are forgotten.
    pub(crate) fn is_first_use(&self, link: &ReportLink, now: DateTime<Utc>) -> bool {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        used.retain(|(_, end)| *end > now);
        used.insert((link.report_id.clone(), link.expires_at))
    }

    /// The document of a report, if it is cached.
    pub(crate) fn kept(&self, key: &DocumentKey) -> Option<Arc<Document>> {
        self.shelf().get(key)
    }

    /// The document of an organization's report, which is loaded only if the document is not cached.
    ///
    /// # Errors
    /// `not_found` if the report no longer exists, `rate_limited` if no thread is free in time, `unavailable` if
    /// it takes too long or the database is unreachable, `internal` if the renderer fails.
    pub(crate) async fn document(
        self: &Arc<Self>,
        key: DocumentKey,
        (exports, org): (&Exports, &OrgId),
        renderer: Arc<dyn ReportRenderer>,
        load: impl FnOnce() -> Result<Option<LoadedReport>, StoreError> + Send + 'static,
    ) -> Result<Arc<Document>, Problem> {
        let thread = exports.thread(org).await?;
        // The previous user of the thread may have generated it.
        if let Some(kept) = self.kept(&key) {
            return Ok(kept);
        }
        let this = Arc::clone(self);
        let org_id = org.clone();
        let make = move || {
            let loaded = load()?.ok_or_else(Problem::not_found)?;
            let report = loaded.report;
            let rendered = renderer.pdf(DocumentRequest {
                org: &org_id,
                report: &report,
                run: &loaded.run,
                has_appendix: false,
            });
            let bytes = rendered.map_err(|error| Problem::internal(error.to_string()))?;
            let document = Arc::new(Document::new(&report, bytes));
            this.shelf().put(key, Arc::clone(&document));
            Ok(document)
        };
        timeout(self.request_timeout, thread.run("document", make))
            .await
            .unwrap_or_else(|_| {
                Err(Problem::unavailable(
                    "the document was not generated in time",
                ))
            })?
    }

    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The cached documents; the most recently used one is last.
#[derive(Default)]
struct Shelf(VecDeque<(DocumentKey, Arc<Document>)>);

impl Shelf {
    fn get(&mut self, key: &DocumentKey) -> Option<Arc<Document>> {
        let entry = self.take(key)?;
        let document = Arc::clone(&entry.1);
        self.0.push_back(entry);
        Some(document)
    }

    fn put(&mut self, key: DocumentKey, document: Arc<Document>) {
        self.take(&key);
        // It would evict all others without fitting.
        if document.bytes.len() > MAX_KEPT_BYTES {
            return;
        }
        self.0.push_back((key, document));
        while self.0.len() > MAX_KEPT || self.bytes() > MAX_KEPT_BYTES {
            self.0.pop_front();
        }
    }

    fn take(&mut self, key: &DocumentKey) -> Option<(DocumentKey, Arc<Document>)> {
        let place = self.0.iter().position(|(known, _)| known == key)?;
        self.0.remove(place)
    }

    fn bytes(&self) -> usize {
        self.0.iter().map(|(_, kept)| kept.bytes.len()).sum()
    }
}

#[cfg(test)]
mod tests;
