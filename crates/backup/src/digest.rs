//! Readers and writers that compute a checksum of the bytes that pass through them.

use std::io::{self, Read, Write};

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

/// The checksum and size of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sum {
    /// SHA-256 in lower-case hexadecimal digits.
    pub(crate) sha256: String,
    pub(crate) bytes: u64,
}

/// Counts and hashes what passes through `inner`.
#[derive(Debug)]
pub(crate) struct Digested<T> {
    pub(crate) inner: T,
    hash: Sha256,
    bytes: u64,
}

impl<T> Digested<T> {
    pub(crate) fn new(inner: T) -> Self {
        Self {
            inner,
            hash: Sha256::new(),
            bytes: 0,
        }
    }

    pub(crate) fn into_parts(self) -> (T, Sum) {
        let sum = Sum {
            sha256: HEXLOWER.encode(&self.hash.finalize()),
            bytes: self.bytes,
        };
        (self.inner, sum)
    }

    fn add(&mut self, bytes: Option<&[u8]>) {
        let bytes = bytes.unwrap_or_default();
        self.hash.update(bytes);
        self.bytes += u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    }
}

impl<W: Write> Write for Digested<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.add(bytes.get(..written));
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl<R: Read> Read for Digested<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(out)?;
        self.add(out.get(..read));
        Ok(read)
    }
}
