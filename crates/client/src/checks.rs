//! The catalogue of checks.

use api_types::check::CheckList;

use crate::call::Call;
use crate::{Client, Error, Reply};

impl Client {
    /// The checks of the server.
    ///
    /// # Errors
    /// When the server returns an error or is unreachable.
    pub async fn checks(&self) -> Result<Reply<CheckList>, Error> {
        self.call(Call::get(&["checks"])).await
    }

    /// What a check finds and how to fix it, as Markdown.
    ///
    /// # Errors
    /// When the server returns an error or is unreachable.
    pub async fn check_page(&self, check: &str) -> Result<String, Error> {
        let page = format!("{check}.md");
        let bytes = self.bytes(&Call::page(&["checks", &page])).await?;
        String::from_utf8(bytes.to_vec()).map_err(|error| self.strange(error))
    }
}
