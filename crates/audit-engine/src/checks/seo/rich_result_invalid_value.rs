//! Values in structured data have the form that search engines read.

use crate::check::{Evidence, Failures, Outcome};
use crate::common::documents::rich_values::{
    is_currency, is_date, is_duration, is_member, is_no_price, lacks_zone, rating,
};
use crate::declare_check;
use crate::structured::{Item, Value};
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Dates and durations in structured data are written by ISO 8601, prices as numbers with a
    /// decimal point, currencies by their code, availability and the like by the names of schema.org,
    /// and a rating is within its scale. The upload time of a video has a time zone.
    ///
    /// ## Why it matters
    /// A search engine that cannot read a value drops it, and with it often the whole rich result:
    /// the price, the stars or the date beside the result.
    ///
    /// ## How to fix it
    /// Write the value as the finding says: `2026-05-01` or `2026-05-01T10:00:00+02:00`, `PT1H30M`,
    /// `12.50` with `EUR` as `priceCurrency`, `https://schema.org/InStock`.
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
    /// JSON-LD and Microdata are read, RDFa is not. Only types that rich results are made of are
    /// judged. Empty values count as missing ones, and what some readers accept passes: a space before
    /// the time, a comma between thousands, names of schema.org in small letters. Whether a date is the
    /// right one is not known.
    ///
    /// ## References
    /// - Google Search Console Help, Rich result report: errors
    /// - schema.org, Offer, Rating, Recipe, VideoObject
    /// - ISO 8601, Representations of dates and times
    /// - ISO 4217, Codes for the representation of currencies
    RICH_RESULT_INVALID_VALUE {
        id: "rich-result-invalid-value",
        title: "Structured data with values that cannot be read",
        dimension: Seo,
        scope: Page,
        severity: Moderate,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

/// Types that rich results are made of, besides events.
const TYPES: [&str; 25] = [
    "AggregateOffer",
    "AggregateRating",
    "Article",
    "BlogPosting",
    "Course",
    "CourseInstance",
    "DiscussionForumPosting",
    "JobPosting",
    "LocalBusiness",
    "MobileApplication",
    "MonetaryAmount",
    "NewsArticle",
    "Offer",
    "PriceSpecification",
    "Product",
    "ProductGroup",
    "Question",
    "Rating",
    "Recipe",
    "Review",
    "SoftwareApplication",
    "TechArticle",
    "UnitPriceSpecification",
    "VideoObject",
    "WebApplication",
];

const EVENTS: [&str; 10] = [
    "BusinessEvent",
    "ComedyEvent",
    "EducationEvent",
    "Event",
    "ExhibitionEvent",
    "Festival",
    "MusicEvent",
    "SportsEvent",
    "TheaterEvent",
    "VisualArtsEvent",
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
    let mut judged = false;
    let mut failures = Failures::default();
    let items = page
        .structured()
        .items()
        .filter(|item| item.is_any(&TYPES) || item.is_any(&EVENTS));
    for item in items {
        for (property, value) in item.properties() {
            let Value::Text(text) = value else { continue };
            let text = text.trim();
            if text.is_empty() {
                continue;
            }
            if let Some(expected) = expected(property) {
                judged = true;
                if !expected.admits(text) {
                    failures.push(evidence(page, item, property, text, expected.says()));
                } else if property == "uploadDate" && lacks_zone(text) {
                    let zone = "a time zone behind the time, as in 2026-05-01T10:00:00+02:00";
                    failures.push(evidence(page, item, property, text, zone));
                }
            }
        }
        if let Some((text, scale)) = on_a_scale(item) {
            judged = true;
            failures.extend(scale.map(|scale| evidence(page, item, "ratingValue", text, &scale)));
        }
    }
    if judged {
        Outcome::from_failures(failures)
    } else {
        Outcome::NotApplicable
    }
}

/// What a value has to be.
#[derive(Clone, Copy)]
enum Expected {
    Date,
    Duration,
    Price,
    Currency,
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
        "eventAttendanceMode" => Some(Expected::OneOf(&ATTENDANCE)),
        "eventStatus" => Some(Expected::OneOf(&STATUS)),
        "itemCondition" => Some(Expected::OneOf(&CONDITION)),
        _ => None,
    }
}

impl Expected {
    fn admits(self, text: &str) -> bool {
        match self {
            Self::Date => is_date(text),
            Self::Duration => is_duration(text),
            Self::Price => !is_no_price(text),
            Self::Currency => is_currency(text),
            Self::OneOf(members) => is_member(text, members),
        }
    }

    const fn says(self) -> &'static str {
        match self {
            Self::Date => "a date such as 2026-05-01 or 2026-05-01T10:00:00+02:00",
            Self::Duration => "a duration such as PT1H30M",
            Self::Price => "a number with a decimal point, such as 12.50",
            Self::Currency => "a code of three letters, such as EUR",
            Self::OneOf(_) => "one of the values of schema.org, such as InStock for availability",
        }
    }
}

/// The rating, and the scale that it is beyond. A scale goes to 5 where nothing else is said. None
/// where the rating is no plain number, or the scale makes no sense.
fn on_a_scale(item: Item<'_>) -> Option<(&str, Option<String>)> {
    let text = item.texts("ratingValue").next()?;
    let value = rating(text)?;
    let end = |property, usual| item.texts(property).next().map_or(Some(usual), rating);
    let best = end("bestRating", 5.0)?;
    // Many write 0 for "not rated yet", which is below the usual beginning, 1.
    let worst = end("worstRating", f64::MIN)?;
    if worst > best {
        return None;
    }
    let beyond = !(worst..=best).contains(&value);
    let scale = || {
        let low = worst.max(1.0);
        format!("a rating from {low} to {best}, or another bestRating")
    };
    Some((text, beyond.then(scale)))
}

fn evidence(page: &Page, item: Item<'_>, property: &str, text: &str, expected: &str) -> Evidence {
    let kind = item
        .type_among(&TYPES)
        .or_else(|| item.type_among(&EVENTS))
        .unwrap_or("item");
    item.element(page)
        .map_or_else(Evidence::here, Evidence::node)
        .message(format!(
            "The {property} of {kind} is `{text}`; expected is {expected}."
        ))
        .cause(
            format!("{kind} {property}"),
            format!("The {property} of {kind} cannot be read"),
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
    fn values_of_the_right_form_pass() {
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
    fn values_of_another_form_fail() {
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
    fn microdata_is_read_by_its_attributes() {
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
    fn ratings_that_are_no_plain_numbers_and_other_types_are_not_judged() {
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
