//! Encryption with `age`.

use std::fmt;
use std::io::{self, BufRead, Read, Write};

use age::secrecy::ExposeSecret;
use age::stream::{StreamReader, StreamWriter};
use age::x25519::{Identity, Recipient};
use age::{DecryptError, Decryptor, Encryptor};

use crate::failure::BackupFailure;

/// The first bytes of an encrypted file.
pub(crate) const MAGIC: &[u8] = b"age-encryption.org/v1";
/// The most recipients of a backup.
const MAX_RECIPIENTS: usize = 20;
/// The most bytes of a file of identities.
const MAX_IDENTITY_BYTES: u64 = 64 << 10;

/// A key that cannot be used. The key is not repeated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidKey {
    /// The key at this place in the list, from 1, is not a public key.
    #[error("key {0} of the list is not a public key of age, which begins with `age1`")]
    Recipient(usize),
    /// The key at this place in the list, from 1, is a secret key.
    #[error(
        "key {0} of the list is a secret key (AGE-SECRET-KEY-…): replace it by its public key, which begins with `age1`, and keep the secret key on another machine"
    )]
    SecretRecipient(usize),
    /// Too many public keys.
    #[error("must list at most {MAX_RECIPIENTS} keys")]
    TooMany,
    /// A file without a secret key.
    #[error("contains no secret key of age (a line AGE-SECRET-KEY-1…)")]
    NoIdentity,
    /// A line that is no key.
    #[error("line {0} is not a secret key of age (AGE-SECRET-KEY-1…)")]
    Identity(usize),
    /// A file that cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(String),
}

/// The public keys that backups are encrypted for; empty for backups without encryption.
#[derive(Clone, Default)]
pub struct Recipients(Vec<Recipient>);

impl fmt::Debug for Recipients {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Recipients({})", self.0.len())
    }
}

impl Recipients {
    /// Parses public keys.
    ///
    /// # Errors
    /// If one is not a public key, or there are more than 20.
    pub fn parse(keys: &[String]) -> Result<Self, InvalidKey> {
        if keys.len() > MAX_RECIPIENTS {
            return Err(InvalidKey::TooMany);
        }
        let parse = |(place, key): (usize, &String)| match key.trim() {
            key if key.to_ascii_uppercase().starts_with("AGE-SECRET-KEY-") => {
                Err(InvalidKey::SecretRecipient(place))
            }
            key => key.parse().map_err(|_| InvalidKey::Recipient(place)),
        };
        let keys = (1..).zip(keys).map(parse);
        keys.collect::<Result<_, _>>().map(Self)
    }

    /// Whether backups are not encrypted.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The secret keys that decrypt backups. `Debug` hides them.
#[derive(Clone)]
pub struct Identities(Vec<Identity>);

impl fmt::Debug for Identities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Identities({})", self.0.len())
    }
}

impl Identities {
    /// Reads the secret keys in a file as `age-keygen` writes it: a key on each line, comments begin with `#`.
    ///
    /// # Errors
    /// If the file cannot be read, or contains anything else.
    pub fn read(file: impl BufRead) -> Result<Self, InvalidKey> {
        let mut found = Vec::new();
        for (number, line) in file.take(MAX_IDENTITY_BYTES).lines().enumerate() {
            let line = line.map_err(|error| InvalidKey::Unreadable(error.to_string()))?;
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let identity = line.parse();
            found.push(identity.map_err(|_| InvalidKey::Identity(number + 1))?);
        }
        match found.is_empty() {
            true => Err(InvalidKey::NoIdentity),
            false => Ok(Self(found)),
        }
    }
}

/// Generates a secret key: the text of its file, and the public key.
#[must_use]
pub fn new_identity() -> (String, String) {
    let identity = Identity::generate();
    let public = identity.to_public().to_string();
    let secret = identity.to_string();
    let text = format!("# public key: {public}\n{}\n", secret.expose_secret());
    (text, public)
}

/// A writer that encrypts if there are recipients.
pub(crate) enum Sealed<W: Write> {
    Plain(W),
    Encrypted(StreamWriter<W>),
}

/// Starts to encrypt for the recipients, and for a temporary key that exists only in the returned value: with it, only
/// the process that makes a backup can verify it.
pub(crate) fn seal<W: Write>(
    to: W,
    recipients: &Recipients,
) -> io::Result<(Sealed<W>, Option<Identities>)> {
    if recipients.is_empty() {
        return Ok((Sealed::Plain(to), None));
    }
    let verifier = Identity::generate();
    let for_verifier = verifier.to_public();
    let all = recipients.0.iter().chain([&for_verifier]);
    let encryptor = Encryptor::with_recipients(all.map(|key| {
        let key: &dyn age::Recipient = key;
        key
    }))
    .map_err(|error| io::Error::other(error.to_string()))?;
    let writer = encryptor.wrap_output(to)?;
    Ok((Sealed::Encrypted(writer), Some(Identities(vec![verifier]))))
}

impl<W: Write> Sealed<W> {
    /// Writes the last part. Without it a reader detects that the end is missing.
    pub(crate) fn finish(self) -> io::Result<W> {
        match self {
            Self::Plain(to) => Ok(to),
            Self::Encrypted(writer) => writer.finish(),
        }
    }
}

impl<W: Write> Write for Sealed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(to) => to.write(bytes),
            Self::Encrypted(writer) => writer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(to) => to.flush(),
            Self::Encrypted(writer) => writer.flush(),
        }
    }
}

/// A reader that decrypts if the file is encrypted.
pub(crate) enum Opened<R: Read> {
    Plain(R),
    Encrypted(Box<StreamReader<R>>),
}

/// Starts to decrypt an encrypted file, whose first bytes are [`MAGIC`].
pub(crate) fn open<R: Read>(
    from: R,
    name: &str,
    identities: Option<&Identities>,
) -> Result<Opened<R>, BackupFailure> {
    let Some(identities) = identities else {
        return Err(BackupFailure::Key(format!(
            "{name} is encrypted: name the file with the secret key with --identity FILE"
        )));
    };
    let header = |error: DecryptError| match error {
        DecryptError::NoMatchingKeys => BackupFailure::Key(format!(
            "{name} is encrypted for other keys: none of the {} secret keys in the file decrypts it",
            identities.0.len()
        )),
        DecryptError::UnknownFormat => BackupFailure::Damaged(format!(
            "the header of {name} is damaged, or written by a later version of age"
        )),
        DecryptError::Io(error) if is_of_store(&error) => BackupFailure::of_store(&error),
        _ => BackupFailure::Damaged(format!("the header of {name} is damaged or incomplete")),
    };
    let decryptor = Decryptor::new(from).map_err(header)?;
    let keys = identities.0.iter().map(|key| {
        let key: &dyn age::Identity = key;
        key
    });
    let reader = decryptor.decrypt(keys).map_err(header)?;
    Ok(Opened::Encrypted(Box::new(reader)))
}

/// Whether an error comes from the store and not from the decryption.
pub(crate) fn is_of_store(error: &io::Error) -> bool {
    let inner = error.get_ref();
    inner.is_some_and(|inner| inner.is::<domain::ports::ObjectError>())
        || error.raw_os_error().is_some()
}

impl<R: Read> Read for Opened<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(from) => from.read(out),
            Self::Encrypted(reader) => reader.read(out),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_key_in_place_of_a_public_one_is_refused_and_not_repeated() {
        let (text, public) = new_identity();
        let secret = text.lines().last().unwrap().to_owned();
        let error = Recipients::parse(std::slice::from_ref(&secret)).unwrap_err();
        assert_eq!(error, InvalidKey::SecretRecipient(1));
        assert!(!error.to_string().contains(&secret));
        assert!(Recipients::parse(std::slice::from_ref(&public)).is_ok());
        assert_eq!(
            Recipients::parse(&[public.clone(), "age1x".to_owned()]).unwrap_err(),
            InvalidKey::Recipient(2)
        );
        let all = vec![public; MAX_RECIPIENTS + 1];
        assert_eq!(Recipients::parse(&all).unwrap_err(), InvalidKey::TooMany);
    }

    #[test]
    fn a_file_of_identities_has_keys_and_comments_only() {
        let (text, _) = new_identity();
        assert!(Identities::read(text.as_bytes()).is_ok());
        assert_eq!(
            Identities::read(&b"# none\n"[..]).unwrap_err(),
            InvalidKey::NoIdentity
        );
        assert_eq!(
            Identities::read(&b"# a\nhello\n"[..]).unwrap_err(),
            InvalidKey::Identity(2)
        );
    }
}
