//! Cache of static pages and documents: each is rendered and compressed once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse};

use crate::compression::{self, ACCEPT_ENCODING, GZIP, MIN_BYTES};
use crate::problem::Problem;
use crate::request_timeout::RequestTimeout;

/// Maximum cached pages; any further page is rendered for each request. There are the files
/// of the explorer and one OpenAPI document.
const MAX_PAGES: usize = 64;

/// A cached page.
#[derive(Debug)]
pub struct CachedPage {
    /// Its media type.
    pub content_type: String,
    /// The Content Security Policy of the page; `None` for the default policy.
    pub policy: Option<&'static str>,
    /// The page body.
    pub bytes: Bytes,
    gzip: Option<Bytes>,
}

/// The cached pages, by name.
#[derive(Debug, Default)]
pub struct PageCache(Mutex<HashMap<String, Arc<CachedPage>>>);

impl CachedPage {
    /// Creates a page, with its compressed form if that is smaller.
    pub fn new(
        content_type: impl Into<String>,
        policy: Option<&'static str>,
        bytes: impl Into<Bytes>,
    ) -> Self {
        let bytes = bytes.into();
        let gzip = (bytes.len() >= MIN_BYTES)
            .then(|| compression::compress_once(&bytes))
            .flatten();
        Self {
            content_type: content_type.into(),
            policy,
            bytes,
            gzip: gzip.map(Bytes::from),
        }
    }

    /// Creates the response to a request.
    pub fn respond(&self, request: &HttpRequest) -> HttpResponse {
        let mut response = HttpResponse::Ok();
        response.content_type(self.content_type.as_str());
        if let Some(policy) = self.policy {
            let header: (HeaderName, _) = (header::CONTENT_SECURITY_POLICY, policy);
            response.insert_header(header);
        }
        let Some(gzip) = &self.gzip else {
            return response.body(Bytes::clone(&self.bytes));
        };
        response.insert_header((header::VARY, ACCEPT_ENCODING));
        if compression::takes_gzip(request) {
            let coding: (HeaderName, HeaderValue) = (header::CONTENT_ENCODING, GZIP);
            return response.insert_header(coding).body(Bytes::clone(gzip));
        }
        response.body(Bytes::clone(&self.bytes))
    }
}

impl PageCache {
    /// Returns the page of that name; renders it on a blocking thread if it is not cached.
    ///
    /// # Errors
    /// Errors of `make` and of [`RequestTimeout::block`].
    pub async fn page(
        &self,
        name: &str,
        make: impl FnOnce() -> Result<CachedPage, Problem> + Send + 'static,
    ) -> Result<Arc<CachedPage>, Problem> {
        if let Some(page) = self.find(name) {
            return Ok(page);
        }
        let page = Arc::new(RequestTimeout::default().block(make).await??);
        let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if pages.len() < MAX_PAGES {
            pages.insert(name.to_owned(), Arc::clone(&page));
        }
        Ok(page)
    }

    fn find(&self, name: &str) -> Option<Arc<CachedPage>> {
        let pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        pages.get(name).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[actix_web::test]
    async fn a_page_is_rendered_once_and_the_cache_is_bounded() {
        let cache = PageCache::default();
        let make = || Ok(CachedPage::new("text/plain", None, "page"));
        for number in 0..=MAX_PAGES {
            cache.page(&number.to_string(), make).await.unwrap();
        }
        let made_again = || Err(Problem::not_found());
        assert!(cache.page("0", made_again).await.is_ok());
        assert!(
            cache
                .page(&MAX_PAGES.to_string(), made_again)
                .await
                .is_err()
        );
    }
}
