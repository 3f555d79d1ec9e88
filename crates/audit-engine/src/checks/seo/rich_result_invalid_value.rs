//! Property values in structured data have the format that search engines read.

use crate::check::{Evidence, Failures, Outcome};
use crate::common::documents::rich_values::{
    is_currency, is_date, is_duration, is_member, is_no_price, lacks_zone, rating,
};
use crate::declare_check;
use crate::structured::{Item, Value};
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Structured data uses ISO 8601 for dates and durations, numbers with a decimal point for prices,
    /// currency codes for currencies, and schema.org names for enumerations such as availability. A
    /// rating is within its scale. The upload time of a video has a time zone. The address of an image can be
    /// requested, and what a review is about is an item, not a text.
    ///
    /// ## Why it matters
    /// A search engine that cannot parse a value drops it, and often drops the whole rich result with
    /// it: the price, the stars or the date next to the result.
    ///
    /// ## How to fix it
    /// Write the value in the format that Google reads: `2026-05-01` or `2026-05-01T10:00:00+02:00` for dates,
    /// `PT1H30M` for durations, `12.50` with `EUR` as `priceCurrency`, `https://schema.org/InStock` for availability.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><head><title>Harbour mug – Island Line</title><script type="application/ld+json">{"@context": "https://schema.org", "@type": "Product", "name": "Harbour mug", "offers": {"@type": "Offer", "price": "12,50 €", "priceCurrency": "Euro"}}</script></head><body><h1>Harbour mug</h1></body></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><head><title>Harbour mug – Island Line</title><script type="application/ld+json">{"@context": "https://schema.org", "@type": "Product", "name": "Harbour mug", "offers": {"@type": "Offer", "price": "12.50", "priceCurrency": "EUR"}}</script></head><body><h1>Harbour mug</h1></body></html>
    /// ```
    ///
    /// ## Limits
    /// The check reads JSON-LD and Microdata, but not RDFa. It evaluates only types that produce rich
    /// results. Empty values count as missing. Values that some consumers accept pass: a space before
    /// the time, a comma as thousands separator, and lowercase schema.org names. The check cannot know
    /// whether a date is correct.
    ///
    /// ## Also known as
    /// - Screaming Frog: Structured Data: Rich Result Validation Errors
    /// - Common name: Structured data validation error
    ///
    /// ## References
    /// - Google Search Console Help, Rich result report: errors
    /// - schema.org, Offer, Rating, Recipe, VideoObject
    /// - ISO 8601, Representations of dates and times
    /// - ISO 4217, Codes for the representation of currencies
    RICH_RESULT_INVALID_VALUE {
        id: "rich-result-invalid-value",
        title: "Invalid property values in structured data",
        dimension: Seo,
        scope: Page,
        severity: Moderate,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

/// Types whose values search engines read, with their subtypes.
const TYPES: [&str; 23] = [
    "AggregateRating",
    "Article",
    "Book",
    "BroadcastEvent",
    "Clip",
    "Course",
    "CreativeWorkSeries",
    "Event",
    "JobPosting",
    "MonetaryAmount",
    "Movie",
    "MusicRecording",
    "Offer",
    "Organization",
    "PriceSpecification",
    "Product",
    "Question",
    "Rating",
    "Recipe",
    "Review",
    "SocialMediaPosting",
    "SoftwareApplication",
    "VideoObject",
];

const AVAILABILITY: [&str; 12] = [
    "BackOrder",
    "Discontinued",
    "InStock",
    "InStoreOnly",
    "LimitedAvailability",
    "MadeToOrder",
    "OnlineOnly",
    "OutOfStock",
    "PreOrder",
    "PreSale",
    "Reserved",
    "SoldOut",
];
const CONDITION: [&str; 4] = [
    "DamagedCondition",
    "NewCondition",
    "RefurbishedCondition",
    "UsedCondition",
];
const STATUS: [&str; 5] = [
    "EventCancelled",
    "EventMovedOnline",
    "EventPostponed",
    "EventRescheduled",
    "EventScheduled",
];
const ATTENDANCE: [&str; 3] = [
    "MixedEventAttendanceMode",
    "OfflineEventAttendanceMode",
    "OnlineEventAttendanceMode",
];

fn evaluate(page: &Page) -> Outcome {
    let mut applicable = false;
    let mut failures = Failures::default();
    let items = page
        .structured()
        .items()
        .filter(|item| item.type_below(&TYPES).is_some());
    for item in items {
        for (property, value) in item.properties() {
            let Value::Text(text) = value else { continue };
            let text = text.trim();
            if text.is_empty() {
                continue;
            }
            if let Some(expected) = expected(property) {
                applicable = true;
                if !expected.accepts(text, page) {
                    failures.push(evidence(page, item, property, text, expected.description()));
                } else if property == "uploadDate" && lacks_zone(text) {
                    let zone = "a time zone after the time, as in 2026-05-01T10:00:00+02:00";
                    failures.push(evidence(page, item, property, text, zone));
                }
            }
        }
        if let Some((text, scale)) = rating_on_scale(item) {
            applicable = true;
            failures.extend(scale.map(|scale| evidence(page, item, "ratingValue", text, &scale)));
        }
    }
    if applicable {
        Outcome::from_failures(failures)
    } else {
        Outcome::NotApplicable
    }
}

/// The expected format of a value.
#[derive(Clone, Copy)]
enum Expected {
    Date,
    Duration,
    Price,
    Currency,
    ImageUrl,
    Item,
    OneOf(&'static [&'static str]),
}

fn expected(property: &str) -> Option<Expected> {
    match property {
        "dateCreated" | "dateModified" | "datePosted" | "datePublished" | "endDate"
        | "previousStartDate" | "priceValidUntil" | "startDate" | "uploadDate" | "validFrom"
        | "validThrough" => Some(Expected::Date),
        "cookTime" | "duration" | "performTime" | "prepTime" | "totalTime" => {
            Some(Expected::Duration)
        }
        "highPrice" | "lowPrice" | "price" => Some(Expected::Price),
        "currency" | "priceCurrency" | "salaryCurrency" => Some(Expected::Currency),
        "availability" => Some(Expected::OneOf(&AVAILABILITY)),
        "image" | "logo" | "thumbnailUrl" => Some(Expected::ImageUrl),
        "itemReviewed" => Some(Expected::Item),
        "eventAttendanceMode" => Some(Expected::OneOf(&ATTENDANCE)),
        "eventStatus" => Some(Expected::OneOf(&STATUS)),
        "itemCondition" => Some(Expected::OneOf(&CONDITION)),
        _ => None,
    }
}

impl Expected {
    fn accepts(self, text: &str, page: &Page) -> bool {
        match self {
            Self::Date => is_date(text),
            Self::Duration => is_duration(text),
            Self::Price => !is_no_price(text),
            Self::Currency => is_currency(text),
            Self::ImageUrl => is_image_url(text, page),
            Self::Item => false,
            Self::OneOf(members) => is_member(text, members),
        }
    }

    const fn description(self) -> &'static str {
        match self {
            Self::Date => "a date such as 2026-05-01 or 2026-05-01T10:00:00+02:00",
            Self::Duration => "a duration such as PT1H30M",
            Self::Price => "a number with a decimal point, such as 12.50",
            Self::Currency => "a code of three letters, such as EUR",
            Self::ImageUrl => "the http or https URL of an image",
            Self::Item => "an item with a type and a name, not a text",
            Self::OneOf(_) => "one of the values of schema.org, such as InStock for availability",
        }
    }
}

/// Whether a search engine can request the address. Relative ones are resolved.
fn is_image_url(text: &str, page: &Page) -> bool {
    const NO_VALUES: [&str; 6] = ["null", "undefined", "false", "true", "none", "n/a"];
    let is_blank = text.contains(char::is_whitespace) || text.contains("{{");
    !is_blank
        && !NO_VALUES.iter().any(|no| text.eq_ignore_ascii_case(no))
        && page
            .base()
            .join(text)
            .is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
}

/// The rating, and the scale if the rating is outside of it. The default scale ends at 5. None if the
/// rating is not a plain number, or if the scale is not valid.
fn rating_on_scale(item: Item<'_>) -> Option<(&str, Option<String>)> {
    let text = item.texts("ratingValue").next()?;
    let value = rating(text)?;
    let bound = |property, default| item.texts(property).next().map_or(Some(default), rating);
    let best = bound("bestRating", 5.0)?;
    // Many sites write 0 for "not rated yet", which is below the default minimum of 1.
    let worst = bound("worstRating", f64::MIN)?;
    if worst > best {
        return None;
    }
    let outside = !(worst..=best).contains(&value);
    let scale = || {
        let low = worst.max(1.0);
        format!("a rating from {low} to {best}, or another bestRating")
    };
    Some((text, outside.then(scale)))
}

fn evidence(page: &Page, item: Item<'_>, property: &str, text: &str, expected: &str) -> Evidence {
    let kind = item.type_below(&TYPES).unwrap_or("item");
    item.element(page)
        .map_or_else(Evidence::here, Evidence::node)
        .message(format!(
            "The {property} of {kind} is `{text}`; expected {expected}."
        ))
        .cause(
            format!("{kind} {property}"),
            format!("Invalid {property} of {kind}"),
        )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    fn json(kind: &str, properties: &str) -> String {
        format!(
            r#"<script type="application/ld+json">{{"@context":"https://schema.org","@type":"{kind}",{properties}}}</script>"#
        )
    }

    #[test]
    fn values_in_the_expected_format_pass() {
        for (kind, properties) in [
            (
                "Offer",
                r#""price":12.5,"priceCurrency":"EUR","availability":"https://schema.org/InStock""#,
            ),
            (
                "Recipe",
                r#""prepTime":"PT20M","datePublished":"2026-05-01""#,
            ),
            (
                "VideoObject",
                r#""uploadDate":"2026-05-01T10:00:00Z","duration":"PT1M33S""#,
            ),
            (
                "Event",
                r#""startDate":"2026-05-01T19:00","eventStatus":"https://schema.org/EventScheduled""#,
            ),
            ("AggregateRating", r#""ratingValue":"4.4","reviewCount":89"#),
            ("Rating", r#""ratingValue":88,"bestRating":100"#),
            ("Rating", r#""ratingValue":"0""#),
        ] {
            assert_passes(&RICH_RESULT_INVALID_VALUE, &json(kind, properties));
        }
    }

    #[test]
    fn unusable_image_addresses_fail() {
        for image in [
            "data:image/png;base64,AA==",
            "null",
            "https://",
            "A picture",
            "{{ image }}",
            "blob:https://e.com/1",
        ] {
            for kind in ["Recipe", "Bakery", "NewsArticle"] {
                let html = json(kind, &format!(r#""image":"{image}""#));
                assert_fails(&RICH_RESULT_INVALID_VALUE, &html, 1);
            }
        }
        for image in [
            "/soup.jpg",
            "soup.jpg",
            "https://example.com/s.jpg",
            "//example.com/s",
        ] {
            assert_passes(
                &RICH_RESULT_INVALID_VALUE,
                &json("Recipe", &format!(r#""image":["{image}"]"#)),
            );
        }
    }

    #[test]
    fn a_reviewed_thing_that_is_a_text_fails() {
        for kind in ["Review", "CriticReview", "AggregateRating"] {
            assert_fails(
                &RICH_RESULT_INVALID_VALUE,
                &json(kind, r#""itemReviewed":"Tides""#),
                1,
            );
        }
    }

    #[test]
    fn values_in_another_format_fail() {
        for (kind, properties) in [
            ("Offer", r#""price":"$12.50""#),
            ("Offer", r#""priceCurrency":"€""#),
            ("Offer", r#""availability":"In stock""#),
            ("Product", r#""itemCondition":"nearly new""#),
            ("Recipe", r#""cookTime":"20 minutes""#),
            ("Article", r#""datePublished":"May 1, 2026""#),
            ("VideoObject", r#""uploadDate":"2026-05-01T10:00:00""#),
            ("MusicEvent", r#""startDate":"01.05.2026""#),
            ("AggregateRating", r#""ratingValue":"9.1""#),
            ("Rating", r#""ratingValue":"120","bestRating":"100""#),
            (
                "Rating",
                r#""ratingValue":1,"worstRating":2,"bestRating":5"#,
            ),
        ] {
            assert_fails(&RICH_RESULT_INVALID_VALUE, &json(kind, properties), 1);
        }
    }

    #[test]
    fn microdata_values_come_from_their_attributes() {
        assert_passes(
            &RICH_RESULT_INVALID_VALUE,
            "<p itemscope itemtype='https://schema.org/Offer'><b itemprop=price content=12.50>€ 12,50</b>",
        );
        assert_fails(
            &RICH_RESULT_INVALID_VALUE,
            "<p itemscope itemtype='https://schema.org/Offer'><b itemprop=price>€ 12,50</b>",
            1,
        );
    }

    #[test]
    fn ratings_that_are_not_plain_numbers_and_other_types_are_not_applicable() {
        for html in [
            json("Rating", r#""ratingValue":"80%""#),
            json("Rating", r#""ratingValue":"6/10""#),
            json("Thing", r#""startDate":"tomorrow""#),
            json("Offer", r#""price":"""#),
            "<p>x".to_owned(),
        ] {
            assert_not_applicable(&RICH_RESULT_INVALID_VALUE, &html);
        }
    }
}
