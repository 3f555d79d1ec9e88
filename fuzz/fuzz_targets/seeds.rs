//! The seeds: the hostile texts of the tests.

use std::path::Path;

use crate::handoff::hostile_texts::{HOSTILE, long};

/// The byte between two texts of an input.
pub(crate) const PART: u8 = 0xff;

/// The number of texts in a seed with several texts.
const SIDE_BY_SIDE: usize = 5;

/// Writes the seeds into the folder in `FUZZ_SEEDS`, if it is set.
pub(crate) fn write() {
    let Some(folder) = std::env::var_os("FUZZ_SEEDS") else {
        return;
    };
    let long = long();
    let alone = HOSTILE
        .iter()
        .copied()
        .chain(long.iter().map(String::as_str));
    let alone = alone.map(|text| text.as_bytes().to_vec());
    let together = HOSTILE
        .chunks(SIDE_BY_SIDE)
        .map(|texts| texts.iter().map(|text| text.as_bytes()).collect::<Vec<_>>())
        .map(|texts| texts.join(&PART));
    for (number, seed) in alone.chain(together).enumerate() {
        let file = Path::new(&folder).join(format!("{number:03}"));
        std::fs::write(file, seed).expect("the folder of the seeds can be written");
    }
}
