"""The server processes of the sites, and the certificate of those on https."""

import contextlib
import os
import shutil
import subprocess
import sys

from hostile import server

PROGRAM = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "hostile-sites")


class Certificates:
    """A certificate authority only for these tests, and its certificate for 127.0.0.1."""

    def __init__(self, folder):
        self.authority = self.leaf = None
        if not shutil.which("openssl"):
            return
        key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        path = lambda name: os.path.join(folder, name)
        with open(path("extensions"), "w") as file:
            file.write("subjectAltName=IP:127.0.0.1\nbasicConstraints=CA:FALSE\n")
        self.run("req", "-x509", *key, "-keyout", path("ca.key"), "-out", path("ca.pem"), "-days", "3", "-subj", "/CN=hostile authority")
        self.run("req", *key, "-keyout", path("leaf.key"), "-out", path("leaf.csr"), "-subj", "/CN=hostile site")
        signed = ["-CA", path("ca.pem"), "-CAkey", path("ca.key"), "-CAcreateserial", "-extfile", path("extensions")]
        self.run("x509", "-req", "-in", path("leaf.csr"), *signed, "-days", "3", "-out", path("leaf.pem"))
        with open(path("both.pem"), "w") as both:
            for name in ("leaf.key", "leaf.pem"):
                with open(path(name)) as part:
                    both.write(part.read())
        self.authority, self.leaf = path("ca.pem"), path("both.pem")

    @staticmethod
    def run(*arguments):
        done = subprocess.run(["openssl", *arguments], capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"openssl {arguments[0]}: {done.stderr}")

    def environment(self):
        """The settings with which an audit trusts the authority."""
        return {"ASSAY_EGRESS__EXTRA_CA_FILE": self.authority} if self.authority else {}


@contextlib.contextmanager
def played(site, certificates):
    """Serves the site during a block; yields its start URL."""
    listener = server.listen(site)
    command = [sys.executable, PROGRAM, site.name, "--play", str(listener.fileno()), "--parent", str(os.getpid())]
    if site.tls:
        command += ["--certificate", certificates.leaf]
    process = subprocess.Popen(command, pass_fds=[listener.fileno()], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    port = listener.getsockname()[1]
    # The process owns the socket from here on; early connections wait in its backlog.
    listener.close()
    try:
        if process.stdout.readline() != b"ready\n":
            raise SystemExit(f"hostile-sites: {site.name} cannot be played")
        yield f"{'https' if site.tls else 'http'}://127.0.0.1:{port}/"
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
