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
    /// The types that are eligible for it, with their subtypes.
    pub(crate) types: &'static [&'static str],
    /// Types, with their subtypes, that are not.
    but: &'static [&'static str],
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
    /// The property with the nested item, or several with dots between them.
    property: &'static str,
    /// If not empty: only nested items of these types and their subtypes are evaluated.
    only: &'static [&'static str],
    /// Types of nested items, with their subtypes, that are not evaluated.
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
    only: &[],
    but: &["Demand", "AggregateOffer"],
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
    only: &[],
    but: &[],
    required: &[one(&["ratingValue"]), RATING_COUNTED],
};

const RANGE_PRICED: Part = Part {
    property: "offers",
    only: &["AggregateOffer"],
    but: &[],
    required: &[one(&["lowPrice"]), one(&["priceCurrency"])],
};

const REVIEWS: Part = Part {
    property: "review",
    only: &["Review"],
    but: &[],
    required: &[one(&["author"]), one(&["reviewRating"])],
};

const REVIEWS_RATED: Part = Part {
    property: "review.reviewRating",
    only: &[],
    but: &[],
    required: &[one(&["ratingValue"])],
};

/// Properties that identify the owner of an image.
const RIGHTS: [&str; 4] = ["creator", "creditText", "copyrightNotice", "license"];

const REVIEWED: Part = Part {
    property: "itemReviewed",
    only: &[],
    but: &[],
    required: &[NAME],
};

static FEATURES: [Feature; 15] = [
    Feature {
        name: "Product",
        types: &["Product"],
        but: &["Vehicle", "ProductGroup", "Drug", "DietarySupplement"],
        shown: "products",
        only_with: &[],
        required: &[
            NAME,
            Group {
                label: "offers, review or aggregateRating",
                any: &["offers", "review", "reviews", "aggregateRating"],
            },
        ],
        parts: &[PRICED, RANGE_PRICED, RATED, REVIEWS, REVIEWS_RATED],
    },
    Feature {
        name: "Recipe",
        types: &["Recipe"],
        but: &[],
        shown: "recipes",
        only_with: &[],
        required: &[NAME, one(&["image"])],
        parts: &[RATED, REVIEWS, REVIEWS_RATED],
    },
    Feature {
        name: "Event",
        types: &["Event"],
        but: &[
            "PublicationEvent",
            "CourseInstance",
            "DeliveryEvent",
            "EventSeries",
            "UserInteraction",
        ],
        shown: "events",
        only_with: &[],
        required: &[NAME, one(&["startDate"]), one(&["location"])],
        parts: &[
            Part {
                property: "location",
                only: &[],
                but: &["VirtualLocation", "PostalAddress"],
                required: &[one(&["address"])],
            },
            RATED,
            REVIEWS,
            REVIEWS_RATED,
        ],
    },
    Feature {
        name: "LocalBusiness",
        types: &["LocalBusiness"],
        but: &[],
        shown: "local businesses",
        only_with: &[],
        required: &[NAME, one(&["address"])],
        parts: &[RATED, REVIEWS, REVIEWS_RATED],
    },
    Feature {
        name: "VideoObject",
        types: &["VideoObject"],
        but: &[],
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
        parts: &[
            Part {
                property: "hasPart",
                only: &["Clip"],
                but: &[],
                required: &[NAME, one(&["startOffset"]), one(&["url"])],
            },
            Part {
                property: "potentialAction",
                only: &["SeekToAction"],
                but: &[],
                required: &[one(&["target"]), one(&["startOffset-input"])],
            },
            Part {
                property: "publication",
                only: &["BroadcastEvent"],
                but: &[],
                required: &[
                    one(&["isLiveBroadcast"]),
                    one(&["startDate"]),
                    one(&["endDate"]),
                ],
            },
            RATED,
            REVIEWS,
            REVIEWS_RATED,
        ],
    },
    Feature {
        name: "JobPosting",
        types: &["JobPosting"],
        but: &[],
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
        parts: &[Part {
            property: "jobLocation.address",
            only: &[],
            but: &[],
            required: &[one(&["addressCountry"])],
        }],
    },
    Feature {
        name: "SoftwareApplication",
        types: &["SoftwareApplication"],
        // Google shows no rich result for software that is only a video game.
        but: &["VideoGame"],
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
        parts: &[PRICED, RANGE_PRICED, RATED, REVIEWS, REVIEWS_RATED],
    },
    Feature {
        name: "QAPage",
        types: &["QAPage"],
        but: &[],
        shown: "questions and answers",
        only_with: &[],
        required: &[one(&["mainEntity"])],
        parts: &[Part {
            property: "mainEntity",
            only: &[],
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
        but: &[],
        shown: "courses",
        only_with: &[],
        required: &[NAME, one(&["description"])],
        parts: &[RATED, REVIEWS, REVIEWS_RATED],
    },
    Feature {
        name: "Dataset",
        types: &["Dataset"],
        but: &["DataFeed"],
        shown: "data sets",
        only_with: &[],
        required: &[NAME, one(&["description"])],
        parts: &[],
    },
    Feature {
        name: "Review",
        types: &["Review"],
        but: &["ClaimReview", "MediaReview", "Recommendation"],
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
                only: &[],
                but: &[],
                required: &[one(&["ratingValue"])],
            },
        ],
    },
    Feature {
        name: "AggregateRating",
        types: &["AggregateRating"],
        but: &[],
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
        but: &[],
        shown: "profiles",
        only_with: &[],
        required: &[one(&["mainEntity"])],
        parts: &[Part {
            property: "mainEntity",
            only: &[],
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
        but: &[],
        shown: "credits and licenses of images",
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
    // Other things may have reviews and ratings, too.
    Feature {
        name: "Review of a thing",
        types: &[
            "Book",
            "CreativeWorkSeason",
            "CreativeWorkSeries",
            "Episode",
            "Game",
            "MediaObject",
            "Movie",
            "MusicPlaylist",
            "MusicRecording",
            "Organization",
        ],
        but: &[],
        shown: "reviews and ratings",
        only_with: &["aggregateRating", "review"],
        required: &[NAME],
        parts: &[RATED, REVIEWS, REVIEWS_RATED],
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
        .find(|feature| feature.type_of(item).is_some())
}

impl Feature {
    /// The first type of the item that is eligible.
    pub(crate) fn type_of<'a>(&self, item: Item<'a>) -> Option<&'a str> {
        item.type_below(self.types)
            .filter(|_| item.type_below(self.but).is_none())
    }

    /// The missing properties of the item and its nested items, each once.
    pub(crate) fn missing(&self, item: Item<'_>) -> Vec<Missing> {
        let mut missing: Vec<Missing> = lacking(self.required, item)
            .map(|property| Missing { part: "", property })
            .collect();
        for part in self.parts {
            let described = nested(item, part.property).into_iter().filter(|found| {
                (part.only.is_empty() || found.type_below(part.only).is_some())
                    && found.type_below(part.but).is_none()
                    && !is_reference(*found)
            });
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

/// The items of a property, or of properties with dots between them.
fn nested<'a>(item: Item<'a>, path: &'static str) -> Vec<Item<'a>> {
    let mut found = vec![item];
    for property in path.split('.') {
        found = found
            .into_iter()
            .flat_map(|item| item.items(property))
            .take(MAX_NESTED)
            .collect();
    }
    found
}

/// How many nested items of one property are evaluated.
const MAX_NESTED: usize = 1_000;

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
