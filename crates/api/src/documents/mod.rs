//! Documents, made when they are asked for and kept for a while.

mod file_name;

use std::collections::{HashSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use actix_web::rt::time::timeout;
use actix_web::web::Bytes;
use chrono::{DateTime, Utc};
use data_encoding::HEXLOWER;
use domain::id::{OrgId, ReportId};
use domain::link::ReportLink;
use domain::ports::{ReportRenderer, StoreError, StoredReport};
use domain::report::Variant;
use sha2::{Digest, Sha256};

pub(crate) use file_name::file_name;

use httpkit::problem::Problem;
use httpkit::rate_limits::Exports;

/// What is kept at most, so that the pieces of a download come from one document, made once.
const MAX_KEPT: usize = 16;
const MAX_KEPT_BYTES: usize = 64 * 1_024 * 1_024;

/// How long a caller waits until a document is made at most.
const PATIENCE: Duration = Duration::from_secs(30);

/// Which document: a report in the shape of a variant.
pub(crate) type DocumentKey = (ReportId, Variant);

/// A document, ready to be sent.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Document {
    pub(crate) bytes: Bytes,
    /// Its strong entity tag, quotes and all: the same bytes have the same one.
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

/// Makes documents on the threads of exports, and keeps the last ones.
///
/// All servers of a process share one. It keeps 16 documents at most and 64 MiB; whether somebody may
/// have one is judged before it is asked.
pub struct Documents {
    request_timeout: Duration,
    shelf: Mutex<Shelf>,
    /// Links that were used and may still work: report and end.
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

    /// Whether a link is used for the first time at this process. What no longer works is forgotten.
    pub(crate) fn is_first_use(&self, link: &ReportLink, now: DateTime<Utc>) -> bool {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        used.retain(|(_, end)| *end > now);
        used.insert((link.report_id.clone(), link.expires_at))
    }

    /// The document of a report, if it is kept.
    pub(crate) fn kept(&self, key: &DocumentKey) -> Option<Arc<Document>> {
        self.shelf().get(key)
    }

    /// The document of an organization's report, which is loaded only where the document is not kept.
    ///
    /// # Errors
    /// `not_found` where there is no such report any more, `rate_limited` when no thread is free in time,
    /// `unavailable` when it takes too long or the database is away, `internal` when the renderer fails.
    pub(crate) async fn document(
        self: &Arc<Self>,
        key: DocumentKey,
        (exports, org): (&Exports, &OrgId),
        renderer: Arc<dyn ReportRenderer>,
        load: impl FnOnce() -> Result<Option<StoredReport>, StoreError> + Send + 'static,
    ) -> Result<Arc<Document>, Problem> {
        let thread = exports.thread(org).await?;
        // Whoever had the thread before may have made it.
        if let Some(kept) = self.kept(&key) {
            return Ok(kept);
        }
        let this = Arc::clone(self);
        let make = move || {
            let report = load()?.ok_or_else(Problem::not_found)?;
            let rendered = renderer.pdf(&report);
            let bytes = rendered.map_err(|error| Problem::internal(error.to_string()))?;
            let document = Arc::new(Document::new(&report, bytes));
            this.shelf().put(key, Arc::clone(&document));
            Ok(document)
        };
        timeout(self.request_timeout, thread.run("document", make))
            .await
            .unwrap_or_else(|_| Err(Problem::unavailable("no document was made in time")))?
    }

    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Documents that are kept; the one that was used last stands last.
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
        // It would push all others out and not stay itself.
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
