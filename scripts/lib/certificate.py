"""A certificate for loopback, signed by an authority that is made for it. Needs openssl."""

import base64
import hashlib
import pathlib
import ssl
import subprocess

DAYS = "2"
KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")


class Certificate:
    """The files of a certificate for 127.0.0.1 in a folder, which is removed with the keys after use."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.openssl("req", "-x509", *KEY, "-days", DAYS, "-subj", "/CN=Loopback authority", "-keyout", "authority.key", "-out", "authority.pem")
        self.openssl("req", *KEY, "-subj", "/CN=127.0.0.1", "-keyout", "server.key", "-out", "server.csr")
        (self.folder / "extensions").write_text("subjectAltName=IP:127.0.0.1,DNS:localhost\nbasicConstraints=CA:FALSE\n")
        self.openssl("x509", "-req", "-in", "server.csr", "-CA", "authority.pem", "-CAkey", "authority.key", "-CAcreateserial", "-days", DAYS,
                     "-extfile", "extensions", "-out", "server.pem")
        #: The certificate of the authority, for programs that read SSL_CERT_FILE.
        self.authority = str(self.folder / "authority.pem")

    def openssl(self, *arguments):
        return subprocess.run(["openssl", *arguments], cwd=self.folder, check=True, capture_output=True).stdout

    def context(self):
        """What a server needs to answer with this certificate."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.folder / "server.pem", self.folder / "server.key")
        return context

    def browser_flag(self):
        """The flag with which Chromium accepts this certificate and no other one that it would refuse."""
        key = self.openssl("x509", "-in", "server.pem", "-noout", "-pubkey")
        der = base64.b64decode(b"".join(key.splitlines()[1:-1]))
        return f"--ignore-certificate-errors-spki-list={base64.b64encode(hashlib.sha256(der).digest()).decode()}"
