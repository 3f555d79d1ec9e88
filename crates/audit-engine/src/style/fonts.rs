//! Style sheets of services for fonts.

use url::Url;

/// The services: the host, and how the paths of their sheets begin. Their sheets have only `@font-face` rules, and
/// rules for elements with the icons of a font, which have no text of their own.
const SERVICES: [(&str, &str); 12] = [
    ("fonts.googleapis.com", "/"),
    ("fonts.bunny.net", "/"),
    ("use.typekit.net", "/"),
    ("rsms.me", "/inter/"),
    ("fonts.cdnfonts.com", "/css/"),
    ("use.fontawesome.com", "/"),
    ("cdnjs.cloudflare.com", "/ajax/libs/font-awesome/"),
    ("maxcdn.bootstrapcdn.com", "/font-awesome/"),
    ("stackpath.bootstrapcdn.com", "/font-awesome/"),
    ("netdna.bootstrapcdn.com", "/font-awesome/"),
    ("cdn.jsdelivr.net", "/npm/bootstrap-icons"),
    ("cdn.jsdelivr.net", "/npm/@fortawesome/"),
];

/// Whether the sheet is one of a service for fonts, so that a page without it has the same colors.
pub(crate) fn is_of_fonts(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let mut services = SERVICES.iter();
    services.any(|(known, path)| *known == host && url.path().starts_with(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_sheets_of_services_for_fonts_are_known() {
        let is_known = |address: &str| is_of_fonts(&Url::parse(address).unwrap());
        assert!(is_known("https://fonts.googleapis.com/css2?family=Inter"));
        assert!(is_known("https://rsms.me/inter/inter.css"));
        assert!(!is_known("https://rsms.me/res/base.css"));
        assert!(!is_known(
            "https://cdn.jsdelivr.net/npm/bootstrap@5/dist/css/bootstrap.min.css"
        ));
    }
}
