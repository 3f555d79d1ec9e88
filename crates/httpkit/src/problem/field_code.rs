//! The closed list of codes of invalid fields.

/// Why a field or parameter is invalid. Codes never change their meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FieldCode {
    /// The field or parameter is not known here.
    Unknown,
    /// The value has another JSON type.
    WrongType,
    /// A number is too small or too large, or there are too few or too many entries.
    OutOfRange,
    /// The text has too many characters.
    TooLong,
    /// The text is not a date, or there is no such day.
    NotADate,
    /// The field is missing or empty.
    Required,
    /// The field, parameter or entry occurs more than once.
    Repeated,
    /// The value is not one of the allowed values, which `allowed` lists.
    UnknownValue,
    /// This server, or another field of the request, does not allow the value.
    NotAllowed,
    /// The value has the wrong form.
    Invalid,
}

impl FieldCode {
    /// All codes.
    pub const ALL: [Self; 10] = [
        Self::Unknown,
        Self::WrongType,
        Self::OutOfRange,
        Self::TooLong,
        Self::NotADate,
        Self::Required,
        Self::Repeated,
        Self::UnknownValue,
        Self::NotAllowed,
        Self::Invalid,
    ];

    /// The code as clients match on it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::WrongType => "wrong_type",
            Self::OutOfRange => "out_of_range",
            Self::TooLong => "too_long",
            Self::NotADate => "not_a_date",
            Self::Required => "required",
            Self::Repeated => "repeated",
            Self::UnknownValue => "unknown_value",
            Self::NotAllowed => "not_allowed",
            Self::Invalid => "invalid",
        }
    }
}
