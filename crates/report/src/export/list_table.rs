//! Writes a list of a report to one file, in batches.

use domain::ports::{LinkPage, RedirectPage, VisitPage};
use domain::report::{LinkCursor, PageCursor, RedirectCursor};

use super::{ExportError, LinksCsv, PagesCsv, RedirectsCsv};

/// A table of a list that is read in parts.
pub trait ListTable {
    /// A part of the list.
    type Part;
    /// A place in the list.
    type Cursor;

    /// Adds the entries of a part; returns the cursor of the next one, `None` after the last.
    ///
    /// # Errors
    /// If the table cannot be written, which only a lack of memory can cause.
    fn add(&mut self, part: &Self::Part) -> Result<Option<Self::Cursor>, ExportError>;

    /// The file.
    ///
    /// # Errors
    /// If the table cannot be written, which only a lack of memory can cause.
    fn into_bytes(self) -> Result<Vec<u8>, ExportError>;
}

/// Writes a whole list to a file. `read` returns the part after a cursor; `failed` converts an error of the table.
///
/// # Errors
/// The first error of `read` or of the table.
pub fn write_all<T: ListTable, E>(
    mut table: T,
    failed: impl Fn(&ExportError) -> E,
    mut read: impl FnMut(Option<T::Cursor>) -> Result<T::Part, E>,
) -> Result<Vec<u8>, E> {
    let mut after = None;
    loop {
        let part = read(after)?;
        after = table.add(&part).map_err(|error| failed(&error))?;
        if after.is_none() {
            return table.into_bytes().map_err(|error| failed(&error));
        }
    }
}

impl ListTable for PagesCsv {
    type Part = VisitPage;
    type Cursor = PageCursor;

    fn add(&mut self, part: &VisitPage) -> Result<Option<PageCursor>, ExportError> {
        part.visits.iter().try_for_each(|visit| self.push(visit))?;
        Ok(part.next)
    }

    fn into_bytes(self) -> Result<Vec<u8>, ExportError> {
        self.finish()
    }
}

impl ListTable for LinksCsv {
    type Part = LinkPage;
    type Cursor = LinkCursor;

    fn add(&mut self, part: &LinkPage) -> Result<Option<LinkCursor>, ExportError> {
        let mut links = part.links.iter();
        links.try_for_each(|(target, pages)| self.push(target, pages))?;
        Ok(part.next)
    }

    fn into_bytes(self) -> Result<Vec<u8>, ExportError> {
        self.finish()
    }
}

impl ListTable for RedirectsCsv {
    type Part = RedirectPage;
    type Cursor = RedirectCursor;

    fn add(&mut self, part: &RedirectPage) -> Result<Option<RedirectCursor>, ExportError> {
        part.chains.iter().try_for_each(|chain| self.push(chain))?;
        Ok(part.next)
    }

    fn into_bytes(self) -> Result<Vec<u8>, ExportError> {
        self.finish()
    }
}
