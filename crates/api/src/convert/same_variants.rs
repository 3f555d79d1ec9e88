//! Conversions between enums of the domain and enums of the wire that have the same variants.

/// A value of the domain with a counterpart on the wire.
pub(super) trait ToWire: Copy {
    /// The enum of the wire.
    type Wire;

    /// The variant of the same name on the wire.
    fn to_wire(self) -> Self::Wire;
}

/// A value of the wire with a counterpart in the domain.
pub(crate) trait ToDomain: Copy {
    /// The enum of the domain.
    type Domain;

    /// The variant of the same name in the domain.
    fn to_domain(self) -> Self::Domain;
}

/// Implements [`ToWire`] and [`ToDomain`] for two enums from one list of their variants. Both matches are
/// exhaustive, so a variant that only one of the enums has does not compile:
/// `same_variants! { Role, wire::Role: Read, Member, Admin }`.
macro_rules! same_variants {
    ($domain:ident, $wire:path: $($variant:ident),+ $(,)?) => {
        const _: () = {
            use $wire as Wire;

            impl $crate::convert::same_variants::ToWire for $domain {
                type Wire = Wire;

                fn to_wire(self) -> Wire {
                    match self {
                        $(Self::$variant => Wire::$variant,)+
                    }
                }
            }

            impl $crate::convert::same_variants::ToDomain for Wire {
                type Domain = $domain;

                fn to_domain(self) -> $domain {
                    match self {
                        $(Self::$variant => $domain::$variant,)+
                    }
                }
            }
        };
    };
}

pub(super) use same_variants;
