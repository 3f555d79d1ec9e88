//! The possible defects of a page.

/// A possible defect of a page. A page has at most one defect, the start page has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Defect {
    /// No `title` element.
    TitleMissing,
    /// The title of other pages.
    TitleDuplicate,
    /// No description.
    DescriptionMissing,
    /// The description of other pages.
    DescriptionDuplicate,
    /// No level-one heading.
    HeadingMissing,
    /// A picture without an `alt` attribute.
    AltMissing,
    /// No `lang` attribute.
    LanguageMissing,
    /// A link to a page that returns 404.
    BrokenLink,
    /// A link to a URL that redirects to a page.
    RedirectedLink,
    /// `noindex`, and not in the sitemap.
    Noindex,
    /// In the sitemap but not linked; only pages without children.
    Orphan,
}

impl Defect {
    /// Every defect.
    pub const ALL: [Self; 11] = [
        Self::TitleMissing,
        Self::TitleDuplicate,
        Self::DescriptionMissing,
        Self::DescriptionDuplicate,
        Self::HeadingMissing,
        Self::AltMissing,
        Self::LanguageMissing,
        Self::BrokenLink,
        Self::RedirectedLink,
        Self::Noindex,
        Self::Orphan,
    ];

    /// Every defect that leaves each page reachable by links.
    pub const LINKED: [Self; 10] = [
        Self::TitleMissing,
        Self::TitleDuplicate,
        Self::DescriptionMissing,
        Self::DescriptionDuplicate,
        Self::HeadingMissing,
        Self::AltMissing,
        Self::LanguageMissing,
        Self::BrokenLink,
        Self::RedirectedLink,
        Self::Noindex,
    ];

    /// The check that finds it.
    #[must_use]
    pub const fn check(self) -> &'static str {
        match self {
            Self::TitleMissing => "title-missing",
            Self::TitleDuplicate => "title-duplicate",
            Self::DescriptionMissing => "description-missing",
            Self::DescriptionDuplicate => "description-duplicate",
            Self::HeadingMissing => "h1-missing",
            Self::AltMissing => "image-alt",
            Self::LanguageMissing => "html-has-lang",
            Self::BrokenLink => "link-broken-internal",
            Self::RedirectedLink => "redirect-internal-link",
            Self::Noindex => "noindex-page",
            Self::Orphan => "orphan-page",
        }
    }

    /// The number of the defect, for deriving values from the seed.
    pub(super) const fn number(self) -> u64 {
        match self {
            Self::TitleMissing => 0,
            Self::TitleDuplicate => 1,
            Self::DescriptionMissing => 2,
            Self::DescriptionDuplicate => 3,
            Self::HeadingMissing => 4,
            Self::AltMissing => 5,
            Self::LanguageMissing => 6,
            Self::BrokenLink => 7,
            Self::RedirectedLink => 8,
            Self::Noindex => 9,
            Self::Orphan => 10,
        }
    }
}
