use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use domain::id::{RunId, SiteId};
use domain::ports::{DocumentRequest, IdSource, RenderError};
use testkit::{SequentialIds, sample};

use super::*;
use httpkit::limits::CallerLimits;
use httpkit::problem::Code;

fn stored(ids: &dyn IdSource) -> StoredReport {
    let completed = sample::completed_run(ids, &sample::clean_audit_result());
    StoredReport {
        id: completed.report_id,
        run_id: RunId::make(ids),
        site_id: SiteId::make(ids),
        created_at: sample::noon(),
        report: completed.reports.current,
        issues: Vec::new(),
    }
}

fn key(report: &StoredReport) -> DocumentKey {
    (report.id.clone(), Variant::Current)
}

/// Makes documents of that many bytes, counts them, and fails from a number on.
struct Printer {
    size: usize,
    made: AtomicUsize,
    fails_after: usize,
}

impl Printer {
    fn new(size: usize) -> Arc<Self> {
        Arc::new(Self {
            size,
            made: AtomicUsize::new(0),
            fails_after: usize::MAX,
        })
    }
}

impl ReportRenderer for Printer {
    fn pdf(&self, request: DocumentRequest<'_>) -> Result<Vec<u8>, RenderError> {
        if self.made.fetch_add(1, Ordering::Relaxed) >= self.fails_after {
            return Err(RenderError("no font".to_owned()));
        }
        let mut bytes = request.report.id.as_str().as_bytes().to_vec();
        bytes.resize(self.size, b' ');
        Ok(bytes)
    }
}

fn loaded(report: &StoredReport) -> LoadedReport {
    LoadedReport {
        report: report.clone(),
        run: RunFacts::default(),
    }
}

/// As the adapter asks: what is kept is not made again.
async fn ask(
    documents: &Arc<Documents>,
    printer: &Arc<Printer>,
    report: &StoredReport,
) -> Result<Arc<Document>, Problem> {
    if let Some(kept) = documents.kept(&key(report)) {
        return Ok(kept);
    }
    let loaded = loaded(report);
    make(documents, key(report), printer, || Ok(Some(loaded))).await
}

async fn make(
    documents: &Arc<Documents>,
    key: DocumentKey,
    printer: &Arc<Printer>,
    load: impl FnOnce() -> Result<Option<LoadedReport>, StoreError> + Send + 'static,
) -> Result<Arc<Document>, Problem> {
    let exports = Exports::new(CallerLimits::default().exports, 1);
    let org = OrgId::make(&SequentialIds::default());
    let renderer = Arc::clone(printer);
    documents
        .document(key, (&exports, &org), renderer, load)
        .await
}

#[actix_web::test]
async fn a_document_is_made_once_and_has_a_tag_of_its_bytes() {
    let ids = SequentialIds::default();
    let (documents, printer) = (Arc::new(Documents::default()), Printer::new(100));
    let (one, other) = (stored(&ids), stored(&ids));
    let first = ask(&documents, &printer, &one).await.unwrap();
    let again = ask(&documents, &printer, &one).await.unwrap();
    assert!(Arc::ptr_eq(&first, &again));
    assert_eq!(printer.made.load(Ordering::Relaxed), 1);
    assert_eq!(first.file_name, "assay-www.example.com-2026-11-21.pdf");
    let other = ask(&documents, &printer, &other).await.unwrap();
    assert_ne!(first.etag, other.etag);
    let elsewhere = ask(&Arc::new(Documents::default()), &printer, &one).await;
    assert_eq!(first, elsewhere.unwrap());
}

#[actix_web::test]
async fn the_shapes_of_a_report_are_documents_of_their_own() {
    let (documents, printer) = (Arc::new(Documents::default()), Printer::new(100));
    let report = stored(&SequentialIds::default());
    ask(&documents, &printer, &report).await.unwrap();
    let legacy = (report.id.clone(), Variant::Legacy);
    let made = make(&documents, legacy, &printer, move || {
        Ok(Some(loaded(&report)))
    })
    .await;
    assert!(made.is_ok());
    assert_eq!(printer.made.load(Ordering::Relaxed), 2);
}

#[actix_web::test]
async fn the_number_of_documents_is_bounded_and_the_one_used_last_stays() {
    let ids = SequentialIds::default();
    let (documents, printer) = (Arc::new(Documents::default()), Printer::new(100));
    let used = stored(&ids);
    for _ in 0..40 {
        ask(&documents, &printer, &stored(&ids)).await.unwrap();
        ask(&documents, &printer, &used).await.unwrap();
        assert!(documents.shelf().0.len() <= MAX_KEPT);
    }
    assert_eq!(documents.shelf().0.len(), MAX_KEPT);
    assert_eq!(printer.made.load(Ordering::Relaxed), 41);
}

#[actix_web::test]
async fn their_bytes_are_bounded_too() {
    let ids = SequentialIds::default();
    let documents = Arc::new(Documents::default());
    let printer = Printer::new(MAX_KEPT_BYTES / 2 - 1);
    for _ in 0..4 {
        ask(&documents, &printer, &stored(&ids)).await.unwrap();
        assert!(documents.shelf().bytes() <= MAX_KEPT_BYTES);
    }
    assert_eq!(documents.shelf().0.len(), 2);
    let huge = Printer::new(MAX_KEPT_BYTES + 1);
    ask(&documents, &huge, &stored(&ids)).await.unwrap();
    assert_eq!(documents.shelf().0.len(), 2, "it is sent and not kept");
}

#[actix_web::test]
async fn what_fails_is_not_kept() {
    let documents = Arc::new(Documents::default());
    let report = stored(&SequentialIds::default());
    let broken = Arc::new(Printer {
        size: 0,
        made: AtomicUsize::new(0),
        fails_after: 0,
    });
    let problem = ask(&documents, &broken, &report).await.unwrap_err();
    assert_eq!(problem.code(), Code::Internal);
    assert!(ask(&documents, &Printer::new(1), &report).await.is_ok());
}

#[actix_web::test]
async fn a_report_that_is_gone_meanwhile_is_not_found() {
    let documents = Arc::new(Documents::default());
    let wanted = key(&stored(&SequentialIds::default()));
    let gone = make(&documents, wanted, &Printer::new(1), || Ok(None)).await;
    assert_eq!(gone.unwrap_err().code(), Code::NotFound);
}

#[actix_web::test]
async fn who_waits_too_long_is_told_so_and_the_document_is_kept_for_whoever_comes_next() {
    let ids = SequentialIds::default();
    let documents = Arc::new(Documents::new(Duration::from_millis(20)));
    let exports = Exports::new(CallerLimits::default().exports, 1);
    let org = OrgId::make(&ids);
    let (release, held) = mpsc::channel::<()>();
    let slow = stored(&ids);
    let loaded = loaded(&slow);
    let load = move || {
        let _ = held.recv();
        Ok(Some(loaded))
    };
    let late = documents
        .document(key(&slow), (&exports, &org), Printer::new(1), load)
        .await;
    assert_eq!(late.unwrap_err().code(), Code::Unavailable);
    drop(release);
    // The one thread is free again when the document is made.
    assert!(exports.thread(&org).await.is_ok());
    assert!(documents.kept(&key(&slow)).is_some());
}
