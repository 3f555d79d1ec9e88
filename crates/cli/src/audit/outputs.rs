//! The formats of the report and their destinations.

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};

use api_types::report::ReportFormat;

use crate::args::{AuditArgs, Format};

/// A format of the report and its destination.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Output {
    pub(super) format: Format,
    /// The file; `None` for standard output.
    pub(super) file: Option<PathBuf>,
    /// Whether `--save` requested it, for comparisons with later reports.
    pub(super) is_kept: bool,
}

impl Output {
    const fn standard(format: Format) -> Self {
        Self {
            format,
            file: None,
            is_kept: false,
        }
    }
}

/// The outputs that the arguments request, in their order.
///
/// `--format` and `--output` are matched by their order. Without `--format`, the file extensions select
/// the formats.
pub(super) fn outputs(args: &AuditArgs) -> Result<Vec<Output>, String> {
    let formats = if args.json {
        vec![Format::Export(ReportFormat::Json)]
    } else {
        args.formats.clone()
    };
    let mut outputs = match (formats.as_slice(), args.outputs.as_slice()) {
        ([], []) => vec![Output::standard(Format::Text)],
        ([format], []) => vec![Output::standard(*format)],
        ([], files) => files
            .iter()
            .map(|file| by_ending(file))
            .collect::<Result<_, _>>()?,
        (formats, files) if formats.len() == files.len() => formats
            .iter()
            .zip(files)
            .map(|(&format, file)| output(format, file))
            .collect(),
        (formats, files) => {
            return Err(format!(
                "got {} --format and {} --output; give one --output for each --format, in the same \
                 order (`--output -` is standard output)",
                formats.len(),
                files.len()
            ));
        }
    };
    if let Some(file) = &args.save {
        outputs.push(Output {
            is_kept: true,
            ..output(Format::Export(ReportFormat::Json), file)
        });
    }
    validate(&outputs)?;
    Ok(outputs)
}

fn validate(outputs: &[Output]) -> Result<(), String> {
    for (place, output) in outputs.iter().enumerate() {
        if output.format == Format::Pdf {
            if !cfg!(feature = "pdf") {
                return Err("this build of assay does not support PDF".to_owned());
            }
            if output.file.is_none() {
                return Err("a PDF cannot be printed; give a file with --output".to_owned());
            }
        }
        let rest = outputs.iter().skip(place + 1);
        if rest
            .map(|other| &other.file)
            .any(|file| *file == output.file)
        {
            return Err(match &output.file {
                Some(file) => format!("{} is given as output twice", file.display()),
                None => "only one format can be written to standard output".to_owned(),
            });
        }
    }
    Ok(())
}

fn output(format: Format, file: &Path) -> Output {
    let is_standard = file == Path::new("-");
    Output {
        format,
        file: (!is_standard).then(|| file.to_owned()),
        is_kept: false,
    }
}

/// Additional file extensions of the formats.
const OTHER_ENDINGS: [(&str, Format); 7] = [
    ("htm", Format::Export(ReportFormat::Html)),
    ("llm.txt", Format::Export(ReportFormat::Llm)),
    ("markdown", Format::Export(ReportFormat::Markdown)),
    ("pdf", Format::Pdf),
    ("sarif.json", Format::Export(ReportFormat::Sarif)),
    ("txt", Format::Text),
    ("xml", Format::Export(ReportFormat::Junit)),
];

/// Selects the format by the longest known extension of the file name.
fn by_ending(file: &Path) -> Result<Output, String> {
    let name = file.file_name().and_then(|name| name.to_str());
    let name = name.unwrap_or_default().to_ascii_lowercase();
    if !name.contains('.') {
        return Ok(output(Format::Text, file));
    }
    let usual = ReportFormat::ALL.map(|format| (format.extension(), Format::Export(format)));
    let known = usual.into_iter().chain(OTHER_ENDINGS);
    let fitting = known.filter(|(ending, _)| {
        let before = name.strip_suffix(ending);
        before.is_some_and(|before| before.ends_with('.'))
    });
    let Some((_, format)) = fitting.max_by_key(|(ending, _)| ending.len()) else {
        return Err(format!(
            "{}: unknown file extension; select the format with --format",
            file.display()
        ));
    };
    Ok(output(format, file))
}

/// Opens the file for writing before the crawl starts, so that an unwritable file is reported immediately.
/// A file that did not exist is removed again.
pub(super) fn try_to_write(output: &Output) -> Result<(), String> {
    let Some(file) = &output.file else {
        return Ok(());
    };
    let was_there = file.exists();
    let opened = OpenOptions::new().create(true).append(true).open(file);
    opened.map_err(|error| format!("cannot write {}: {error}", file.display()))?;
    if !was_there {
        // If removal fails, the later write overwrites it.
        let _ = std::fs::remove_file(file);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use rstest::rstest;

    use super::*;
    use crate::args::{Cli, Command};

    fn parse_all(arguments: &[&str]) -> Result<Vec<Output>, String> {
        let all = ["assay", "audit", "https://e.com"].iter().chain(arguments);
        match Cli::try_parse_from(all).unwrap().command {
            Command::Audit(args) => outputs(&args),
            _ => panic!("an audit was asked for"),
        }
    }

    #[test]
    fn the_terminal_gets_text_unless_something_else_is_asked_for() {
        assert_eq!(parse_all(&[]).unwrap(), [Output::standard(Format::Text)]);
        assert_eq!(
            parse_all(&["--json"]).unwrap(),
            [Output::standard(Format::Export(ReportFormat::Json))]
        );
        assert_eq!(
            parse_all(&["--format", "csv"]).unwrap(),
            [Output::standard(Format::Export(ReportFormat::Csv))]
        );
    }

    #[test]
    fn forms_and_files_go_together_by_their_order() {
        let found = parse_all(&[
            "--format", "html", "--output", "a", "--output", "-", "--format", "text",
        ]);
        let expected = [
            output(Format::Export(ReportFormat::Html), Path::new("a")),
            Output::standard(Format::Text),
        ];
        assert_eq!(found.unwrap(), expected);
    }

    #[rstest]
    #[case("r.html", Format::Export(ReportFormat::Html))]
    #[case("r.HTM", Format::Export(ReportFormat::Html))]
    #[case("r.md", Format::Export(ReportFormat::Markdown))]
    #[case("r.llm.md", Format::Export(ReportFormat::Llm))]
    #[case("r.llm.txt", Format::Export(ReportFormat::Llm))]
    #[case("r.sarif", Format::Export(ReportFormat::Sarif))]
    #[case("r.sarif.json", Format::Export(ReportFormat::Sarif))]
    #[case("r.json", Format::Export(ReportFormat::Json))]
    #[case("junit.xml", Format::Export(ReportFormat::Junit))]
    #[case("r.csv", Format::Export(ReportFormat::Csv))]
    #[case("r.txt", Format::Text)]
    #[case("report", Format::Text)]
    fn endings_decide(#[case] file: &str, #[case] format: Format) {
        assert_eq!(
            parse_all(&["--output", file]).unwrap(),
            [output(format, Path::new(file))]
        );
    }

    #[test]
    fn saving_leaves_the_terminal_its_report() {
        let found = parse_all(&["--save", "r.json"]).unwrap();
        assert_eq!(found.len(), 2);
        assert_eq!(found[0], Output::standard(Format::Text));
    }

    #[rstest]
    #[case(&["--output", "r.docx"], "unknown file extension")]
    #[case(&["--format", "html", "--format", "csv", "--output", "a"], "one --output for each")]
    #[case(&["--format", "html", "--output", "a", "--output", "b"], "one --output for each")]
    #[case(&["--output", "a.html", "--output", "a.html"], "twice")]
    #[case(&["--format", "html", "--output", "-", "--format", "csv", "--output", "-"], "only one format")]
    #[case(&["--output", "r.json", "--save", "r.json"], "twice")]
    #[case(&["--format", "pdf"], "PDF")]
    fn what_does_not_go_together_is_refused(#[case] arguments: &[&str], #[case] why: &str) {
        let error = parse_all(arguments).unwrap_err();
        assert!(error.contains(why), "{error}");
    }
}
