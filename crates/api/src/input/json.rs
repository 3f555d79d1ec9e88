//! Parses JSON and named texts into types, with our own error messages that name the field.
//!
//! The text is parsed into a tree that keeps repeated keys, and the tree is deserialized into the type. This rejects
//! input that serde silently accepts: an array for an object, a NUL character in a string.

mod placeholders;
mod position;
mod repair;
mod syntax;

use std::fmt;

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{
    self, Deserialize, DeserializeOwned, Deserializer, Expected, IntoDeserializer, MapAccess,
    SeqAccess, Unexpected, Visitor,
};

use api_types::problem::FieldError;
use httpkit::problem::{
    FieldCode, MAX_FIELD_ERRORS, Problem, WHOLE_NUMBER, WHOLE_NUMBER_RANGE, field_error,
};

use super::InvalidFields;
use super::removed_entries::RemovedEntries;

/// Parses an object and validates it. One problem names all fields of `refused`, all that cannot be read, and all that
/// `validate` finds in the rest.
pub(super) fn read<T: DeserializeOwned, V>(
    text: &str,
    refused: Vec<FieldError>,
    validate: impl FnOnce(T, &mut InvalidFields) -> Option<V>,
) -> Result<V, Problem> {
    let tree: Tree =
        serde_json::from_str(text).map_err(|error| Problem::invalid(syntax::in_words(&error)))?;
    if !matches!(tree, Tree::Object(_)) {
        return Err(Problem::invalid("The request body is not a JSON object."));
    }
    let position = |field: &str| position::of(&tree, field);
    deserialize(&tree, refused, validate, position)
}

/// Reads named texts as an object and validates it, as [`read`] does. `names` are all names of the request in order,
/// also the refused ones.
pub(super) fn from_texts<T: DeserializeOwned, V>(
    texts: &[(String, String)],
    names: &[String],
    refused: Vec<FieldError>,
    validate: impl FnOnce(T, &mut InvalidFields) -> Option<V>,
) -> Result<V, Problem> {
    let entries = texts.iter().cloned();
    let entries = entries.map(|(name, text)| (name, Tree::Text(text)));
    let position = |field: &str| {
        let index = names.iter().position(|name| name == field);
        vec![index.unwrap_or(usize::MAX)]
    };
    deserialize(
        &Tree::Object(entries.collect()),
        refused,
        validate,
        position,
    )
}

/// The most characters of an unknown name that an error shows.
pub(super) const MAX_NAME_CHARS: usize = 100;

/// The most attempts to read a body: an invalid field may need two, of which the second finds that it is required.
const MOST_ATTEMPTS: usize = 3 * MAX_FIELD_ERRORS;

/// Reads the tree as a type. If a field is invalid, it is replaced and the tree is read again, until all that cannot
/// be read is named; then `validate` judges the rest.
fn deserialize<T: DeserializeOwned, V>(
    tree: &Tree,
    refused: Vec<FieldError>,
    validate: impl FnOnce(T, &mut InvalidFields) -> Option<V>,
    position: impl Fn(&str) -> Vec<usize>,
) -> Result<V, Problem> {
    let mut errors = refused;
    let mut rest: Option<T> = None;
    // A valid request is not copied for it.
    let mut repaired: Option<Tree> = None;
    for _ in 0..MOST_ATTEMPTS {
        let attempt = repaired.as_ref().unwrap_or(tree).clone();
        let error = match serde_path_to_error::deserialize::<_, T>(attempt) {
            Ok(value) => {
                rest = Some(value);
                break;
            }
            Err(error) => error,
        };
        let steps = repair::steps(error.path());
        let path = error.path().to_string();
        let wrong = error.into_inner();
        let found = wrong.at(&path);
        if errors.iter().all(|known| known.field != found.field) {
            errors.push(found);
        }
        let tree = repaired.get_or_insert_with(|| tree.clone());
        if errors.len() >= MAX_FIELD_ERRORS || !repair::repair(tree, &steps, &wrong) {
            break;
        }
    }
    let mut removed = RemovedEntries::default();
    if rest.is_some()
        && let Some(mut tree) = repaired
    {
        removed = placeholders::remove_from(&mut tree);
        if !removed.is_empty() {
            rest = T::deserialize(tree).ok();
        }
    }
    let mut invalid = InvalidFields::unread(errors, removed);
    let value = rest.and_then(|rest| validate(rest, &mut invalid));
    invalid.finish(value, position)
}

/// JSON as written, including repeated keys.
#[derive(Clone)]
enum Tree {
    Null,
    Bool(bool),
    Unsigned(u64),
    Signed(i64),
    Float(f64),
    Text(String),
    List(Vec<Tree>),
    Object(Vec<(String, Tree)>),
    /// In the place of an invalid or missing value: it reads as any type.
    Anything,
}

impl Tree {
    fn unexpected(&self) -> Unexpected<'_> {
        match self {
            Self::Null => Unexpected::Unit,
            Self::Bool(value) => Unexpected::Bool(*value),
            Self::Unsigned(value) => Unexpected::Unsigned(*value),
            Self::Signed(value) => Unexpected::Signed(*value),
            Self::Float(value) => Unexpected::Float(*value),
            Self::Text(value) => Unexpected::Str(value),
            Self::List(_) => Unexpected::Seq,
            Self::Object(_) => Unexpected::Map,
            Self::Anything => Unexpected::Other("anything"),
        }
    }
}

struct TreeVisitor;

impl<'de> Visitor<'de> for TreeVisitor {
    type Value = Tree;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Tree, E> {
        Ok(Tree::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Tree, E> {
        Ok(Tree::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Tree, E> {
        Ok(Tree::Unsigned(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Tree, E> {
        Ok(Tree::Signed(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Tree, E> {
        Ok(Tree::Float(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Tree, E> {
        Ok(Tree::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Tree, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Tree::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Tree, A::Error> {
        let mut object = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            object.push(entry);
        }
        Ok(Tree::Object(object))
    }
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TreeVisitor)
    }
}

impl IntoDeserializer<'_, Wrong> for Tree {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Tree {
    type Error = Wrong;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        match self {
            Self::Null => visitor.visit_unit(),
            Self::Bool(value) => visitor.visit_bool(value),
            Self::Unsigned(value) => visitor.visit_u64(value),
            Self::Signed(value) => visitor.visit_i64(value),
            Self::Float(value) => visitor.visit_f64(value),
            Self::Text(value) if value.contains('\0') => Err(Wrong::Nul),
            Self::Text(value) => visitor.visit_string(value),
            Self::List(items) => visitor.visit_seq(SeqDeserializer::new(items.into_iter())),
            Self::Object(entries) => visitor.visit_map(MapDeserializer::new(entries.into_iter())),
            Self::Anything => visitor.visit_unit(),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        match self {
            Self::Null | Self::Anything => visitor.visit_none(),
            other => visitor.visit_some(other),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        match self {
            Self::Anything => {
                let fields = fields.iter().map(|name| (*name, Self::Anything));
                visitor.visit_map(MapDeserializer::new(fields))
            }
            Self::List(_) => Err(de::Error::invalid_type(Unexpected::Seq, &visitor)),
            other => other.deserialize_any(visitor),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        match self {
            Self::Anything => {
                let first = variants.first().copied().unwrap_or_default();
                visitor.visit_enum(first.into_deserializer())
            }
            Self::Text(value) => visitor.visit_enum(value.into_deserializer()),
            other => Err(de::Error::invalid_type(other.unexpected(), &"a string")),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        match self {
            Self::Anything => visitor.visit_bool(false),
            other => other.deserialize_any(visitor),
        }
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        match self {
            Self::Anything => visitor.visit_u32(1),
            other => other.deserialize_any(visitor),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        match self {
            Self::Anything => visitor.visit_str(""),
            other => other.deserialize_any(visitor),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        match self {
            Self::Anything => Self::List(Vec::new()).deserialize_any(visitor),
            other => other.deserialize_any(visitor),
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        match self {
            Self::Anything => Self::Object(Vec::new()).deserialize_any(visitor),
            other => other.deserialize_any(visitor),
        }
    }

    serde::forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u64 u128 f32 f64 char str bytes byte_buf
        unit unit_struct tuple tuple_struct identifier ignored_any
    }
}

/// An error at a path.
#[derive(Debug)]
enum Wrong {
    Missing(String),
    Unknown(String, &'static [&'static str]),
    Repeated(String),
    Choice(&'static [&'static str]),
    /// What was expected, and what was given.
    Kind(String, &'static str),
    /// What was expected of a value of the right type.
    Range(String),
    Nul,
    Other(String),
}

impl Wrong {
    fn at(&self, path: &str) -> FieldError {
        match self {
            Self::Missing(field) => field_error(
                FieldCode::Required,
                below(path, field),
                "The field is required.",
            ),
            Self::Repeated(field) => field_error(
                FieldCode::Repeated,
                below(path, field),
                "The field occurs more than once.",
            ),
            Self::Unknown(field, known) => FieldError {
                allowed: owned(known),
                ..field_error(
                    FieldCode::Unknown,
                    below(path, field),
                    format!("Unknown field; known fields: {}.", known.join(", ")),
                )
            },
            Self::Choice(choices) => FieldError {
                allowed: owned(choices),
                ..field_error(
                    FieldCode::UnknownValue,
                    path,
                    format!("Must be one of {}.", choices.join(", ")),
                )
            },
            Self::Kind(expected, given) => field_error(
                FieldCode::WrongType,
                path,
                format!("{}; {given} was given.", needed(expected)),
            ),
            Self::Range(expected) => field_error(
                FieldCode::OutOfRange,
                path,
                format!("{}.", needed(expected)),
            ),
            Self::Nul => field_error(FieldCode::Invalid, path, "NUL characters are not allowed."),
            Self::Other(message) => field_error(FieldCode::Invalid, path, message.clone()),
        }
    }
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// What was given instead, for people who write JSON.
fn given(found: &Unexpected<'_>) -> &'static str {
    match found {
        Unexpected::Bool(_) => "`true` or `false`",
        Unexpected::Unsigned(_) | Unexpected::Signed(_) => "a whole number",
        Unexpected::Float(_) => "a number with a fraction or an exponent",
        Unexpected::Char(_) | Unexpected::Str(_) => "a text in quotation marks",
        Unexpected::Unit | Unexpected::Option => "`null`",
        Unexpected::Seq => "an array",
        Unexpected::Map => "an object",
        Unexpected::Bytes(_)
        | Unexpected::NewtypeStruct
        | Unexpected::Enum
        | Unexpected::UnitVariant
        | Unexpected::NewtypeVariant
        | Unexpected::TupleVariant
        | Unexpected::StructVariant
        | Unexpected::Other(_) => "another type",
    }
}

/// The path of a field in the object at `path`; `.` is the body itself. Reading a key fails at the
/// object or at the key, so the path may end in the field already.
fn below(path: &str, field: &str) -> String {
    let field: String = field.chars().take(MAX_NAME_CHARS).collect();
    if path == "." || path == field {
        field
    } else if path.ends_with(&format!(".{field}")) {
        path.to_owned()
    } else {
        format!("{path}.{field}")
    }
}

/// The expectations of serde's types, as messages for people who write JSON, without the full stop.
fn needed(expected: &str) -> String {
    match expected {
        "u32" => {
            return format!(
                "{WHOLE_NUMBER}{WHOLE_NUMBER_RANGE} without a sign, a fraction or an exponent"
            );
        }
        "a string" => "Must be a string",
        "a boolean" => "Must be `true` or `false`",
        "a sequence" => "Must be an array",
        "a map" => "Must be an object",
        other if other.starts_with("struct ") => "Must be an object",
        other if other.starts_with(WHOLE_NUMBER) => other,
        _ => "Has the wrong type",
    }
    .to_owned()
}

impl de::Error for Wrong {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::Other(message.to_string())
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::Kind(expected.to_string(), given(&found))
    }

    fn invalid_value(_found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::Range(expected.to_string())
    }

    fn unknown_variant(_variant: &str, expected: &'static [&'static str]) -> Self {
        Self::Choice(expected)
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        Self::Unknown(field.to_owned(), expected)
    }

    fn missing_field(field: &'static str) -> Self {
        Self::Missing(field.to_owned())
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self::Repeated(field.to_owned())
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

impl std::error::Error for Wrong {}
