//! Errors in requests about action items.

/// A request about action items that cannot be followed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{problem}")]
pub struct InvalidAction {
    field: Option<&'static str>,
    problem: FieldProblem,
}

impl InvalidAction {
    /// A problem with a field.
    #[must_use]
    pub const fn new(field: &'static str, problem: FieldProblem) -> Self {
        Self {
            field: Some(field),
            problem,
        }
    }

    /// A problem with the request as a whole.
    #[must_use]
    pub const fn whole(problem: FieldProblem) -> Self {
        Self {
            field: None,
            problem,
        }
    }

    /// The field as the wire spells it, `dueDate` for example; none where it is the whole request.
    #[must_use]
    pub const fn field(&self) -> Option<&'static str> {
        self.field
    }

    /// The error.
    #[must_use]
    pub const fn problem(&self) -> &FieldProblem {
        &self.problem
    }
}

/// The error of a field. The text is for the person who sent the request.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FieldProblem {
    /// Nothing but white space.
    #[error("text is required")]
    Empty,
    /// Too long.
    #[error("at most {most} characters are allowed")]
    TooLong {
        /// The most characters.
        most: usize,
    },
    /// A control character where none can be: any in a line, NUL everywhere.
    #[error("control characters are not allowed")]
    ControlCharacter,
    /// A name that is none of a closed list.
    #[error("must be one of {known}")]
    UnknownValue {
        /// The list.
        known: &'static str,
    },
    /// Not in the form of a date.
    #[error("must be a date in the form YYYY-MM-DD")]
    NotADate,
    /// A day that no calendar has.
    #[error("there is no such day in the calendar")]
    NoSuchDate,
    /// Not a cursor that a list gave.
    #[error("the cursor is not from this list")]
    NotACursor,
    /// Not a member of the organization.
    #[error("the organization has no such member")]
    NoMember,
    /// Too few or too many ids.
    #[error("must be 1 to {most} ids")]
    Count {
        /// The most ids.
        most: usize,
    },
    /// An id given twice.
    #[error("an id occurs more than once")]
    Repeated,
    /// A change that changes nothing.
    #[error("at least one field to change is required")]
    NothingToChange,
}
