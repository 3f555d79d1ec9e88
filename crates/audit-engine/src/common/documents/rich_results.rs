//! What Google requires of structured data before it shows a rich result.
//!
//! From the pages on each type in Google Search Central's documentation and the names of the errors
//! in Search Console's rich result reports, as of November 2026.

use crate::structured::{Item, Value};

/// A kind of rich result.
#[derive(Debug)]
pub(crate) struct Feature {
    /// The type that the others are kinds of.
    pub(crate) name: &'static str,
    /// The types that it is shown for.
    pub(crate) types: &'static [&'static str],
    /// What is shown, as people call it.
    pub(crate) shown: &'static str,
    /// Where it is not empty: only items with one of these are meant for it.
    only_with: &'static [&'static str],
    /// Properties that are required; of each group one.
    required: &'static [Group],
    /// Properties of parts that are required where the part is described.
    parts: &'static [Part],
}

#[derive(Debug)]
struct Group {
    /// The group in words.
    says: &'static str,
    any: &'static [&'static str],
}

#[derive(Debug)]
struct Part {
    property: &'static str,
    /// Types of parts that are not judged.
    but: &'static [&'static str],
    required: &'static [Group],
}

/// A required property that an item lacks.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Missing {
    /// The property that leads to the part which lacks it; empty for the item itself.
    pub(crate) part: &'static str,
    /// The property, or several of which one is enough.
    pub(crate) property: &'static str,
}

const fn one(property: &'static [&'static str; 1]) -> Group {
    let [says] = *property;
    Group {
        says,
        any: property,
    }
}

const NAME: Group = one(&["name"]);

/// Where a price may stand; a range of prices has a lowest one.
const PRICED: Part = Part {
    property: "offers",
    but: &["Demand"],
    required: &[Group {
        says: "price or priceSpecification",
        any: &["price", "priceSpecification", "lowPrice"],
    }],
};

const RATING_COUNTED: Group = Group {
    says: "ratingCount or reviewCount",
    any: &["ratingCount", "reviewCount"],
};

const RATED: Part = Part {
    property: "aggregateRating",
    but: &[],
    required: &[one(&["ratingValue"]), RATING_COUNTED],
};

/// What says whose an image is.
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
                says: "offers, review or aggregateRating",
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
                says: "thumbnailUrl",
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
                says: "jobLocation",
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
                says: "aggregateRating or review",
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
                    says: "acceptedAnswer or suggestedAnswer",
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
                says: "name or alternateName",
                any: &["name", "alternateName"],
            }],
        }],
    },
    // Most images that structured data names are meant for something else.
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
                says: "creator, creditText, copyrightNotice or license",
                any: &RIGHTS,
            },
        ],
        parts: &[],
    },
];

/// The rich result that an item could become.
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
    /// What the item, or a part of it, lacks; each once.
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
        .map(|group| group.says)
}

/// Whether the item says nothing of itself that could be judged.
fn is_reference(item: Item<'_>) -> bool {
    item.properties()
        .all(|(_, value)| *value == Value::Elsewhere)
}
