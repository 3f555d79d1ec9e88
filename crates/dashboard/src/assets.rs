//! The stylesheet, the script and the icon. Their paths contain the hash of their content, so browsers keep them.

use std::sync::LazyLock;

use actix_web::HttpResponse;
use actix_web::http::header;
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

/// A file of every page.
#[derive(Debug)]
pub(crate) struct Asset {
    pub(crate) path: String,
    media_type: &'static str,
    content: &'static str,
}

static STYLESHEET: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new(
        "style",
        "css",
        "text/css; charset=utf-8",
        include_str!("assets/style.css"),
    )
});
static SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new(
        "script",
        "js",
        "text/javascript; charset=utf-8",
        include_str!("assets/script.js"),
    )
});
static ICON: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new(
        "icon",
        "svg",
        "image/svg+xml",
        include_str!("assets/icon.svg"),
    )
});

impl Asset {
    fn new(name: &str, extension: &str, media_type: &'static str, content: &'static str) -> Self {
        let digest = HEXLOWER.encode(&Sha256::digest(content));
        let hash = digest.get(..16).unwrap_or_default();
        Self {
            path: format!("/assets/{name}.{hash}.{extension}"),
            media_type,
            content,
        }
    }

    /// The file as the response to a request.
    pub(crate) fn respond(&self) -> HttpResponse {
        HttpResponse::Ok()
            .insert_header((header::CONTENT_TYPE, self.media_type))
            .insert_header((header::CACHE_CONTROL, "public, max-age=31536000, immutable"))
            .body(self.content)
    }
}

/// All files.
pub(crate) fn all() -> [&'static Asset; 3] {
    [&STYLESHEET, &SCRIPT, &ICON]
}

/// The path of the stylesheet.
pub(crate) fn stylesheet() -> &'static str {
    &STYLESHEET.path
}

/// The path of the script.
pub(crate) fn script() -> &'static str {
    &SCRIPT.path
}

/// The path of the icon.
pub(crate) fn icon() -> &'static str {
    &ICON.path
}
