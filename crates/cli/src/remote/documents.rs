//! `assay reports download`.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::session::Session;
use crate::args::Format;
use crate::exit::Exit;
use crate::output::{
    is_read_by_runner, print_error, write_as, write_bytes, write_file, write_note,
};
use crate::runner::{Form, runner_form};

/// Writes each format to its file.
pub(super) async fn download(
    session: &Session,
    report: &str,
    formats: &[Format],
    outputs: &[PathBuf],
) -> Result<Exit> {
    let lone = formats.len() == 1 && outputs.is_empty();
    if !lone && outputs.len() != formats.len() {
        print_error(
            None,
            "give one --output for each --format; a single --format can go to standard output",
        );
        return Ok(Exit::Usage);
    }
    let stdout = PathBuf::from("-");
    let outputs = if lone {
        std::slice::from_ref(&stdout)
    } else {
        outputs
    };
    if formats.contains(&Format::Pdf)
        && outputs.contains(&stdout)
        && (std::io::stdout().is_terminal() || is_read_by_runner())
    {
        print_error(
            None,
            "a PDF cannot be printed to a terminal or a job log; give a file with --output",
        );
        return Ok(Exit::Usage);
    }
    let id = session.report_id(report).await?;
    for (format, output) in formats.iter().zip(outputs) {
        let document = session.client.report_as(&id, format.as_str()).await?;
        write(output, &document.bytes, runner_form(*format))?;
        if *output != stdout {
            write_note(&format!("Wrote {}", output.display()));
        }
    }
    Ok(Exit::Fine)
}

/// Writes a document to a file or to standard output. Workflow commands of GitHub's runner in text formats are
/// neutralized.
pub(super) fn write(output: &Path, bytes: &[u8], form: Option<Form>) -> Result<()> {
    if output != Path::new("-") {
        return write_file(output, bytes, form)
            .with_context(|| format!("cannot write {}", output.display()));
    }
    let written = match form {
        Some(form) => write_as(form, &String::from_utf8_lossy(bytes)),
        None => write_bytes(bytes),
    };
    written.context("cannot write to standard output")
}
