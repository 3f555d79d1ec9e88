//! Validation of structured data values: dates, durations, prices, currencies, enumerations.
//!
//! A value is invalid only if every consumer of the format rejects it. A value that some consumers accept is valid.

/// Whether the text is a date, or a date with a time, by ISO 8601.
pub(crate) fn is_date(text: &str) -> bool {
    let (date, time) = split_time(text);
    is_calendar_date(date) && time.is_none_or(|time| zone_of(time).is_some())
}

/// Whether the text has a time but no time zone.
pub(crate) fn lacks_zone(text: &str) -> bool {
    let (date, time) = split_time(text);
    is_calendar_date(date) && time.and_then(zone_of).is_some_and(str::is_empty)
}

/// A space between date and time is accepted in many places (RFC 3339, section 5.6).
fn split_time(text: &str) -> (&str, Option<&str>) {
    match text.split_once(['T', 't', ' ']) {
        Some((date, time)) => (date, Some(time.trim_start())),
        None => (text, None),
    }
}

/// A year, a month or a day, with or without hyphens. Week dates and ordinal dates are accepted.
fn is_calendar_date(date: &str) -> bool {
    let number = |digits: &str| digits.parse::<u32>().ok().filter(|_| all_digits(digits));
    let fields: Vec<&str> = match (date.len(), all_digits(date)) {
        (8, true) => [0..4, 4..6, 6..8]
            .into_iter()
            .filter_map(|range| date.get(range))
            .collect(),
        _ => date.split('-').collect(),
    };
    match fields.as_slice() {
        [year] => year.len() == 4 && number(year).is_some(),
        [year, week] if week.starts_with('W') => year.len() == 4 && week.len() <= 4,
        [year, week, _] if week.starts_with('W') => year.len() == 4,
        [year, day] if day.len() == 3 => {
            year.len() == 4 && number(day).is_some_and(|day| (1..=366).contains(&day))
        }
        [year, month] => year.len() == 4 && number(year).is_some() && is_month(number(month)),
        [year, month, day] => {
            let day_is_one = number(day).is_some_and(|day| (1..=31).contains(&day));
            year.len() == 4 && number(year).is_some() && is_month(number(month)) && day_is_one
        }
        _ => false,
    }
}

fn is_month(month: Option<u32>) -> bool {
    month.is_some_and(|month| (1..=12).contains(&month))
}

/// The zone after the time of day: empty, `Z`, or the offset from UTC; `None` if the text is not a time.
fn zone_of(time: &str) -> Option<&str> {
    let end = time.find(['Z', 'z', '+', '-', ' ']).unwrap_or(time.len());
    let (clock, zone) = time.split_at_checked(end)?;
    let mut fields = clock.split(':');
    let hour = fields.next()?;
    let compact = matches!(hour.len(), 4 | 6) && all_digits(hour);
    let is_clock = compact
        || (hour.len() <= 2
            && within(hour, 24)
            && fields.clone().count() <= 2
            && fields.all(|field| within(field.split(['.', ',']).next().unwrap_or_default(), 60)));
    let zone = zone.trim();
    let is_zone = zone.is_empty()
        || zone.eq_ignore_ascii_case("z")
        || zone.strip_prefix(['+', '-']).is_some_and(|distance| {
            let digits = distance.replacen(':', "", 1);
            matches!(digits.len(), 1..=4) && all_digits(&digits)
        });
    (is_clock && is_zone).then_some(zone)
}

fn within(digits: &str, most: u32) -> bool {
    all_digits(digits) && digits.parse::<u32>().is_ok_and(|number| number <= most)
}

fn all_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether the text is a duration by ISO 8601, such as `PT1H30M`.
pub(crate) fn is_duration(text: &str) -> bool {
    let text = text.strip_prefix(['-', '+']).unwrap_or(text);
    let Some(rest) = text.strip_prefix(['P', 'p']) else {
        return false;
    };
    let (date, time) = match rest.split_once(['T', 't']) {
        Some((date, time)) => (date, Some(time)),
        None => (rest, None),
    };
    let dates = components(date, "YMWD");
    let times = time.map_or(Some(0), |time| components(time, "HMS"));
    match (dates, times) {
        (Some(dates), Some(times)) => {
            dates + times > 0 && (time.is_none() || times > 0 || dates > 0)
        }
        _ => false,
    }
}

/// The number of components (a number with a unit), each unit at most once and in order.
fn components(text: &str, units: &str) -> Option<usize> {
    let (mut rest, mut units, mut count) = (text, units, 0);
    while !rest.is_empty() {
        let end = rest.find(|c: char| c.is_ascii_alphabetic())?;
        let (number, behind) = rest.split_at_checked(end)?;
        let unit = behind.chars().next()?.to_ascii_uppercase();
        if number.is_empty()
            || !number
                .chars()
                .all(|c| c.is_ascii_digit() || matches!(c, '.' | ','))
        {
            return None;
        }
        let place = units.find(unit)?;
        units = units.get(place + 1..)?;
        rest = behind.get(1..)?;
        count += 1;
    }
    Some(count)
}

/// Whether the text cannot be parsed as a number with a decimal point, because it has a currency, words or a
/// decimal comma.
pub(crate) fn is_no_price(text: &str) -> bool {
    let digits = text.bytes().any(|byte| byte.is_ascii_digit());
    let plain = text.bytes().all(|byte| {
        byte.is_ascii_digit() || matches!(byte, b'.' | b',' | b' ' | b'+' | b'-' | b'e' | b'E')
    });
    let decimal_comma = !text.contains('.')
        && text
            .rsplit_once(',')
            .is_some_and(|(_, decimals)| decimals.len() <= 2);
    !digits || !plain || decimal_comma
}

/// The number of a rating; `None` for a fraction, a percentage or a text.
pub(crate) fn rating(text: &str) -> Option<f64> {
    let number: f64 = text.trim().replacen(',', ".", 1).parse().ok()?;
    number.is_finite().then_some(number)
}

/// Whether the text is an ISO 4217 currency code, current or recently retired.
pub(crate) fn is_currency(text: &str) -> bool {
    let code = text.trim().to_ascii_uppercase();
    code.len() == 3
        && CURRENCIES
            .split_ascii_whitespace()
            .any(|known| known == code)
}

const CURRENCIES: &str = "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BOV BRL BSD \
BTN BWP BYN BYR BZD CAD CDF CHE CHF CHW CLF CLP CNY COP COU CRC CUC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR \
FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF \
KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRO MRU MUR MVR MWK MXN MXV MYR MZN NAD \
NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SLL SOS \
SRD SSP STD STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VEF VES VND \
VUV WST XAD XAF XAG XAU XCD XCG XDR XOF XPD XPF XPT XSU XUA YER ZAR ZMW ZWG ZWL";

/// Whether the text is one of the enumeration members, as a name or as a schema.org URL. A name in lower
/// case is accepted.
pub(crate) fn is_member(text: &str, members: &[&str]) -> bool {
    let name = text.trim().trim_end_matches('/');
    let name = name.rsplit(['/', ':']).next().unwrap_or(name);
    members
        .iter()
        .any(|member| member.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iso_8601_dates_are_distinguished_from_informal_dates() {
        for date in [
            "2026-05-01",
            "20260501",
            "2026-05",
            "2026",
            "2026-W18-5",
            "2026-121",
            "2026-05-01T10:00",
            "2026-05-01T10:00:00Z",
            "2026-05-01T10:00:00.000+02:00",
            "2026-05-01T100000-0500",
            "2026-05-01 10:00:00",
            "2026-05-01 10:00:00 +0200",
            "2026-05-01T24:00:00Z",
        ] {
            assert!(is_date(date), "{date}");
        }
        for text in [
            "May 1, 2026",
            "01/05/2026",
            "1.5.2026",
            "2026-13-01",
            "2026-05-32",
            "26-05-01",
            "2026-05-01T25:00",
            "2026-05-01T10:00 pm",
            "{{ date }}",
            "today",
            "1777593600",
        ] {
            assert!(!is_date(text), "{text}");
        }
    }

    #[test]
    fn a_time_without_a_zone_is_detected() {
        assert!(lacks_zone("2026-05-01T10:00:00"));
        assert!(!lacks_zone("2026-05-01T10:00:00Z"));
        assert!(!lacks_zone("2026-05-01T10:00:00+01:00"));
        assert!(!lacks_zone("2026-05-01"));
        assert!(!lacks_zone("May 1"));
    }

    #[test]
    fn durations_have_numbers_with_units_in_order() {
        for duration in [
            "PT30M",
            "PT1H30M",
            "P1D",
            "P1Y2M3DT4H5M6S",
            "PT0S",
            "PT1.5S",
            "P2W",
            "P0DT20M",
        ] {
            assert!(is_duration(duration), "{duration}");
        }
        for text in [
            "30 minutes",
            "00:30:00",
            "PT",
            "P",
            "PT30",
            "PTM",
            "PT5S10M",
            "1800",
            "PT30 M",
        ] {
            assert!(!is_duration(text), "{text}");
        }
    }

    #[test]
    fn prices_with_currencies_words_or_decimal_commas_are_invalid() {
        for price in ["12.50", "0", "1299", "1,299.00", "1 299", "12.5", "1,299"] {
            assert!(!is_no_price(price), "{price}");
        }
        for text in [
            "$12.50",
            "12,50",
            "EUR 12",
            "free",
            "12.50 €",
            "{{price}}",
            "-",
        ] {
            assert!(is_no_price(text), "{text}");
        }
    }

    #[test]
    fn currencies_are_codes() {
        assert!(is_currency("EUR") && is_currency("usd") && is_currency("XCG"));
        assert!(
            !is_currency("€") && !is_currency("Euro") && !is_currency("US$") && !is_currency("XYZ")
        );
    }

    #[test]
    fn members_are_accepted_as_names_and_urls() {
        let members = ["InStock"];
        assert!(is_member("https://schema.org/InStock", &members));
        assert!(is_member("schema:InStock", &members) && is_member("instock", &members));
        assert!(!is_member("In stock", &members) && !is_member("yes", &members));
    }
}
