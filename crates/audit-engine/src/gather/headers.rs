//! Header fields in the order received.

/// Header fields. Names compare without regard to case; repeated fields are all kept.
///
/// Stored as one text, because an audit keeps the headers of every page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Headers {
    /// Lower-case names and values, concatenated.
    text: String,
    /// The end of each name and each value.
    ends: Vec<(u32, u32)>,
}

impl Headers {
    /// No fields.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            text: String::new(),
            ends: Vec::new(),
        }
    }

    /// No fields, with capacity for `fields` fields whose names and values have `bytes` bytes together.
    pub(crate) fn with_room_for(fields: usize, bytes: usize) -> Self {
        Self {
            text: String::with_capacity(bytes),
            ends: Vec::with_capacity(fields),
        }
    }

    /// Adds a field at the end. Beyond four GiB nothing is added.
    pub fn push(&mut self, name: &str, value: impl AsRef<str>) {
        let value = value.as_ref();
        let name_end = self.text.len() + name.len();
        let (Ok(name_end), Ok(value_end)) = (
            u32::try_from(name_end),
            u32::try_from(name_end + value.len()),
        ) else {
            return;
        };
        self.text
            .extend(name.chars().map(|c| c.to_ascii_lowercase()));
        self.text.push_str(value);
        self.ends.push((name_end, value_end));
    }

    /// Bytes of all names and values, and of their containers.
    pub(crate) const fn bytes(&self) -> usize {
        self.text.len() + self.ends.len() * size_of::<(u32, u32)>()
    }

    /// The fields in their order, without those that would make names and values longer than `most` bytes
    /// together.
    pub(crate) fn within(&self, most: usize) -> Self {
        let mut kept = Self::new();
        for (name, value) in self.iter() {
            if kept.text.len() + name.len() + value.len() <= most {
                kept.push(name, value);
            }
        }
        kept
    }

    /// The first value of the field.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.get_all(name).next()
    }

    /// Every value of the field in order. `Set-Cookie` in particular is repeated.
    pub fn get_all(&self, name: &str) -> impl Iterator<Item = &str> {
        self.iter()
            .filter(move |(found, _)| found.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
    }

    /// Whether there are no fields.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// Whether the field exists.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// All fields in order, names in lower case.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let place = |at: u32| usize::try_from(at).unwrap_or(usize::MAX);
        let mut begin = 0;
        self.ends.iter().map(move |(name_end, value_end)| {
            let (name_end, value_end) = (place(*name_end), place(*value_end));
            let part = |from, to| self.text.get(from..to).unwrap_or_default();
            let field = (part(begin, name_end), part(name_end, value_end));
            begin = value_end;
            field
        })
    }
}

impl<N: AsRef<str>, V: AsRef<str>> FromIterator<(N, V)> for Headers {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(fields: I) -> Self {
        let mut headers = Self::new();
        for (name, value) in fields {
            headers.push(name.as_ref(), value);
        }
        headers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_of_a_repeated_field_is_kept() {
        let headers = Headers::from_iter([("Set-Cookie", "a=1"), ("set-cookie", "b=2")]);
        assert_eq!(
            headers.get_all("SET-COOKIE").collect::<Vec<_>>(),
            ["a=1", "b=2"]
        );
    }
}
