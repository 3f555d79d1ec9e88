//! `assay reports download`.

use std::io::{IsTerminal, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::session::Session;
use crate::args::DocumentArg;
use crate::exit::Exit;
use crate::output::{print_error, write_note};

/// Writes each format to its file.
pub(super) async fn download(
    session: &Session,
    report: &str,
    formats: &[DocumentArg],
    outputs: &[PathBuf],
) -> Result<Exit> {
    let lone = formats.len() == 1 && outputs.is_empty();
    if !lone && outputs.len() != formats.len() {
        print_error(
            None,
            "each --format needs an --output of its own; one --format alone may go to the standard output",
        );
        return Ok(Exit::Usage);
    }
    let stdout = PathBuf::from("-");
    let outputs = if lone {
        std::slice::from_ref(&stdout)
    } else {
        outputs
    };
    if formats.contains(&DocumentArg::Pdf)
        && outputs.contains(&stdout)
        && std::io::stdout().is_terminal()
    {
        print_error(
            None,
            "a PDF is nothing for a terminal: name a file with --output",
        );
        return Ok(Exit::Usage);
    }
    let id = session.report_id(report).await?;
    for (format, output) in formats.iter().zip(outputs) {
        let document = session.client.report_as(&id, format.name()).await?;
        write(output, &document.bytes)?;
        if *output != stdout {
            write_note(&format!("{} written", output.display()));
        }
    }
    Ok(Exit::Fine)
}

/// Writes bytes to a file, or to the standard output.
pub(super) fn write(output: &Path, bytes: &[u8]) -> Result<()> {
    if output != Path::new("-") {
        return std::fs::write(output, bytes)
            .with_context(|| format!("{} cannot be written", output.display()));
    }
    let mut out = std::io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => other.context("the standard output cannot be written"),
    }
}
