//! Structured data has the properties that Google requires for a rich result.

use crate::check::{Evidence, Failures, Outcome};
use crate::common::documents::rich_results::{Feature, Missing, feature_of};
use crate::declare_check;
use crate::structured::Item;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Structured data that is eligible for a rich result has every property that Google requires for its
    /// type: products, reviews and ratings, recipes, events, local businesses, videos, job postings,
    /// software, courses, data sets, profiles, pages of questions and answers, and credits and licenses of
    /// images. Subtypes of schema.org's hierarchy count, such as `Bakery` for local businesses. Reviews and ratings
    /// inside books, movies, games, organizations and other things are evaluated with them.
    ///
    /// ## Why it matters
    /// Google shows stars, prices, dates or images next to a result only if no required property is missing.
    /// A single missing property makes the item ineligible.
    ///
    /// ## How to fix it
    /// Complete the structured data with the missing property, with the information from the page. If the page does
    /// not have this information, remove the structured data: it must describe what visitors see.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><head><title>Harbour mug – Island Line</title><script type="application/ld+json">{"@context": "https://schema.org", "@type": "Product", "name": "Harbour mug"}</script></head><body><h1>Harbour mug</h1></body></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><head><title>Harbour mug – Island Line</title><script type="application/ld+json">{"@context": "https://schema.org", "@type": "Product", "name": "Harbour mug", "offers": {"@type": "Offer", "price": "12.50", "priceCurrency": "EUR"}}</script></head><body><h1>Harbour mug</h1></body></html>
    /// ```
    ///
    /// ## Limits
    /// The check reads JSON-LD and Microdata, but not RDFa. It does not evaluate items that are parts of
    /// other items, such as the products of a list, except the offers and ratings of evaluated items.
    /// Articles and organizations have no required properties. The check does not evaluate forums. It
    /// evaluates an image only if the image has a property for its license or credits. It does not evaluate
    /// whether a list of courses has the required three. Properties that Google only recommends do not count.
    ///
    /// Google no longer shows these rich results, so the check does not evaluate their types: how-to
    /// (`HowTo`, 2023), the search box of a site (`SearchAction` of a `WebSite`, 2024), and since 2025 book
    /// actions, course info (`CourseInstance`), fact checks (`ClaimReview`), estimated salaries
    /// (`OccupationAggregation`), learning videos, special announcements and vehicle listings. Google shows
    /// questions and answers of an `FAQPage` for few sites of governments and about health only, so the
    /// check does not evaluate them either. Their data is valid schema.org, and may stay.
    ///
    /// ## Also known as
    /// - Search Console: Missing field
    /// - Screaming Frog: Structured Data: Rich Result Validation Errors
    ///
    /// ## References
    /// - Google Search Central, Structured data markup that Google Search supports
    /// - Google Search Console Help, Rich result report: errors
    RICH_RESULT_MISSING_REQUIRED {
        id: "rich-result-missing-required",
        title: "Missing required properties in structured data",
        dimension: Seo,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [Dom, Indexable],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let candidates = page
        .structured()
        .items()
        .filter(|item| !item.is_nested())
        .filter_map(|item| Some((item, feature_of(item)?)));
    let mut applicable = false;
    let mut failures = Failures::default();
    for (item, feature) in candidates {
        applicable = true;
        failures.extend(
            feature
                .missing(item)
                .into_iter()
                .map(|missing| evidence(page, item, feature, &missing)),
        );
    }
    if applicable {
        Outcome::from_failures(failures)
    } else {
        Outcome::NotApplicable
    }
}

fn evidence(page: &Page, item: Item<'_>, feature: &Feature, missing: &Missing) -> Evidence {
    let kind = feature.type_of(item).unwrap_or(feature.name);
    let label = item
        .label()
        .map_or_else(String::new, |label| format!(" “{label}”"));
    let (part, property) = (missing.part, missing.property);
    let subject = if part.is_empty() {
        format!("The {kind}{label}")
    } else {
        format!("The {part} of the {kind}{label}")
    };
    item.element(page)
        .map_or_else(Evidence::here, Evidence::node)
        .message(format!(
            "{subject} has no {property}, which Google requires for a rich result for {}.",
            feature.shown
        ))
        .cause(
            format!("{} {part} {property}", feature.name),
            match part {
                "" => format!("{} without {property}", feature.name),
                part => format!("{} whose {part} has no {property}", feature.name),
            },
        )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_not_applicable, assert_passes, outcome, outcome_of};

    fn json(block: &str) -> String {
        format!(
            r#"<script type="application/ld+json">{{"@context":"https://schema.org",{block}}}</script>"#
        )
    }

    #[track_caller]
    fn misses(block: &str, properties: &[&str]) {
        match outcome(&RICH_RESULT_MISSING_REQUIRED, &json(block)) {
            Outcome::Failed(evidence) => {
                assert_eq!(evidence.len(), properties.len(), "{evidence:#?}");
                for (evidence, property) in evidence.iter().zip(properties) {
                    let message = &evidence.message;
                    assert!(
                        message.contains(&format!("has no {property},")),
                        "{message}"
                    );
                }
            }
            other => panic!("{block}: {other:?}"),
        }
    }

    #[test]
    fn items_with_all_required_properties_pass() {
        for block in [
            r#""@type":"Product","name":"Mug","review":{"@type":"Review","author":"Ann","reviewRating":{"@type":"Rating","ratingValue":4}}"#,
            r#""@type":"Product","name":"Mug","offers":{"@type":"AggregateOffer","lowPrice":"9","priceCurrency":"EUR"}"#,
            r#""@type":"Recipe","name":"Soup","image":"/s.jpg""#,
            r#""@type":"MusicEvent","name":"Concert","startDate":"2026-05-01","location":{"@type":"Place","name":"Hall","address":"Pier 1"}"#,
            r#""@type":"Event","name":"Talk","startDate":"2026-05-01","location":{"@type":"VirtualLocation","url":"https://talk.example"}"#,
            r#""@type":"Restaurant","name":"Grill","address":{"@type":"PostalAddress","streetAddress":"Pier 1"}"#,
            r#""@type":"VideoObject","name":"Tour","thumbnailUrl":"/t.jpg","uploadDate":"2026-05-01""#,
        ] {
            assert_passes(&RICH_RESULT_MISSING_REQUIRED, &json(block));
        }
    }

    #[test]
    fn each_missing_property_is_reported() {
        misses(
            r#""@type":"Product","name":"Mug""#,
            &["offers, review or aggregateRating"],
        );
        misses(r#""@type":"Recipe","recipeYield":"2""#, &["name", "image"]);
        misses(
            r#""@type":"Event","name":"Talk","location":"Hall""#,
            &["startDate"],
        );
        misses(
            r#""@type":"VideoObject","name":"Tour""#,
            &["thumbnailUrl", "uploadDate"],
        );
        misses(r#""@type":"Store","name":"Shop""#, &["address"]);
        misses(
            r#""@type":"JobPosting","title":"Cook","description":"x","datePosted":"2026-05-01""#,
            &["hiringOrganization", "jobLocation"],
        );
        misses(
            r#""@type":"SoftwareApplication","name":"App","offers":{"@type":"Offer","price":0}"#,
            &["aggregateRating or review"],
        );
    }

    #[test]
    fn courses_data_sets_reviews_profiles_and_images_are_evaluated() {
        for block in [
            r#""@type":"Course","name":"Knots","description":"All that hold""#,
            r#""@type":"Dataset","name":"Tides","description":"Heights since 1950""#,
            r#""@type":"Review","author":"Ann","itemReviewed":{"@type":"Book","name":"Tides"},"reviewRating":{"@type":"Rating","ratingValue":4}"#,
            r#""@type":"AggregateRating","itemReviewed":{"@type":"Book","name":"Tides"},"ratingValue":4,"ratingCount":9"#,
            r#""@type":"ProfilePage","mainEntity":{"@type":"Person","alternateName":"ann"}"#,
            r#""@type":"ImageObject","contentUrl":"/a.jpg","license":"/licence""#,
        ] {
            assert_passes(&RICH_RESULT_MISSING_REQUIRED, &json(block));
        }
        misses(r#""@type":"Course","name":"Knots""#, &["description"]);
        misses(r#""@type":"Dataset","description":"x""#, &["name"]);
        misses(
            r#""@type":"Review","itemReviewed":{"@type":"Book","isbn":"1"},"reviewRating":{"@type":"Rating","bestRating":5}"#,
            &["author", "name", "ratingValue"],
        );
        misses(
            r#""@type":"AggregateRating","ratingValue":4"#,
            &["itemReviewed", "ratingCount or reviewCount"],
        );
        misses(
            r#""@type":"ProfilePage","mainEntity":{"@type":"Person","url":"/ann"}"#,
            &["name or alternateName"],
        );
        misses(
            r#""@type":"ImageObject","url":"/a.jpg","acquireLicensePage":"/buy""#,
            &[
                "contentUrl",
                "creator, creditText, copyrightNotice or license",
            ],
        );
    }

    #[test]
    fn an_image_without_license_or_credit_properties_is_not_applicable() {
        let block = r#""@type":"ImageObject","url":"/a.jpg","caption":"The pier""#;
        assert_not_applicable(&RICH_RESULT_MISSING_REQUIRED, &json(block));
    }

    #[test]
    fn nested_parts_are_evaluated_with_their_item() {
        misses(
            r#""@type":"Product","name":"Mug","offers":{"@type":"Offer","availability":"InStock"}"#,
            &["price or priceSpecification"],
        );
        misses(
            r#""@type":"Product","name":"Mug","aggregateRating":{"@type":"AggregateRating","ratingValue":4}"#,
            &["ratingCount or reviewCount"],
        );
        misses(
            r#""@type":"Event","name":"Talk","startDate":"2026-05-01","location":{"@type":"Place","name":"Hall"}"#,
            &["address"],
        );
        misses(
            r#""@type":"QAPage","mainEntity":{"@type":"Question","name":"Why?","answerCount":0}"#,
            &["acceptedAnswer or suggestedAnswer"],
        );
    }

    #[test]
    fn subtypes_of_the_hierarchy_are_evaluated() {
        for kind in ["Bakery", "Hostel", "AutoPartsStore", "TattooParlor"] {
            misses(&format!(r#""@type":"{kind}","name":"Shop""#), &["address"]);
        }
        for kind in ["Hackathon", "CourseInstance"] {
            let block = format!(r#""@type":"{kind}","name":"x","startDate":"2026-05-01""#);
            if kind == "Hackathon" {
                misses(&block, &["location"]);
            } else {
                assert_not_applicable(&RICH_RESULT_MISSING_REQUIRED, &json(&block));
            }
        }
        assert_not_applicable(
            &RICH_RESULT_MISSING_REQUIRED,
            &json(r#""@type":"Car","name":"Van""#),
        );
    }

    #[test]
    fn price_ranges_need_a_currency() {
        misses(
            r#""@type":"Product","name":"Mug","offers":{"@type":"AggregateOffer","lowPrice":"9"}"#,
            &["priceCurrency"],
        );
        misses(
            r#""@type":"Product","name":"Mug","offers":{"@type":"AggregateOffer","priceCurrency":"EUR"}"#,
            &["lowPrice"],
        );
        misses(
            r#""@type":"WebApplication","name":"App","aggregateRating":{"ratingValue":4,"ratingCount":2},"offers":{"@type":"AggregateOffer","lowPrice":0}"#,
            &["priceCurrency"],
        );
    }

    #[test]
    fn places_of_work_need_a_country() {
        let job = |address: &str| {
            format!(
                r#""@type":"JobPosting","title":"Cook","description":"x","datePosted":"2026-05-01","hiringOrganization":"Inn","jobLocation":{{"@type":"Place","address":{address}}}"#
            )
        };
        misses(
            &job(r#"{"@type":"PostalAddress","addressLocality":"Port"}"#),
            &["addressCountry"],
        );
        misses(
            &job(
                r#"[{"@type":"PostalAddress","addressCountry":"FR"},{"@type":"PostalAddress","postalCode":"1"}]"#,
            ),
            &["addressCountry"],
        );
        for address in [
            r#"{"@type":"PostalAddress","addressCountry":"FR"}"#,
            r#"{"@type":"PostalAddress","addressCountry":{"@type":"Country","name":"FR"}}"#,
        ] {
            assert_passes(&RICH_RESULT_MISSING_REQUIRED, &json(&job(address)));
        }
    }

    #[test]
    fn reviews_and_ratings_inside_things_are_evaluated() {
        for kind in [
            "Book",
            "Movie",
            "VideoGame",
            "Organization",
            "NGO",
            "TVEpisode",
        ] {
            misses(
                &format!(
                    r#""@type":"{kind}","name":"x","aggregateRating":{{"@type":"AggregateRating","ratingValue":4}}"#
                ),
                &["ratingCount or reviewCount"],
            );
            misses(
                &format!(
                    r#""@type":"{kind}","name":"x","review":{{"@type":"Review","author":"Ann","reviewRating":{{"@type":"Rating","bestRating":5}}}}"#
                ),
                &["ratingValue"],
            );
            assert_not_applicable(
                &RICH_RESULT_MISSING_REQUIRED,
                &json(&format!(r#""@type":"{kind}","name":"x""#)),
            );
        }
        misses(
            r#""@type":"Product","name":"Mug","review":[{"@type":"Review","reviewBody":"x"}]"#,
            &["author", "reviewRating"],
        );
    }

    #[test]
    fn parts_of_videos_are_evaluated() {
        let video = |part: &str| {
            format!(
                r#""@type":"VideoObject","name":"Tour","thumbnailUrl":"/t.jpg","uploadDate":"2026-05-01",{part}"#
            )
        };
        misses(
            &video(r#""hasPart":[{"@type":"Clip","name":"Pier"}]"#),
            &["startOffset", "url"],
        );
        misses(
            &video(r#""potentialAction":{"@type":"SeekToAction","target":"/v?t={seek}"}"#),
            &["startOffset-input"],
        );
        misses(
            &video(
                r#""publication":{"@type":"BroadcastEvent","isLiveBroadcast":true,"startDate":"2026-05-01"}"#,
            ),
            &["endDate"],
        );
        assert_passes(
            &RICH_RESULT_MISSING_REQUIRED,
            &json(&video(r#""potentialAction":{"@type":"WatchAction"}"#)),
        );
    }

    #[test]
    fn remote_jobs_need_applicant_location_requirements_instead_of_a_location() {
        let remote = r#""@type":"JobPosting","title":"Cook","description":"x","datePosted":"2026-05-01","hiringOrganization":"Inn","jobLocationType":"TELECOMMUTE","applicantLocationRequirements":{"@type":"Country","name":"FR"}"#;
        assert_passes(&RICH_RESULT_MISSING_REQUIRED, &json(remote));
    }

    #[test]
    fn a_reference_to_an_item_elsewhere_counts_as_present() {
        let block =
            r##""@type":"Product","name":"Mug","offers":{"@id":"https://example.com/#offer"}"##;
        assert_passes(&RICH_RESULT_MISSING_REQUIRED, &json(block));
    }

    #[test]
    fn parts_of_other_items_and_bare_references_are_not_applicable() {
        for block in [
            r#""@type":"ItemList","itemListElement":[{"@type":"ListItem","position":1,"item":{"@type":"Product","name":"Mug"}}]"#,
            r##""@graph":[{"@type":"Product","@id":"#mug"}]"##,
            r#""@type":"Article","video":{"@type":"VideoObject","name":"Tour"}"#,
            r#""@type":"Article","headline":"News""#,
        ] {
            assert_not_applicable(&RICH_RESULT_MISSING_REQUIRED, &json(block));
        }
    }

    #[test]
    fn microdata_is_evaluated_like_json_ld() {
        let html =
            "<div itemscope itemtype='https://schema.org/Product'><h1 itemprop=name>Mug</h1></div>";
        assert!(matches!(
            outcome_of(&RICH_RESULT_MISSING_REQUIRED, &Page::builder().html(html)),
            Outcome::Failed(evidence) if evidence.len() == 1
        ));
    }
}
