//! `Set-Cookie`, as browsers read it (RFC 6265bis §5.6).

/// The value of `SameSite`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SameSite {
    /// Sent only with same-site requests.
    Strict,
    /// Sent on top-level navigations too.
    Lax,
    /// Sent with all requests.
    None,
    /// A value that browsers do not support and treat as missing.
    Unknown(String),
}

/// Bytes of name and value beyond which browsers ignore a cookie.
const MAX_PAIR: usize = 4_096;
/// Bytes of an attribute's value beyond which browsers ignore the attribute.
const MAX_ATTRIBUTE: usize = 1_024;

/// Cookies that platforms set, in lower case: load balancers of Heroku, AWS, Azure, Google Cloud and
/// DigitalOcean, and the bot detection of Cloudflare and Akamai.
const PLATFORM_COOKIES: [&str; 25] = [
    "heroku-session-affinity",
    "awsalb",
    "awsalbcors",
    "awsalbtg",
    "awsalbtgcors",
    "awselb",
    "awselbcors",
    "arraffinity",
    "arraffinitysamesite",
    "applicationgatewayaffinity",
    "applicationgatewayaffinitycors",
    "gclb",
    "do-lb",
    "__cf_bm",
    "__cflb",
    "__cfruid",
    "__cfseq",
    "__cfwaitingroom",
    "_cfuvid",
    "cf_clearance",
    "_abck",
    "ak_bmsc",
    "bm_sv",
    "bm_sz",
    "bm_mi",
];
/// Beginnings of the names of Imperva's cookies, which continue with a number of the site.
const PLATFORM_PREFIXES: [&str; 3] = ["incap_ses_", "visid_incap_", "nlbi_"];

/// A cookie as a response sets it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetCookie {
    /// Its name; may be empty.
    pub name: String,
    /// Its value.
    pub value: String,
    /// Whether it is sent only over https.
    pub secure: bool,
    /// Whether scripts cannot read it.
    pub http_only: bool,
    /// `SameSite`, if given.
    pub same_site: Option<SameSite>,
    /// `Path`, if it begins with a slash.
    pub path: Option<String>,
    /// `Domain`, if it is not empty.
    pub domain: Option<String>,
    /// `Max-Age` in seconds, if it is a number.
    pub max_age: Option<i64>,
    /// `Expires` as written.
    pub expires: Option<String>,
}

impl SetCookie {
    /// Parses a `Set-Cookie` value; none if browsers ignore it.
    #[must_use]
    pub fn parse(header: &str) -> Option<Self> {
        if header.contains(|c: char| c.is_ascii_control() && c != '\t') {
            return None;
        }
        let mut parts = header.split(';');
        let pair = parts.next().unwrap_or_default();
        let (name, value) = pair.split_once('=').unwrap_or(("", pair));
        let mut cookie = Self {
            name: name.trim().to_owned(),
            value: value.trim().to_owned(),
            secure: false,
            http_only: false,
            same_site: None,
            path: None,
            domain: None,
            max_age: None,
            expires: None,
        };
        let size = cookie.name.len() + cookie.value.len();
        if size == 0 || size > MAX_PAIR {
            return None;
        }
        for part in parts {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            if value.trim().len() <= MAX_ATTRIBUTE {
                cookie.set(&name.trim().to_ascii_lowercase(), value.trim());
            }
        }
        Some(cookie)
    }

    /// Of a repeated attribute the last applies.
    fn set(&mut self, attribute: &str, value: &str) {
        match attribute {
            "secure" => self.secure = true,
            "httponly" => self.http_only = true,
            "samesite" => self.same_site = Some(same_site(value)),
            "path" => self.path = value.starts_with('/').then(|| value.to_owned()),
            "domain" => self.domain = (!value.is_empty()).then(|| value.to_owned()),
            "max-age" => self.max_age = seconds(value).or(self.max_age),
            "expires" => self.expires = Some(value.to_owned()),
            _ => {}
        }
    }

    /// Whether the response deletes the cookie: its value is empty, or it expired long ago.
    #[must_use]
    pub fn is_removal(&self) -> bool {
        match self.max_age {
            Some(seconds) => seconds <= 0,
            None => {
                self.value.trim_matches('"').is_empty()
                    || self.value == "deleted"
                    || self.expires.as_deref().is_some_and(expired_last_century)
            }
        }
    }

    /// Whether the name is that of a session or login cookie.
    #[must_use]
    pub fn is_session(&self) -> bool {
        let name = self.name.to_ascii_lowercase();
        // Words that end in "sess", and cookies of platforms, are not session cookies.
        let other = ["assess", "possess", "obsess"]
            .iter()
            .any(|word| name.contains(word))
            || self.is_of_platform();
        !self.is_anti_forgery()
            && !other
            && (name.contains("sess")
                || name.contains("login")
                || name.starts_with("wordpress_logged_in")
                || matches!(name.as_str(), "sid" | "connect.sid" | "auth_token"))
    }

    /// Whether a hosting platform sets it in front of the site: to route requests, or to detect bots. It holds
    /// no data of the site, and the site cannot change its attributes.
    #[must_use]
    pub fn is_of_platform(&self) -> bool {
        let name = self.name.to_ascii_lowercase();
        PLATFORM_COOKIES.contains(&name.as_str())
            || PLATFORM_PREFIXES
                .iter()
                .any(|prefix| name.starts_with(prefix))
    }

    /// Whether the name is that of an anti-CSRF token.
    #[must_use]
    pub fn is_anti_forgery(&self) -> bool {
        let name = self.name.to_ascii_lowercase();
        name.contains("csrf") || name.contains("xsrf")
    }
}

/// Digits after an optional minus sign; numbers that are too large are capped.
fn seconds(value: &str) -> Option<i64> {
    let digits = value.strip_prefix('-').unwrap_or(value);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let most = if digits == value { i64::MAX } else { i64::MIN };
    Some(value.parse().unwrap_or(most))
}

fn same_site(value: &str) -> SameSite {
    match value.to_ascii_lowercase().as_str() {
        "strict" => SameSite::Strict,
        "lax" => SameSite::Lax,
        "none" => SameSite::None,
        _ => SameSite::Unknown(value.to_owned()),
    }
}

/// Cookies are deleted with a date in 1970, so no clock is needed.
fn expired_last_century(date: &str) -> bool {
    let mut tokens = date
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|token| !token.is_empty())
        .skip_while(|token| !is_month(token));
    tokens
        .nth(1)
        .and_then(|year| year.parse::<u32>().ok())
        .is_some_and(|year| (70..100).contains(&year) || (1_600..2_000).contains(&year))
}

fn is_month(token: &str) -> bool {
    const MONTHS: [&str; 12] = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ];
    MONTHS.iter().any(|month| {
        token
            .get(..3)
            .is_some_and(|start| start.eq_ignore_ascii_case(month))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cookie(header: &str) -> SetCookie {
        SetCookie::parse(header).unwrap()
    }

    #[test]
    fn attributes_are_read_without_regard_to_case_and_space() {
        let cookie = cookie("id = a=b ;SECURE; httponly ; SameSite=lax;path=/x; Max-Age=60");
        assert_eq!((cookie.name.as_str(), cookie.value.as_str()), ("id", "a=b"));
        assert!(cookie.secure && cookie.http_only);
        assert_eq!(cookie.same_site, Some(SameSite::Lax));
        assert_eq!(cookie.path.as_deref(), Some("/x"));
        assert_eq!(cookie.max_age, Some(60));
    }

    #[test]
    fn secure_with_a_value_is_still_secure() {
        assert!(cookie("a=b; Secure=false").secure);
    }

    #[test]
    fn a_pair_without_equals_sign_is_a_value_without_name() {
        assert_eq!(cookie("abc; Secure").name, "");
        assert_eq!(SetCookie::parse("=; Secure"), None);
        assert_eq!(SetCookie::parse("a\u{1}=b"), None);
    }

    #[test]
    fn deletions_are_recognized() {
        assert!(cookie("a=x; Max-Age=0").is_removal());
        assert!(cookie("a=x; expires=Thu, 01-Jan-1970 00:00:01 GMT").is_removal());
        assert!(cookie("a=x; Expires=Thu, 01-Jan-70 00:00:01 GMT").is_removal());
        assert!(cookie("a=; path=/").is_removal());
        assert!(!cookie("a=x; Expires=Wed, 01 Jan 2098 00:00:00 GMT").is_removal());
        assert!(!cookie("a=x; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT").is_removal());
    }

    #[test]
    fn session_cookies_are_recognized_by_name() {
        assert!(cookie("PHPSESSID=1").is_session());
        assert!(cookie("JSESSIONID=1").is_session());
        assert!(!cookie("session_csrf=1").is_session());
        assert!(!cookie("theme=dark").is_session());
        assert!(!cookie("assessment_id=7").is_session());
        assert!(!cookie("heroku-session-affinity=AB").is_session());
    }

    #[test]
    fn too_long_values_are_ignored() {
        let pair = |length: usize| format!("a={}; Secure", "x".repeat(length - 1));
        assert!(SetCookie::parse(&pair(4_096)).is_some());
        assert_eq!(SetCookie::parse(&pair(4_097)), None);
        let path = |length: usize| format!("a=b; Path=/{}", "x".repeat(length - 1));
        assert!(cookie(&path(1_024)).path.is_some());
        assert_eq!(cookie(&path(1_025)).path, None);
    }

    #[test]
    fn max_age_is_digits_after_an_optional_minus() {
        let max_age = |value: &str| cookie(&format!("a=b; Max-Age={value}")).max_age;
        assert_eq!(max_age("-1"), Some(-1));
        assert_eq!(max_age("99999999999999999999"), Some(i64::MAX));
        assert_eq!(max_age("+5"), None);
        assert_eq!(max_age("1.5"), None);
        assert_eq!(max_age(""), None);
        assert_eq!(max_age("60; Max-Age=x"), Some(60));
    }
}
