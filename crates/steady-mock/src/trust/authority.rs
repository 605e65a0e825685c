//! The certificate authority of a run.

use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use indexmap::IndexMap;
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair,
    KeyUsagePurpose, date_time_ymd,
};
use tempfile::TempDir;
use tokio_rustls::rustls::crypto::ring::sign::any_supported_type;
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio_rustls::rustls::sign::CertifiedKey;

use super::jks;
use crate::state::lock;

/// How many certificates are kept; a client that asks for ever new names gets them made anew.
const KEPT: usize = 1024;
/// Where systems keep the certificates they trust.
const SYSTEM_BUNDLES: [&str; 3] =
    ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"];

/// A certificate authority that lives as long as the run: its files are gone when it is dropped.
pub struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
    /// The key of all certificates: making one costs more than signing.
    leaf_key: KeyPair,
    leaves: Mutex<IndexMap<String, Arc<CertifiedKey>>>,
    folder: TempDir,
}

/// The authority could not be set up, or a certificate not be made.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum TrustError {
    #[error("cannot make a certificate")]
    Certificate(#[from] rcgen::Error),
    #[error("cannot use the key of a certificate")]
    Key(#[from] tokio_rustls::rustls::Error),
    #[error("cannot write the certificates of the run into `{}`", folder.display())]
    Write { folder: PathBuf, source: io::Error },
}

impl Authority {
    /// A new authority, with its files in a folder of their own below the system's folder for temporary files.
    pub fn new() -> Result<Self, TrustError> {
        let mut params = CertificateParams::new(Vec::new())?;
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name.push(DnType::CommonName, "steady mock authority");
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        always_valid(&mut params);
        let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate()?)?;
        let parent = std::env::temp_dir();
        let folder = tempfile::Builder::new().prefix("steady-trust-").tempdir_in(&parent);
        let folder = folder.map_err(|source| TrustError::Write { folder: parent, source })?;
        write_files(&issuer, folder.path())
            .map_err(|source| TrustError::Write { folder: folder.path().to_owned(), source })?;
        Ok(Self { issuer, leaf_key: KeyPair::generate()?, leaves: Mutex::default(), folder })
    }

    /// The authority's certificate in PEM.
    pub fn certificate_file(&self) -> PathBuf {
        self.folder.path().join(CERTIFICATE)
    }

    /// The authority's certificate and those the system trusts, in PEM.
    pub fn bundle_file(&self) -> PathBuf {
        self.folder.path().join(BUNDLE)
    }

    /// The authority's certificate in a Java trust store, whose password is [`STORE_PASSWORD`](super::STORE_PASSWORD).
    pub fn java_store_file(&self) -> PathBuf {
        self.folder.path().join(JAVA_STORE)
    }

    /// The authority's key in PEM; only its owner can read it.
    pub fn key_file(&self) -> PathBuf {
        self.folder.path().join(KEY)
    }

    /// A certificate for a host name or an address.
    pub(super) fn leaf(&self, host: &str) -> Result<Arc<CertifiedKey>, TrustError> {
        if let Some(leaf) = lock(&self.leaves).get(host) {
            return Ok(Arc::clone(leaf));
        }
        let mut params = CertificateParams::new(vec![host.to_owned()])?;
        // A common name has at most 64 characters; clients look at the alternative names.
        params.distinguished_name.push(DnType::CommonName, host.chars().take(64).collect::<String>());
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        params.use_authority_key_identifier_extension = true;
        always_valid(&mut params);
        let certificate = params.signed_by(&self.leaf_key, &self.issuer)?;
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(self.leaf_key.serialize_der()));
        let chain = vec![certificate.der().clone(), self.issuer.der().clone()];
        let leaf = Arc::new(CertifiedKey::new(chain, any_supported_type(&key)?));
        let mut leaves = lock(&self.leaves);
        if leaves.len() >= KEPT {
            leaves.shift_remove_index(0);
        }
        leaves.insert(host.to_owned(), Arc::clone(&leaf));
        Ok(leaf)
    }
}

impl std::fmt::Debug for Authority {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Authority").field("folder", &self.folder.path()).finish_non_exhaustive()
    }
}

const CERTIFICATE: &str = "ca.pem";
const BUNDLE: &str = "bundle.pem";
const JAVA_STORE: &str = "truststore.jks";
const KEY: &str = "ca-key.pem";

/// Tests shift the clock; a certificate has to be valid all the same.
fn always_valid(params: &mut CertificateParams) {
    params.not_before = date_time_ymd(2000, 1, 1);
    params.not_after = date_time_ymd(2099, 12, 31);
}

fn write_files(issuer: &CertifiedIssuer<'static, KeyPair>, folder: &Path) -> io::Result<()> {
    let write = |name: &str, mode: u32, content: &[u8]| {
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create_new(true).mode(mode).open(folder.join(name))?.write_all(content)
    };
    let certificate = issuer.pem();
    let system =
        SYSTEM_BUNDLES.iter().find_map(|path| std::fs::read_to_string(path).ok()).unwrap_or_default();
    write(CERTIFICATE, 0o644, certificate.as_bytes())?;
    write(BUNDLE, 0o644, format!("{certificate}\n{system}").as_bytes())?;
    write(JAVA_STORE, 0o644, &jks::store(issuer.der()))?;
    write(KEY, 0o600, issuer.key().serialize_pem().as_bytes())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn the_key_is_its_owners_and_all_files_go_with_the_authority() {
        let authority = Authority::new().unwrap();
        let files = [
            authority.key_file(),
            authority.certificate_file(),
            authority.bundle_file(),
            authority.java_store_file(),
        ];
        let mode = std::fs::metadata(&files[0]).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert!(files.iter().all(|file| file.exists()));
        drop(authority);
        assert!(!files.iter().any(|file| file.exists() || file.parent().unwrap().exists()));
    }

    #[test]
    fn every_host_has_a_certificate_of_its_own_made_once() {
        let authority = Authority::new().unwrap();
        let one = authority.leaf("a.test").unwrap();
        assert!(Arc::ptr_eq(&one, &authority.leaf("a.test").unwrap()));
        assert_ne!(one.cert[0], authority.leaf("127.1.2.3").unwrap().cert[0]);
        assert!(authority.leaf(&"a".repeat(300)).is_ok());
    }
}
