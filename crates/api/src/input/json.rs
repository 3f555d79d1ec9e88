//! Parses JSON and named texts into types, with our own error messages that name the field.
//!
//! The text is parsed into a tree that keeps repeated keys, and the tree is deserialized into the type. This rejects
//! input that serde silently accepts: an array for an object, a NUL character in a string.

use std::fmt;

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{
    self, Deserialize, DeserializeOwned, Deserializer, Expected, IntoDeserializer, MapAccess,
    SeqAccess, Unexpected, Visitor,
};

use httpkit::problem::Problem;

/// Parses an object.
pub(super) fn read<T: DeserializeOwned>(text: &str) -> Result<T, Problem> {
    let tree: Tree = serde_json::from_str(text).map_err(|error| {
        Problem::invalid(format!("The request body is not valid JSON: {error}."))
    })?;
    if !matches!(tree, Tree::Object(_)) {
        return Err(Problem::invalid("The request body is not a JSON object."));
    }
    deserialize(tree)
}

/// Reads named texts as an object.
pub(super) fn from_texts<T: DeserializeOwned>(texts: &[(String, String)]) -> Result<T, Problem> {
    let entries = texts.iter().cloned();
    let entries = entries.map(|(name, text)| (name, Tree::Text(text)));
    deserialize(Tree::Object(entries.collect()))
}

fn deserialize<T: DeserializeOwned>(tree: Tree) -> Result<T, Problem> {
    serde_path_to_error::deserialize(tree).map_err(|error| {
        let path = error.path().to_string();
        error.into_inner().at(&path)
    })
}

/// JSON as written, including repeated keys.
enum Tree {
    Null,
    Bool(bool),
    Unsigned(u64),
    Signed(i64),
    Float(f64),
    Text(String),
    List(Vec<Tree>),
    Object(Vec<(String, Tree)>),
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
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        match self {
            Self::Null => visitor.visit_none(),
            other => visitor.visit_some(other),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        match self {
            Self::List(_) => Err(de::Error::invalid_type(Unexpected::Seq, &visitor)),
            other => other.deserialize_any(visitor),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        match self {
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

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        unit unit_struct seq tuple tuple_struct map identifier ignored_any
    }
}

/// An error at a path.
#[derive(Debug)]
enum Wrong {
    Missing(String),
    Unknown(String, &'static [&'static str]),
    Repeated(String),
    Choice(&'static [&'static str]),
    Kind(String),
    Nul,
    Other(String),
}

impl Wrong {
    fn at(self, path: &str) -> Problem {
        match self {
            Self::Missing(field) => Problem::field(below(path, &field), "The field is required."),
            Self::Repeated(field) => {
                Problem::field(below(path, &field), "The field occurs more than once.")
            }
            Self::Unknown(field, known) => Problem::field(
                below(path, &field),
                format!("Unknown field; known fields: {}.", known.join(", ")),
            ),
            Self::Choice(choices) => {
                Problem::field(path, format!("Must be one of {}.", choices.join(", ")))
            }
            Self::Kind(expected) => Problem::field(path, needed(&expected)),
            Self::Nul => Problem::field(path, "NUL characters are not allowed."),
            Self::Other(message) => Problem::field(path, message),
        }
    }
}

/// The path of a field in the object at `path`; `.` is the body itself. Reading a key fails at the
/// object or at the key, so the path may end in the field already.
fn below(path: &str, field: &str) -> String {
    let field: String = field.chars().take(100).collect();
    if path == "." || path == field {
        field
    } else if path.ends_with(&format!(".{field}")) {
        path.to_owned()
    } else {
        format!("{path}.{field}")
    }
}

/// The expectations of serde's types, as messages for people who write JSON.
fn needed(expected: &str) -> String {
    match expected {
        "u8" | "u16" | "u32" | "u64" | "usize" => {
            "Must be a whole number in range, without a sign, a fraction or an exponent."
        }
        "a string" => "Must be a string.",
        "a boolean" => "Must be `true` or `false`.",
        "a sequence" => "Must be an array.",
        "a map" => "Must be an object.",
        other if other.starts_with("struct ") => "Must be an object.",
        _ => "Has the wrong type.",
    }
    .to_owned()
}

impl de::Error for Wrong {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::Other(message.to_string())
    }

    fn invalid_type(_found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::Kind(expected.to_string())
    }

    fn invalid_value(_found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::Kind(expected.to_string())
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
