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
    version, number = re.findall(r"^(?:VERSION|SOMAJOR) = (\S+)", Path("Makefile").read_text(), re.M)
    library = list(Path("build").glob(f"librwa.so.{number}"))
    tag = "py3-none-" + (re.sub("[-.]", "_", sysconfig.get_platform()) if library else "any")
    base, record = f"librwa-{version}", []
    with zipfile.ZipFile(Path(wheel_directory, f"{base}-{tag}.whl"), "w", zipfile.ZIP_DEFLATED) as packed:
        def pack(name, data):
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(data)}\n")
            packed.writestr(name, data)
        for path in (*library, *Path("python/rwa").glob("*.[pt]y*"), *Path("include/rwa").glob("*.h")):
            pack(f"rwa/{'include/' * (path.suffix == '.h')}{path.name}", path.read_bytes())
        pack(f"{base}.dist-info/METADATA",
             f"Metadata-Version: 2.1\nName: librwa\nVersion: {version}\nRequires-Python: >=3.9\n".encode())
        pack(f"{base}.dist-info/WHEEL", f"Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: {tag}\n".encode())
        packed.writestr(f"{base}.dist-info/RECORD", "".join(record) + f"{base}.dist-info/RECORD,,\n")
    return f"{base}-{tag}.whl"
