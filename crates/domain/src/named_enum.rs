//! Enums whose values have names on the wire, in the database and in logs.

/// Declares an enum whose values have names.
///
/// Beside the enum it generates `ALL`, `as_str`, `named`, `Display` and serde's traits from one list, so that a value without a
/// name, or a name that is missing from `ALL`, cannot be written. Two values of the same name do not compile.
macro_rules! named_enum {
    (
        $(#[$attribute:meta])*
        pub enum $name:ident {
            $($(#[$value_attribute:meta])* $value:ident = $text:literal,)+
        }
    ) => {
        $(#[$attribute])*
        pub enum $name {
            $($(#[$value_attribute])* $value,)+
        }

        impl $name {
            /// All values, in the order of their declaration.
            pub const ALL: [Self; [$($text),+].len()] = [$(Self::$value),+];

            /// The name on the wire, in the database and in logs.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$value => $text,)+
                }
            }

            /// The value of a name.
            #[must_use]
            #[deny(unreachable_patterns)]
            pub fn named(name: &str) -> Option<Self> {
                match name {
                    $($text => Some(Self::$value),)+
                    _ => None,
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        crate::serde_text::serde_as_text!($name, $name::named);
    };
}

pub(crate) use named_enum;

#[cfg(test)]
mod tests {
    use crate::event::EventKind;

    #[test]
    fn values_have_names_and_names_have_values() {
        for kind in EventKind::ALL {
            assert_eq!(EventKind::named(kind.as_str()), Some(kind));
            assert_eq!(kind.to_string(), kind.as_str());
        }
        assert_eq!(EventKind::ALL.map(EventKind::as_str)[0], "run.completed");
        assert_eq!(EventKind::named("run.started"), None);
        assert_eq!(EventKind::named("Test"), None);
    }
}
