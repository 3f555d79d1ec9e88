//! The invalid fields of a request, collected so that one response names all of them.

use api_types::problem::FieldError;

use httpkit::problem::{Code, FieldCode, Problem};

use super::removed_entries::RemovedEntries;

/// The invalid fields of a request. Fields that could not be read come first; the validation of the others adds to
/// them.
#[derive(Default)]
pub(crate) struct InvalidFields {
    errors: Vec<FieldError>,
    /// How many of the errors are of fields that could not be read.
    unread: usize,
    /// The entries that could not be read, which the validated lists do not have.
    removed: RemovedEntries,
    /// The first problem that is not about fields alone.
    problem: Option<Problem>,
    /// Problems that are named only beside others.
    later: Vec<Problem>,
}

impl InvalidFields {
    /// Fields that could not be read, and entries that were removed from lists for the same reason.
    pub(super) fn unread(errors: Vec<FieldError>, removed: RemovedEntries) -> Self {
        Self {
            unread: errors.len(),
            errors,
            removed,
            ..Self::default()
        }
    }

    /// The value of a valid field; `None` if it is invalid.
    pub(crate) fn check<T, E>(&mut self, value: Result<T, E>) -> Option<T>
    where
        Problem: From<E>,
    {
        match value {
            Ok(value) => Some(value),
            Err(error) => {
                self.add(Problem::from(error));
                None
            }
        }
    }

    /// Names an error only beside others. Alone, the use case finds it again, and notes a forbidden target in the audit
    /// log.
    pub(crate) fn check_later<T, E>(&mut self, value: Result<T, E>)
    where
        Problem: From<E>,
    {
        self.later.extend(value.err().map(Problem::from));
    }

    /// Adds the fields of a problem, except those that could not be read: their values are placeholders.
    pub(crate) fn add(&mut self, problem: Problem) {
        let found = problem.clone().into_fields();
        let names_fields = !found.is_empty();
        let found: Vec<FieldError> = found
            .into_iter()
            .map(|error| self.removed.renumbered(error))
            .filter(|error| !self.is_unread(error))
            .collect();
        let is_new = !names_fields || !found.is_empty();
        let is_special = !names_fields || problem.code() != Code::InvalidRequest;
        if is_new && is_special && self.problem.is_none() {
            self.problem = Some(problem);
        }
        self.errors.extend(found);
    }

    /// Whether a field could not be read, so that other fields cannot be compared with it.
    pub(crate) fn has(&self, field: &str) -> bool {
        self.unread_errors().any(|error| error.field == field)
    }

    fn unread_errors(&self) -> impl Iterator<Item = &FieldError> {
        self.errors.iter().take(self.unread)
    }

    /// Whether an error is of a field that could not be read, is inside such a field, or counts the entries of a list
    /// without those that could not be read.
    fn is_unread(&self, error: &FieldError) -> bool {
        let counts = [FieldCode::Required, FieldCode::OutOfRange].map(FieldCode::as_str);
        let is_inside = |unread: &FieldError| {
            let rest = error.field.strip_prefix(unread.field.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        self.unread_errors().any(is_inside)
            || (counts.contains(&error.code.as_str()) && self.removed.has(&error.field))
    }

    /// The valid value, or a problem that names all invalid fields by their position in the request.
    pub(super) fn finish<T>(
        mut self,
        value: Option<T>,
        position: impl Fn(&str) -> Vec<usize>,
    ) -> Result<T, Problem> {
        if self.errors.is_empty() {
            return match (self.problem, value) {
                (Some(problem), _) => Err(problem),
                (None, Some(value)) => Ok(value),
                (None, None) => Err(Problem::internal("no field is named as invalid")),
            };
        }
        for problem in std::mem::take(&mut self.later) {
            self.add(problem);
        }
        self.errors
            .sort_by_cached_key(|error| position(&error.field));
        let special = self
            .problem
            .filter(|problem| problem.code() != Code::InvalidRequest);
        Err(match special {
            Some(problem) => problem.with_fields(self.errors),
            None => Problem::fields(self.errors),
        })
    }
}
