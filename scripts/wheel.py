"""Gives a wheel the platform tag that its extension deserves, and the terms of the libraries linked into it:

    wheel.py WHEEL LICENCES FOLDER

The tag manylinux_X_Y (PEP 600) is derived from the newest version of glibc's symbols that the extension asks for. A
wheel whose extension needs any library that not every Linux has is refused. Prints the path of the wheel in FOLDER.
"""

import base64
import hashlib
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

# Of PEP 600's list, those of C programs.
EVERYWHERE = {"libc.so.6", "libm.so.6", "libdl.so.2", "librt.so.1", "libpthread.so.0", "libgcc_s.so.1",
              "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
MACHINES = {"Advanced Micro Devices X86-64": "x86_64", "AArch64": "aarch64"}


def readelf(data, *options):
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        return subprocess.run(["readelf", "--wide", *options, file.name], check=True, text=True, stdout=subprocess.PIPE,
                              env={"PATH": "/usr/bin:/bin", "LC_ALL": "C"}).stdout


def platform(extension):
    """The tag of one extension."""
    needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", readelf(extension, "--dynamic")))
    if needed - EVERYWHERE:
        raise SystemExit(f"the extension needs {', '.join(sorted(needed - EVERYWHERE))}, which not every Linux has")
    needs = readelf(extension, "--version-info").partition("Version needs section")[2]
    versions = [tuple(map(int, found)) for found in re.findall(r"Name: GLIBC_(\d+)\.(\d+)", needs)]
    machine = re.search(r"Machine: +(.*)", readelf(extension, "--file-header"))[1].strip()
    return "manylinux_{}_{}_{}".format(*max(versions), MACHINES[machine])


def record(files, name):
    """The list of all files with their checksums, without one of itself."""
    def line(path, data):
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        return f"{path},sha256={digest},{len(data)}\n"
    return "".join(line(path, data) for path, data in files.items() if path != name) + f"{name},,\n"


def main(wheel, licences, folder):
    with zipfile.ZipFile(wheel) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    extensions = [data for name, data in files.items() if name.endswith(".so")]
    if len(extensions) != 1:
        raise SystemExit(f"{wheel}: {len(extensions)} extensions, not one")
    tag = platform(extensions[0])
    name, version, python, abi, _ = wheel.stem.split("-")
    about = f"{name}-{version}.dist-info"
    files[f"{about}/WHEEL"] = re.sub(rb"(?m)^Tag: .*$", f"Tag: {python}-{abi}-{tag}".encode(), files[f"{about}/WHEEL"])
    for licence in sorted(licences.iterdir()):
        files[f"{about}/licenses/{licence.name}"] = licence.read_bytes()
    files[f"{about}/RECORD"] = record(files, f"{about}/RECORD").encode()
    out = folder / f"{name}-{version}-{python}-{abi}-{tag}.whl"
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path)  # of 1980, so that the same files make the same wheel
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, data)
    print(out)


if __name__ == "__main__":
    main(*map(pathlib.Path, sys.argv[1:]))
