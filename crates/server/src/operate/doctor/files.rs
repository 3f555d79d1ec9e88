//! Checks of files that the service uses: its key and fonts.

use std::path::PathBuf;

use super::Finding;
use crate::config::Service;
use crate::secret_key as key;

pub(super) fn secret_key(service: &Service) -> Finding {
    const CHECK: &str = "secret.key";
    match key::read(&service.data_dir) {
        Ok(Some(_)) => Finding::fine(CHECK, "it exists, and only its owner can read it"),
        Ok(None) => Finding::warning(
            CHECK,
            format!("{} does not contain one", service.data_dir.display()),
            "before the first start there is nothing to do: `assay serve` creates it. If the database already has encrypted headers, put back the file that belongs to it",
        ),
        Err(error) => Finding::problem(
            CHECK,
            error.to_string(),
            "the service does not start without a readable key",
        ),
    }
}

#[cfg(feature = "pdf")]
pub(super) fn fonts(service: &Service) -> Finding {
    const CHECK: &str = "fonts";
    let count = crate::fonts::font_files(&service.font_dirs);
    if count > 0 {
        return Finding::fine(
            CHECK,
            format!("{count} font files in addition to the built-in ones"),
        );
    }
    let folders: Vec<String> = service
        .font_dirs
        .iter()
        .map(|folder: &PathBuf| folder.display().to_string())
        .collect();
    Finding::warning(
        CHECK,
        format!("no fonts found in {}", folders.join(", ")),
        "for reports in other scripts than Latin, Greek, Cyrillic, Hebrew and plain Arabic install fonts (Debian: fonts-noto-cjk), or add their folder to pdf.font_dirs",
    )
}

#[cfg(not(feature = "pdf"))]
pub(super) fn fonts(_service: &Service) -> Finding {
    let _: Option<PathBuf> = None;
    Finding::fine("fonts", "this build creates no PDFs and needs no fonts")
}
