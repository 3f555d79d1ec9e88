//! Structured data properties that Google requires for rich results.
//!
//! Sources: the page of each type in the Google Search Central documentation, and the error names in the rich
//! result reports of Search Console, as of November 2026.

use crate::structured::{Item, Value};

/// A kind of rich result.
#[derive(Debug)]
pub(crate) struct Feature {
    /// The base type.
    pub(crate) name: &'static str,
    /// The types that are eligible for it.
    pub(crate) types: &'static [&'static str],
    /// The common name of the rich result.
    pub(crate) shown: &'static str,
    /// If not empty: only items with one of these properties are evaluated.
    only_with: &'static [&'static str],
    /// Required properties; one of each group.
    required: &'static [Group],
    /// Required properties of nested items, if the nested item is described.
    parts: &'static [Part],
}

#[derive(Debug)]
struct Group {
    /// The label of the group.
    label: &'static str,
    any: &'static [&'static str],
}

#[derive(Debug)]
struct Part {
    property: &'static str,
    /// Types of nested items that are not evaluated.
    but: &'static [&'static str],
    required: &'static [Group],
}

/// A required property that an item lacks.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Missing {
    /// The property with the nested item that lacks it; empty for the item itself.
    pub(crate) part: &'static str,
    /// The property, or several alternatives.
    pub(crate) property: &'static str,
}

const fn one(property: &'static [&'static str; 1]) -> Group {
    let [label] = *property;
    Group {
        label,
        any: property,
    }
}

const NAME: Group = one(&["name"]);

/// Properties that can hold the price; a price range has a `lowPrice`.
const PRICED: Part = Part {
    property: "offers",
    but: &["Demand"],
    required: &[Group {
        label: "price or priceSpecification",
        any: &["price", "priceSpecification", "lowPrice"],
    }],
};

const RATING_COUNTED: Group = Group {
    label: "ratingCount or reviewCount",
    any: &["ratingCount", "reviewCount"],
};

const RATED: Part = Part {
    property: "aggregateRating",
    but: &[],
    required: &[one(&["ratingValue"]), RATING_COUNTED],
};

/// Properties that identify the owner of an image.
const RIGHTS: [&str; 4] = ["creator", "creditText", "copyrightNotice", "license"];

const REVIEWED: Part = Part {
    property: "itemReviewed",
    but: &[],
    required: &[NAME],
};

static FEATURES: [Feature; 14] = [
    Feature {
        name: "Product",
        types: &["Product"],
        shown: "products",
        only_with: &[],
        required: &[
            NAME,
            Group {
                label: "offers, review or aggregateRating",
                any: &["offers", "review", "reviews", "aggregateRating"],
            },
        ],
        parts: &[PRICED, RATED],
    },
    Feature {
        name: "Recipe",
        types: &["Recipe"],
        shown: "recipes",
        only_with: &[],
        required: &[NAME, one(&["image"])],
        parts: &[RATED],
    },
    Feature {
        name: "Event",
        types: &[
            "Event",
            "BusinessEvent",
            "ChildrensEvent",
            "ComedyEvent",
            "DanceEvent",
            "EducationEvent",
            "ExhibitionEvent",
            "Festival",
            "FoodEvent",
            "LiteraryEvent",
            "MusicEvent",
            "SaleEvent",
            "ScreeningEvent",
            "SocialEvent",
            "SportsEvent",
            "TheaterEvent",
            "VisualArtsEvent",
        ],
        shown: "events",
        only_with: &[],
        required: &[NAME, one(&["startDate"]), one(&["location"])],
        parts: &[Part {
            property: "location",
            but: &["VirtualLocation", "PostalAddress"],
            required: &[one(&["address"])],
        }],
    },
    Feature {
        name: "LocalBusiness",
        types: &[
            "LocalBusiness",
            "AutoRepair",
            "Bakery",
            "BarOrPub",
            "BeautySalon",
            "CafeOrCoffeeShop",
            "Dentist",
            "Electrician",
            "HairSalon",
            "Hotel",
            "Library",
            "LodgingBusiness",
            "Pharmacy",
            "Plumber",
            "Restaurant",
            "Store",
        ],
        shown: "local businesses",
        only_with: &[],
        required: &[NAME, one(&["address"])],
        parts: &[RATED],
    },
    Feature {
        name: "VideoObject",
        types: &["VideoObject"],
        shown: "videos",
        only_with: &[],
        required: &[
            NAME,
            Group {
                label: "thumbnailUrl",
                any: &["thumbnailUrl", "thumbnail"],
            },
            one(&["uploadDate"]),
        ],
        parts: &[],
    },
    Feature {
        name: "JobPosting",
        types: &["JobPosting"],
        shown: "job postings",
        only_with: &[],
        required: &[
            one(&["title"]),
            one(&["description"]),
            one(&["datePosted"]),
            one(&["hiringOrganization"]),
            Group {
                label: "jobLocation",
                any: &["jobLocation", "applicantLocationRequirements"],
            },
        ],
        parts: &[],
    },
    Feature {
        name: "SoftwareApplication",
        types: &["SoftwareApplication", "MobileApplication", "WebApplication"],
        shown: "software",
        only_with: &[],
        required: &[
            NAME,
            one(&["offers"]),
            Group {
                label: "aggregateRating or review",
                any: &["aggregateRating", "review", "reviews"],
            },
        ],
        parts: &[PRICED, RATED],
    },
    Feature {
        name: "QAPage",
        types: &["QAPage"],
        shown: "questions and answers",
        only_with: &[],
        required: &[one(&["mainEntity"])],
        parts: &[Part {
            property: "mainEntity",
            but: &[],
            required: &[
                NAME,
                one(&["answerCount"]),
                Group {
                    label: "acceptedAnswer or suggestedAnswer",
                    any: &["acceptedAnswer", "suggestedAnswer"],
                },
            ],
        }],
    },
    Feature {
        name: "Course",
        types: &["Course"],
        shown: "courses",
        only_with: &[],
        required: &[NAME, one(&["description"])],
        parts: &[RATED],
    },
    Feature {
        name: "Dataset",
        types: &["Dataset"],
        shown: "data sets",
        only_with: &[],
        required: &[NAME, one(&["description"])],
        parts: &[],
    },
    Feature {
        name: "Review",
        types: &["Review", "CriticReview", "UserReview"],
        shown: "reviews",
        only_with: &[],
        required: &[
            one(&["author"]),
            one(&["itemReviewed"]),
            one(&["reviewRating"]),
        ],
        parts: &[
            REVIEWED,
            Part {
                property: "reviewRating",
                but: &[],
                required: &[one(&["ratingValue"])],
            },
        ],
    },
    Feature {
        name: "AggregateRating",
        types: &["AggregateRating"],
        shown: "ratings",
        only_with: &[],
        required: &[
            one(&["itemReviewed"]),
            one(&["ratingValue"]),
            RATING_COUNTED,
        ],
        parts: &[REVIEWED],
    },
    Feature {
        name: "ProfilePage",
        types: &["ProfilePage"],
        shown: "profiles",
        only_with: &[],
        required: &[one(&["mainEntity"])],
        parts: &[Part {
            property: "mainEntity",
            but: &[],
            required: &[Group {
                label: "name or alternateName",
                any: &["name", "alternateName"],
            }],
        }],
    },
    // Most images in structured data are not meant for this rich result.
    Feature {
        name: "ImageObject",
        types: &["ImageObject"],
        shown: "credits and licences of images",
        only_with: &[
            "creator",
            "creditText",
            "copyrightNotice",
            "license",
            "acquireLicensePage",
        ],
        required: &[
            one(&["contentUrl"]),
            Group {
                label: "creator, creditText, copyrightNotice or license",
                any: &RIGHTS,
            },
        ],
        parts: &[],
    },
];

/// The rich result that an item is eligible for.
pub(crate) fn feature_of(item: Item<'_>) -> Option<&'static Feature> {
    let meant = |feature: &&Feature| {
        feature.only_with.is_empty() || feature.only_with.iter().any(|one| item.has(one))
    };
    FEATURES
        .iter()
        .filter(meant)
        .find(|feature| item.is_any(feature.types))
}

impl Feature {
    /// The missing properties of the item and its nested items, each once.
    pub(crate) fn missing(&self, item: Item<'_>) -> Vec<Missing> {
        let mut missing: Vec<Missing> = lacking(self.required, item)
            .map(|property| Missing { part: "", property })
            .collect();
        for part in self.parts {
            let described = item
                .items(part.property)
                .filter(|found| !found.is_any(part.but) && !is_reference(*found));
            for found in described {
                for property in lacking(part.required, found) {
                    let lack = Missing {
                        part: part.property,
                        property,
                    };
                    if !missing.contains(&lack) {
                        missing.push(lack);
                    }
                }
            }
        }
        missing
    }
}

fn lacking<'a>(
    groups: &'static [Group],
    item: Item<'a>,
) -> impl Iterator<Item = &'static str> + use<'a> {
    groups
        .iter()
        .filter(move |group| !group.any.iter().any(|property| item.has(property)))
        .map(|group| group.label)
}

/// Whether the item only references items that are described elsewhere.
fn is_reference(item: Item<'_>) -> bool {
    item.properties()
        .all(|(_, value)| *value == Value::Elsewhere)
}
