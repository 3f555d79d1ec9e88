//! PDF rendering of reports.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use domain::ports::{DocumentRequest, RenderError, ReportRenderer};
use report::pdf::{PdfFacts, PdfFonts, missing_characters, render};
use url::Url;

use crate::config::Brands;
use crate::fonts::SystemFonts;

/// Renders PDFs with the brand of the organization, the embedded fonts and, for missing characters, fonts of the system.
pub(super) struct PdfRenderer {
    base_url: String,
    folders: Vec<PathBuf>,
    brands: Brands,
    /// The embedded fonts, unpacked when the first report needs them.
    embedded: OnceLock<PdfFonts>,
    /// The system fonts, scanned when the first report needs them.
    system: OnceLock<SystemFonts>,
    /// The fonts that were added last; the next report often needs the same script.
    added: Mutex<Option<Added>>,
}

struct Added {
    files: Vec<PathBuf>,
    fonts: std::sync::Arc<PdfFonts>,
}

impl PdfRenderer {
    /// Creates a renderer whose links to the documentation of checks begin with `base_url`.
    pub(super) fn new(base_url: String, folders: Vec<PathBuf>, brands: Brands) -> Self {
        Self {
            base_url,
            folders,
            brands,
            embedded: OnceLock::new(),
            system: OnceLock::new(),
            added: Mutex::new(None),
        }
    }

    /// Returns the embedded fonts with system fonts for these characters; `None` if the system has no such fonts.
    fn with_system_fonts(&self, missing: BTreeSet<char>) -> Option<std::sync::Arc<PdfFonts>> {
        let system = self.system.get_or_init(|| SystemFonts::scan(&self.folders));
        let files: Vec<&Path> = system.choose(missing);
        if files.is_empty() {
            return None;
        }
        // Locked while the files are read, so that they are read only once.
        let mut added = self.added.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(added) = &*added
            && added.files == files
        {
            return Some(std::sync::Arc::clone(&added.fonts));
        }
        let bytes = files.iter().filter_map(|path| std::fs::read(path).ok());
        let fonts = std::sync::Arc::new(PdfFonts::with_files(bytes.collect()));
        *added = Some(Added {
            files: files.into_iter().map(Path::to_path_buf).collect(),
            fonts: std::sync::Arc::clone(&fonts),
        });
        Some(fonts)
    }
}

impl ReportRenderer for PdfRenderer {
    fn pdf(&self, request: DocumentRequest<'_>) -> Result<Vec<u8>, RenderError> {
        let stored = request.report;
        let facts = PdfFacts {
            site_name: site_name(&stored.report.url),
            created_at: stored.created_at,
            report_id: Some(stored.id.to_string()),
            product_name: "Assay".to_owned(),
            product_version: env!("CARGO_PKG_VERSION").to_owned(),
            help_base_url: self.base_url.clone(),
            duration_ms: request.run.duration_ms,
            brand: self.brands.of(request.org).cloned(),
            has_appendix: request.has_appendix,
            pictures: request.run.pictures.clone(),
        };
        let embedded = self.embedded.get_or_init(PdfFonts::embedded);
        let missing = missing_characters(&stored.report, &facts, embedded);
        let system = if missing.is_empty() {
            None
        } else {
            self.with_system_fonts(missing)
        };
        let fonts = system.as_deref().unwrap_or(embedded);
        render(&stored.report, &facts, fonts).map_err(|error| RenderError(error.to_string()))
    }
}

/// Returns the host of a report's URL, with its port if that is not a default port.
fn site_name(url: &str) -> String {
    let Ok(parsed) = Url::parse(url) else {
        return url.to_owned();
    };
    match (parsed.host_str(), parsed.port()) {
        (Some(host), Some(port)) => format!("{host}:{port}"),
        (Some(host), None) => host.to_owned(),
        (None, _) => url.to_owned(),
    }
}
