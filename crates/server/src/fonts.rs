//! System fonts, for scripts that the embedded fonts do not cover.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use report::pdf::FontCoverage;

/// Maximum folder entries to scan, and maximum nested folders.
const MAX_ENTRIES: usize = 20_000;
const MAX_DEPTH: usize = 8;
/// Maximum size of a scanned file in bytes.
const MAX_FILE_BYTES: u64 = 64 * 1024 * 1024;
/// Maximum font files chosen for one document, which bounds the bytes to read and hold.
const MAX_CHOSEN: usize = 8;
const MAX_CHOSEN_BYTES: u64 = 128 * 1024 * 1024;

/// Character coverage of the font files in some folders.
#[derive(Debug)]
pub(super) struct SystemFonts(Vec<FontFile>);

#[derive(Debug)]
struct FontFile {
    path: PathBuf,
    bytes: u64,
    coverage: FontCoverage,
}

impl SystemFonts {
    /// Scans folders. Missing or unreadable entries are skipped.
    pub(super) fn scan(folders: &[PathBuf]) -> Self {
        let (mut paths, mut left) = (Vec::new(), MAX_ENTRIES);
        for folder in folders {
            collect(folder, 0, &mut left, &mut paths);
        }
        paths.sort_by_key(|path| (style_rank(path), path.clone()));
        paths.dedup();
        let files = paths.into_iter().filter_map(|path| {
            let file = std::fs::read(&path).ok()?;
            let bytes = u64::try_from(file.len()).unwrap_or(u64::MAX);
            let coverage = FontCoverage::from_file(file)?;
            Some(FontFile {
                path,
                bytes,
                coverage,
            })
        });
        Self(files.collect())
    }

    /// Chooses files that cover as many of these characters as possible (greedy set cover: each time the file with
    /// the most missing characters).
    pub(super) fn choose(&self, mut wanted: BTreeSet<char>) -> Vec<&Path> {
        let mut chosen = Vec::new();
        let mut room = MAX_CHOSEN_BYTES;
        while !wanted.is_empty() && chosen.len() < MAX_CHOSEN {
            let mut best: Option<(usize, &FontFile)> = None;
            for file in self.0.iter().filter(|file| file.bytes <= room) {
                let has = wanted.iter().filter(|c| file.coverage.has(**c)).count();
                if has > best.map_or(0, |(most, _)| most) {
                    best = Some((has, file));
                }
            }
            let Some((_, file)) = best else { break };
            wanted.retain(|character| !file.coverage.has(*character));
            room = room.saturating_sub(file.bytes);
            chosen.push(file.path.as_path());
        }
        chosen
    }
}

/// Counts the font files in some folders without reading them.
pub(crate) fn font_files(folders: &[PathBuf]) -> usize {
    let (mut paths, mut left) = (Vec::new(), MAX_ENTRIES);
    for folder in folders {
        collect(folder, 0, &mut left, &mut paths);
    }
    paths.len()
}

/// Sort key that prefers fonts similar to the report's text: upright and regular before bold, serif before sans serif.
fn style_rank(path: &Path) -> (bool, bool, bool) {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let says = |word: &str| name.contains(word);
    let is_plain = says("Regular") || !(says("Bold") || says("Light") || says("Thin"));
    let is_slanted = says("Italic") || says("Oblique");
    (!is_plain || is_slanted, says("Mono"), !says("Serif"))
}

fn collect(folder: &Path, depth: usize, left: &mut usize, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        if *left == 0 {
            return;
        }
        *left -= 1;
        let path = entry.path();
        // Follows symbolic links, which systems use for fonts.
        let Ok(kind) = std::fs::metadata(&path) else {
            continue;
        };
        if kind.is_dir() && depth < MAX_DEPTH {
            collect(&path, depth + 1, left, found);
        } else if kind.is_file() && kind.len() <= MAX_FILE_BYTES && is_font(&path) {
            found.push(path);
        }
    }
}

fn is_font(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    ["ttf", "otf", "ttc", "otc"]
        .iter()
        .any(|known| extension.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_that_are_not_there_have_no_fonts() {
        let fonts = SystemFonts::scan(&[PathBuf::from("/nowhere/at/all")]);
        assert!(fonts.choose(BTreeSet::from(['漢'])).is_empty());
    }

    #[test]
    fn upright_serifs_come_first() {
        let mut names = [
            "NotoSansCJK-Bold.ttc",
            "NotoSansCJK-Regular.ttc",
            "NotoSerifCJK-Regular.ttc",
            "NotoSansMono-Regular.ttf",
        ];
        names.sort_by_key(|name| style_rank(Path::new(name)));
        assert_eq!(names[0], "NotoSerifCJK-Regular.ttc");
        assert_eq!(names[3], "NotoSansCJK-Bold.ttc");
    }
}
