"""Makes the extension dodona._native: the public headers of the library, and glue/, through cffi.

The declarations are those of the headers themselves, so that they cannot differ from them. The
library is linked in; it is built by Meson as everywhere, unless DODONA_BUILD names a folder in
which it has been built already.
"""

import os
import pathlib
import re
import subprocess

import cffi

HERE = pathlib.Path(__file__).resolve().parent
# A source distribution has a copy of the library beside this file, see setup.py.
ROOT = HERE / "library" if (HERE / "library").is_dir() else HERE.parent.parent
GLUE = ("document", "table")

CALLBACKS = """
extern "Python" bool dp_on_report(void *user, const dd_train_progress *progress);
extern "Python" bool dp_on_component(void *user, const dd_component_progress *progress);
extern "Python" void dp_on_data(void *user, const dd_train_data *data);
extern "Python" bool dp_on_step(void *user, const dd_oracle_step *step);
extern "Python" bool dp_on_derivation(void *user, const dd_oracle_derivation *derivation);
extern "Python" bool dp_on_pause(void *user);
"""


def declarations(header):
    """A header as cffi reads it: without preprocessor lines, what belongs to C++, and bodies of
    functions."""
    text = re.sub(r"#ifdef __cplusplus.*?#endif", "", header.read_text("utf-8"), flags=re.S)
    text = re.sub(r"^#(?:.*\\\n)*.*$", "", text, flags=re.M)
    text = re.sub(r"^static inline ([^;{]*)\n{\n.*?^}$", r"\1;", text, flags=re.S | re.M)
    return text.replace("DD_API ", "")


def library_folder():
    """Where libdodona.a is, or will be when setup.py has built it."""
    return pathlib.Path(os.environ.get("DODONA_BUILD") or HERE / "build" / "library").resolve()


def libraries():
    """What the library itself needs."""
    found = subprocess.run(
        ["pkg-config", "--libs", "libxxhash", "zlib", "libzstd", "libutf8proc"],
        check=True, capture_output=True, text=True).stdout.split()
    return found + ["-lm", "-pthread"]


def make_ffibuilder():
    builder = cffi.FFI()
    builder.cdef(declarations(ROOT / "include" / "dodona.h"))
    builder.cdef(declarations(ROOT / "include" / "dodona_tools.h"))
    for name in GLUE:
        builder.cdef(declarations(HERE / "glue" / f"{name}.h"))
    builder.cdef(CALLBACKS)
    static = library_folder() / "libdodona.a"
    builder.set_source(
        "dodona._native",
        "#include <dodona_tools.h>\n" + "".join(f'#include "{name}.h"\n' for name in GLUE),
        # Relative, as setuptools wants it.
        sources=[f"glue/{name}.c" for name in GLUE],
        include_dirs=[str(ROOT / "include"), str(HERE / "glue")],
        extra_compile_args=["-std=c17", "-O2"],
        extra_link_args=[str(static), *libraries()],
        depends=[str(static), *(str(HERE / "glue" / f"{name}.h") for name in GLUE)])
    return builder
