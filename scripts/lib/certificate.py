"""A certificate for servers on loopback, signed by an authority that is made for it. Needs openssl."""

import base64
import hashlib
import pathlib
import ssl
import subprocess

DAYS = "2"
LOOPBACK = ("IP:127.0.0.1", "DNS:localhost")
KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")


class Certificate:
    """The files of a certificate for these names in a folder: authority.pem, server.pem, server.key, and the last two in one."""

    def __init__(self, folder, names=LOOPBACK):
        self.folder = pathlib.Path(folder)
        self.openssl("req", "-x509", *KEY, "-days", DAYS, "-subj", "/CN=Loopback authority", "-keyout", "authority.key", "-out", "authority.pem",
                     "-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign")
        self.openssl("req", *KEY, "-subj", "/CN=Loopback server", "-keyout", "server.key", "-out", "server.csr")
        (self.folder / "extensions").write_text(f"subjectAltName={','.join(names)}\nbasicConstraints=CA:FALSE\n")
        self.openssl("x509", "-req", "-in", "server.csr", "-CA", "authority.pem", "-CAkey", "authority.key", "-CAcreateserial", "-days", DAYS,
                     "-extfile", "extensions", "-out", "server.pem")
        both = self.folder / "both.pem"
        both.write_text((self.folder / "server.key").read_text() + (self.folder / "server.pem").read_text())
        #: The certificate of the authority; key and certificate of the server in one file.
        self.authority, self.leaf = str(self.folder / "authority.pem"), str(both)

    def openssl(self, *arguments):
        return subprocess.run(["openssl", *arguments], cwd=self.folder, check=True, capture_output=True).stdout

    def environment(self):
        """The settings with which an audit trusts the authority."""
        return {"ASSAY_EGRESS__EXTRA_CA_FILE": self.authority}

    def context(self):
        """What a server needs to answer with this certificate."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.leaf)
        return context

    def browser_flag(self):
        """The flag with which Chromium accepts this certificate and no other one that it would refuse."""
        key = self.openssl("x509", "-in", "server.pem", "-noout", "-pubkey")
        der = base64.b64decode(b"".join(key.splitlines()[1:-1]))
        return f"--ignore-certificate-errors-spki-list={base64.b64encode(hashlib.sha256(der).digest()).decode()}"
