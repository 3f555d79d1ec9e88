//! The stylesheet, the script and the icon, whose paths contain the hash of their content, so browsers keep them; and the
//! files that clients ask for at paths of their own: `favicon.ico` and `robots.txt`.

use std::sync::LazyLock;

use actix_web::HttpResponse;
use actix_web::http::header;
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

/// A file of the pages.
#[derive(Debug)]
pub(crate) struct Asset {
    pub(crate) path: String,
    media_type: &'static str,
    content: &'static [u8],
    /// Whether its path changes with its content.
    pub(crate) is_permanent: bool,
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

/// The icon at 16 and 32 pixels, for browsers that show a document without a link to an icon.
static FAVICON: LazyLock<Asset> = LazyLock::new(|| {
    Asset::at(
        "/favicon.ico",
        "image/vnd.microsoft.icon",
        include_bytes!("assets/favicon.ico"),
    )
});
/// No page of the service belongs in a search index.
static ROBOTS: LazyLock<Asset> = LazyLock::new(|| {
    Asset::at(
        "/robots.txt",
        "text/plain; charset=utf-8",
        b"User-agent: *\nDisallow: /\n",
    )
});

impl Asset {
    fn new(name: &str, extension: &str, media_type: &'static str, content: &'static str) -> Self {
        let digest = HEXLOWER.encode(&Sha256::digest(content));
        let hash = digest.get(..16).unwrap_or_default();
        Self {
            path: format!("/assets/{name}.{hash}.{extension}"),
            media_type,
            content: content.as_bytes(),
            is_permanent: true,
        }
    }

    /// A file at a path that clients know; they ask for it again after a day.
    fn at(path: &str, media_type: &'static str, content: &'static [u8]) -> Self {
        Self {
            path: path.to_owned(),
            media_type,
            content,
            is_permanent: false,
        }
    }

    /// The file as the response to a request.
    pub(crate) fn respond(&self) -> HttpResponse {
        let cached = match self.is_permanent {
            true => "public, max-age=31536000, immutable",
            false => "public, max-age=86400",
        };
        HttpResponse::Ok()
            .insert_header((header::CONTENT_TYPE, self.media_type))
            .insert_header((header::CACHE_CONTROL, cached))
            .body(self.content)
    }
}

/// All files.
pub(crate) fn all() -> [&'static Asset; 5] {
    [&STYLESHEET, &SCRIPT, &ICON, &FAVICON, &ROBOTS]
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

/// The icon for browsers that ask for it at its usual path.
#[cfg(test)]
pub(crate) fn favicon() -> &'static [u8] {
    FAVICON.content
}
