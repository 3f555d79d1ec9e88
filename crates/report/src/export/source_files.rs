//! The files of a repository that a site was built from.

use std::collections::BTreeMap;

/// A file that a page or resource was built from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// Its path relative to the root of the repository, with slashes.
    pub path: String,
    /// Whether its bytes are those that the site served, so that its lines are, too.
    pub is_served: bool,
}

/// The files by URL. Only [`ReportFormat::Sarif`](api_types::report::ReportFormat::Sarif) shows them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourceFiles(BTreeMap<String, SourceFile>);

impl SourceFiles {
    /// The file of a URL, whose fragment is ignored.
    #[must_use]
    pub fn get(&self, url: &str) -> Option<&SourceFile> {
        let url = url.split('#').next().unwrap_or_default();
        self.0.get(url)
    }
}

/// From URLs without a fragment, and their files.
impl FromIterator<(String, SourceFile)> for SourceFiles {
    fn from_iter<I: IntoIterator<Item = (String, SourceFile)>>(files: I) -> Self {
        Self(files.into_iter().collect())
    }
}
