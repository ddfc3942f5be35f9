"""What pyproject.toml cannot say: the extension, its stable interface, and whole source archives."""

import lzma
import os
import pathlib
import shutil
import subprocess

try:
    import cffi  # noqa: F401  without it, setuptools would leave the extension out and say nothing
except ImportError:
    raise SystemExit("dodona: the package cffi is missing, which the build needs; pip installs it "
                     "unless --no-build-isolation is given") from None

from setuptools import setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE / "library" if (HERE / "library").is_dir() else HERE.parent.parent
OF_THE_LIBRARY = ("include", "src", "models/README.md", "models/english.dodona.xz", "meson.build", "meson_options.txt", "LICENSE")


def check(*tools):
    """Whether tools are there, and with pkg-config the libraries; a compiler says itself that it is missing."""
    missing = [tool for tool in tools if not shutil.which(tool)]
    if "pkg-config" in tools and not missing:
        missing = [name for name in ("libxxhash", "zlib", "libzstd", "libutf8proc")
                   if subprocess.run(["pkg-config", "--exists", name]).returncode]
    if missing:
        raise SystemExit(f"dodona: the build needs {', '.join(missing)}; on Debian: apt-get install meson pkg-config "
                         "libxxhash-dev zlib1g-dev libzstd-dev libutf8proc-dev")


class WithLibrary(build_ext):
    """Builds the library first, unless DODONA_BUILD names a folder where that has been done."""

    def run(self):
        if not os.environ.get("DODONA_BUILD"):
            check("meson", "ninja")
            folder = os.fspath(HERE / "build" / "library")
            if not os.path.exists(os.path.join(folder, "build.ninja")):
                subprocess.run(["meson", "setup", folder, os.fspath(ROOT), "-Dwerror=false",
                                "-Dlibrary_only=true"], check=True)
            subprocess.run(["meson", "compile", "-C", folder, "dodona:static_library"], check=True)
        super().run()


class SourceArchive(sdist):
    """Takes the library along, which stands outside of this folder."""

    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        for name in OF_THE_LIBRARY:
            source, target = ROOT / name, pathlib.Path(base_dir) / "library" / name
            if source.is_dir():
                shutil.copytree(source, target, dirs_exist_ok=True)
            elif source.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, target)


class WithModel(build_py):
    """Takes the default model along, unpacked, where it has been made; not if DODONA_WITHOUT_MODEL
    is set, as distributions do that have a package for it."""

    def run(self):
        super().run()
        packed = ROOT / "models" / "english.dodona.xz"
        if packed.exists() and not os.environ.get("DODONA_WITHOUT_MODEL"):
            model = pathlib.Path(self.build_lib) / "dodona" / packed.stem
            model.write_bytes(lzma.decompress(packed.read_bytes()))


check("pkg-config")
setup(
    cffi_modules=["dodona_build.py:make_ffibuilder"],
    cmdclass={"build_ext": WithLibrary, "build_py": WithModel, "sdist": SourceArchive},
    options={"bdist_wheel": {"py_limited_api": "cp38"}},
)
