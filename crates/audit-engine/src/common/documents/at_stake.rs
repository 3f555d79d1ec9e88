//! What an attack on a page could reach.

use crate::view::Page;

/// What an attacker could use on a page, from most to least.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum AtStake {
    /// The page sets a cookie, or has a form that sends data or asks for a password: someone may be signed in, or enter
    /// something.
    Session,
    /// The page runs scripts, but nobody signs in or enters anything.
    Scripts,
    /// Nothing but text.
    Nothing,
}

impl AtStake {
    /// What is at stake on the page.
    pub(crate) fn on(page: &Page) -> Self {
        let sends_data = page.html("form").any(|form| {
            form.attr("method")
                .is_some_and(|method| method.trim().eq_ignore_ascii_case("post"))
        });
        let asks_password = page
            .html("input")
            .any(|input| input.attr_is("type", "password"));
        if sends_data || asks_password || page.headers().has("set-cookie") {
            Self::Session
        } else if page.html("script").next().is_some() {
            Self::Scripts
        } else {
            Self::Nothing
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookies_and_forms_that_send_data_are_at_stake() {
        let on = |html: &str| AtStake::on(&Page::builder().html(html));
        assert_eq!(on("<p>Text"), AtStake::Nothing);
        assert_eq!(on("<script src=a.js></script>"), AtStake::Scripts);
        assert_eq!(
            on("<form action=/search><input name=q></form>"),
            AtStake::Nothing
        );
        assert_eq!(on("<form method=POST></form>"), AtStake::Session);
        assert_eq!(on("<input type=PASSWORD>"), AtStake::Session);
        let page = Page::builder().header("set-cookie", "a=b").html("<p>Text");
        assert_eq!(AtStake::on(&page), AtStake::Session);
    }
}
