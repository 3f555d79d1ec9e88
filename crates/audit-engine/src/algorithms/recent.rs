//! A small cache for results on recurring texts, such as class lists.

/// The number of cached values. A page has a few dozen distinct class lists, and most elements repeat a recent
/// one.
const SLOTS: usize = 64;

/// The most recently computed values, each for a text and a number.
#[derive(Debug)]
pub(crate) struct Recent<'a, T>([Option<(usize, &'a str, T)>; SLOTS]);

impl<T: Copy> Default for Recent<'_, T> {
    fn default() -> Self {
        Self([None; SLOTS])
    }
}

impl<'a, T: Copy> Recent<'a, T> {
    /// The value, computed by `find` if it is no longer cached.
    #[inline]
    pub(crate) fn get(&mut self, number: usize, text: &'a str, find: impl FnOnce() -> T) -> T {
        let bytes = text.as_bytes();
        let end = |byte: Option<&u8>| byte.copied().map_or(0, usize::from);
        let mixed = number
            .wrapping_mul(29)
            .wrapping_add(bytes.len().wrapping_mul(5))
            .wrapping_add(end(bytes.first()).wrapping_mul(3))
            .wrapping_add(end(bytes.last()));
        let Some(slot) = self.0.get_mut(mixed % SLOTS) else {
            return find();
        };
        match slot {
            // Empty texts need no comparison.
            Some((known, of, value))
                if *known == number
                    && of.len() == text.len()
                    && (text.is_empty() || *of == text) =>
            {
                *value
            }
            _ => {
                let value = find();
                *slot = Some((number, text, value));
                value
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_belong_to_their_text_and_number() {
        let texts: Vec<String> = (0..300).map(|n| format!("x{n} y")).collect();
        let mut recent = Recent::default();
        let mut computed = 0;
        for text in texts.iter().chain(&texts) {
            for number in 0..3 {
                for _ in 0..2 {
                    let value = recent.get(number, text, || {
                        computed += 1;
                        (number, text.as_str())
                    });
                    assert_eq!(value, (number, text.as_str()));
                }
            }
        }
        // Every second consecutive call is a cache hit.
        assert!(computed <= 1_800, "{computed}");
    }
}
