//! The parameters `limit` and `cursor` of lists.

use serde::de::{Error as _, Unexpected};
use serde::{Deserialize, Deserializer};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, Schema, SchemaFormat, Type};
use utoipa::{IntoParams, PartialSchema, ToSchema};

use super::InvalidFields;
use httpkit::problem::{Problem, WHOLE_NUMBER};

/// The query of a list without filters.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PageQuery {
    /// The maximum number of entries per page.
    #[serde(default)]
    #[param(inline)]
    pub(crate) limit: PageSize,
    /// The `nextCursor` of the previous page.
    #[serde(default)]
    #[param(inline)]
    pub(crate) cursor: Cursor,
}

impl PageQuery {
    /// The position in the list and the maximum number of entries; `None` if the cursor is invalid.
    pub(crate) fn part<T>(
        &self,
        decode: impl FnOnce(&str) -> Option<T>,
        invalid: &mut InvalidFields,
    ) -> Option<(Option<T>, u32)> {
        let after = invalid.check(self.cursor.decode(decode))?;
        Some((after, self.limit.get()))
    }
}

/// The maximum number of entries per page: a whole number from 1 to `MAX`, `DEFAULT` if the parameter is absent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PageSize<const MAX: u32 = 200, const DEFAULT: u32 = 50>(u32);

impl<const MAX: u32, const DEFAULT: u32> PageSize<MAX, DEFAULT> {
    /// The number.
    pub(crate) const fn get(self) -> u32 {
        self.0
    }
}

impl<const MAX: u32, const DEFAULT: u32> Default for PageSize<MAX, DEFAULT> {
    fn default() -> Self {
        Self(DEFAULT)
    }
}

impl<const MAX: u32, const DEFAULT: u32> TryFrom<String> for PageSize<MAX, DEFAULT> {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let has_digits_alone = text.bytes().all(|byte| byte.is_ascii_digit());
        let number = text.parse().ok();
        let number = number.filter(|number| has_digits_alone && (1..=MAX).contains(number));
        number
            .map(Self)
            .ok_or_else(|| format!("{WHOLE_NUMBER} from 1 to {MAX}"))
    }
}

impl<'de, const MAX: u32, const DEFAULT: u32> Deserialize<'de> for PageSize<MAX, DEFAULT> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::try_from(text.clone())
            .map_err(|needed| D::Error::invalid_value(Unexpected::Str(&text), &needed.as_str()))
    }
}

impl<const MAX: u32, const DEFAULT: u32> PartialSchema for PageSize<MAX, DEFAULT> {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::Integer)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int32)))
            .minimum(Some(1))
            .maximum(Some(MAX))
            .default(Some(DEFAULT.into()))
            .into()
    }
}

impl<const MAX: u32, const DEFAULT: u32> ToSchema for PageSize<MAX, DEFAULT> {}

/// The `nextCursor` of the previous page, if any.
#[derive(Debug, Default, Deserialize)]
#[serde(transparent)]
pub(crate) struct Cursor(Option<String>);

impl Cursor {
    /// The position in the list.
    ///
    /// # Errors
    /// `invalid_request` naming the parameter, if it is not a cursor of this list.
    pub(crate) fn decode<T>(
        &self,
        decode: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, Problem> {
        let Some(text) = &self.0 else {
            return Ok(None);
        };
        let position = decode(text).ok_or_else(|| {
            let needed = "Must be the unchanged `nextCursor` of a page of this list.";
            Problem::field("cursor", needed)
        })?;
        Ok(Some(position))
    }
}

impl PartialSchema for Cursor {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .pattern(Some("^[a-z][0-9A-Za-z]+$"))
            .into()
    }
}

impl ToSchema for Cursor {}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("1", Some(1))]
    #[case("100", Some(100))]
    #[case("0", None)]
    #[case("101", None)]
    #[case("-1", None)]
    #[case("+1", None)]
    #[case("1.0", None)]
    #[case("1e1", None)]
    #[case(" 1", None)]
    #[case("٣", None)]
    #[case("99999999999999999999", None)]
    fn page_sizes(#[case] text: &str, #[case] expected: Option<u32>) {
        let size = PageSize::<100, 10>::try_from(text.to_owned());
        let needed = "Must be a whole number from 1 to 100".to_owned();
        assert_eq!(size.map(PageSize::get), expected.ok_or(needed));
    }
}
