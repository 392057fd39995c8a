# SPDX-License-Identifier: GPL-3.0-or-later
"""Packs the Python module for `pip install .` (PEP 517): python/rwa, the headers, and build/librwa.so.N if it is there.

Needs Python alone, no setuptools and no network."""
import base64
import hashlib
import re
import sysconfig
import zipfile
from pathlib import Path


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    number, version = (re.search(rf"^{name} = (\S+)", Path("Makefile").read_text(), re.M)[1]
                       for name in ("SOMAJOR", "VERSION"))
    library = Path("build", f"librwa.so.{number}")
    tag = "py3-none-" + (re.sub("[-.]", "_", sysconfig.get_platform()) if library.exists() else "any")
    files = {f"rwa/{path.name}": path for path in Path("python/rwa").glob("*.py*")}
    files.update({f"rwa/include/{path.name}": path for path in Path("include/rwa").glob("*.h")})
    if library.exists():
        files[f"rwa/{library.name}"] = library
    entries, info = {name: path.read_bytes() for name, path in files.items()}, f"librwa-{version}.dist-info"
    entries[f"{info}/METADATA"] = (f"Metadata-Version: 2.1\nName: librwa\nVersion: {version}\nRequires-Python: >=3.9\n"
                                   "License: GPL-3.0-or-later\n").encode()
    entries[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    digests = {name: base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
               for name, data in entries.items()}
    entries[f"{info}/RECORD"] = "".join([*(f"{name},sha256={digests[name]},{len(data)}\n" for name, data in
                                           entries.items()), f"{info}/RECORD,,\n"]).encode()
    wheel = f"librwa-{version}-{tag}.whl"
    with zipfile.ZipFile(Path(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in entries.items():
            packed.writestr(name, data)
    return wheel
