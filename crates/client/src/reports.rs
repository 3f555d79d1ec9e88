//! Reports.

use std::time::Duration;

use api_types::report::{
    CauseList, LinkKind, LinkList, OccurrenceList, PageList, PdfUrl, RedirectList, Report,
    ReportDiff,
};
use bytes::Bytes;
use reqwest::Response;
use reqwest::header::CONTENT_TYPE;

use crate::call::{Call, listed};
use crate::{Client, Error, Reply};

/// The timeout of a document, which may have to be generated first.
pub(crate) const DOCUMENT: Duration = Duration::from_secs(300);

/// A report as a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// The media type of the file.
    pub content_type: String,
    /// The content of the file.
    pub bytes: Bytes,
}

/// Filters and the order of a list of pages; without them, it has all pages in crawl order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageFilter {
    /// The order: `words`, or `-words` for the largest first, for example.
    pub sort: Option<String>,
    /// Pages with one of these statuses: `404,5xx`, for example.
    pub status: Option<String>,
    /// Pages of an issue, by its id.
    pub issue: Option<String>,
    /// Pages whose URL or title contains this text.
    pub text: Option<String>,
}

impl Client {
    /// A report.
    ///
    /// # Errors
    /// When the server returns an error or is unreachable.
    pub async fn report(&self, report: &str) -> Result<Reply<Report>, Error> {
        self.call(Call::get(&["reports", report])).await
    }

    /// A link to a report as PDF, which needs no key.
    ///
    /// # Errors
    /// When the server returns an error or is unreachable.
    pub async fn pdf_url(&self, report: &str) -> Result<Reply<PdfUrl>, Error> {
        let call = Call::get(&["reports", report]).with("format", Some("pdf_url".to_owned()));
        self.call(call).await
    }

    /// A report in a format of the server: `pdf` or one of the exports.
    ///
    /// # Errors
    /// When the server returns an error or is unreachable.
    pub async fn report_as(&self, report: &str, format: &str) -> Result<Document, Error> {
        if format == "pdf" {
            let link = self.pdf_url(report).await?.value;
            return self.linked(&link.url).await;
        }
        let format = (format != "json").then(|| format.to_owned());
        let call = Call::get(&["reports", report]).with("format", format);
        let response = self.send(&call, Some(DOCUMENT)).await?;
        self.document(response).await
    }

    /// A page of the URLs that the run requested.
    ///
    /// # Errors
    /// When the server returns an error or is unreachable.
    pub async fn pages(
        &self,
        report: &str,
        filter: &PageFilter,
        limit: Option<u32>,
        cursor: Option<&str>,
    ) -> Result<Reply<PageList>, Error> {
        let call = Call::get(&["reports", report, "pages"])
            .with("sort", filter.sort.clone())
            .with("status", filter.status.clone())
            .with("issue", filter.issue.clone())
            .with("q", filter.text.clone())
            .with("limit", limit.map(|limit| limit.to_string()))
            .with("cursor", cursor.map(str::to_owned));
        self.call(call).await
    }

    /// A page of the URLs that pages link to, or of those of a kind.
    ///
    /// # Errors
    /// When the server returns an error or is unreachable.
    pub async fn links(
        &self,
        report: &str,
        kind: Option<LinkKind>,
        limit: Option<u32>,
        cursor: Option<&str>,
    ) -> Result<Reply<LinkList>, Error> {
        let call = Call::get(&["reports", report, "links"])
            .with("kind", listed(kind.as_slice())?)
            .with("limit", limit.map(|limit| limit.to_string()))
            .with("cursor", cursor.map(str::to_owned));
        self.call(call).await
    }

    /// A page of the redirect chains.
    ///
    /// # Errors
    /// When the server returns an error or is unreachable.
    pub async fn redirects(
        &self,
        report: &str,
        limit: Option<u32>,
        cursor: Option<&str>,
    ) -> Result<Reply<RedirectList>, Error> {
        let call = Call::get(&["reports", report, "redirects"])
            .with("limit", limit.map(|limit| limit.to_string()))
            .with("cursor", cursor.map(str::to_owned));
        self.call(call).await
    }

    /// A page of the causes of an issue.
    ///
    /// # Errors
    /// When the server returns an error or is unreachable.
    pub async fn causes(
        &self,
        report: &str,
        issue: &str,
        limit: Option<u32>,
        cursor: Option<&str>,
    ) -> Result<Reply<CauseList>, Error> {
        let call = Call::get(&["reports", report, "issues", issue, "causes"])
            .with("limit", limit.map(|limit| limit.to_string()))
            .with("cursor", cursor.map(str::to_owned));
        self.call(call).await
    }

    /// A page of the occurrences of an issue, or of its cause with the given fingerprint.
    ///
    /// # Errors
    /// When the server returns an error or is unreachable.
    pub async fn occurrences(
        &self,
        report: &str,
        issue: &str,
        cause: Option<&str>,
        limit: Option<u32>,
        cursor: Option<&str>,
    ) -> Result<Reply<OccurrenceList>, Error> {
        let call = Call::get(&["reports", report, "issues", issue, "occurrences"])
            .with("cause", cause.map(str::to_owned))
            .with("limit", limit.map(|limit| limit.to_string()))
            .with("cursor", cursor.map(str::to_owned));
        self.call(call).await
    }

    /// The differences between a report and another one.
    ///
    /// # Errors
    /// When the server returns an error or is unreachable.
    pub async fn diff(&self, report: &str, against: &str) -> Result<Reply<ReportDiff>, Error> {
        let call =
            Call::get(&["reports", report, "diff"]).with("against", Some(against.to_owned()));
        self.call(call).await
    }

    pub(crate) async fn document(&self, response: Response) -> Result<Document, Error> {
        let content_type = response.headers().get(CONTENT_TYPE);
        let content_type = content_type.and_then(|value| value.to_str().ok());
        let content_type = content_type
            .unwrap_or("application/octet-stream")
            .to_owned();
        let bytes = response
            .bytes()
            .await
            .map_err(|error| self.unreachable(&error))?;
        Ok(Document {
            content_type,
            bytes,
        })
    }
}
