//! Types that are written as a text, for serde (feature `serde`).

/// Implements serde for a type with `Display`, read back by a function from `&str` to an `Option`.
macro_rules! serde_as_text {
    ($name:ident, $parse:expr) => {
        #[cfg(feature = "serde")]
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        #[cfg(feature = "serde")]
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <String as serde::Deserialize>::deserialize(deserializer)?;
                let invalid = || {
                    let expected = concat!("a text of the type ", stringify!($name));
                    serde::de::Error::invalid_value(serde::de::Unexpected::Str(&text), &expected)
                };
                $parse(&text).ok_or_else(invalid)
            }
        }
    };
}

pub(crate) use serde_as_text;
