"""The server processes of the sites, and the certificate of those on https."""

import contextlib
import os
import shutil
import subprocess
import sys

from certificate import Certificate
from hostile import server

PROGRAM = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "hostile-sites")


class NoCertificate:
    """Without openssl there are no sites on https."""

    authority = leaf = None

    def environment(self):
        return {}


def certificate_in(folder):
    """A certificate for 127.0.0.1, if openssl is there to make it."""
    return Certificate(folder) if shutil.which("openssl") else NoCertificate()


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
