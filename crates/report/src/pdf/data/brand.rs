//! Who the report comes from.

use typst::foundations::{Bytes, IntoValue, Value};

use super::super::facts::PdfFacts;
use super::super::typeset::{Typesetter, dict};
use crate::brand::NAME;

/// The name, the logo and the colour; none where the product's name stands alone.
pub(super) fn brand(set: &mut Typesetter<'_>, facts: &PdfFacts) -> Value {
    let Some(brand) = &facts.brand else {
        return Value::None;
    };
    let logo = brand.logo.as_ref().map_or(Value::None, |logo| {
        dict([
            ("bytes", Bytes::new(logo.bytes().to_vec()).into_value()),
            ("format", logo.format().into_value()),
        ])
    });
    let color = brand.color.map_or(Value::None, |color| {
        let [red, green, blue] = color.0;
        format!("#{red:02x}{green:02x}{blue:02x}").into_value()
    });
    dict([
        ("name", set.line(&brand.name, NAME).into_value()),
        ("logo", logo),
        ("color", color),
    ])
}
