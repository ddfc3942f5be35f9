#!/bin/sh
# Prints the Python 3 that has all that the package is built and tested with; fails if there is none.
# Debian's own may not be the first on the path.
for python in python3 /usr/bin/python3; do
    "$python" - 2>/dev/null <<'END' || continue
import os, sysconfig
import setuptools  # before pip, which brings a distutils of its own
import cffi, pip, pytest, venv, wheel
os.stat(os.path.join(sysconfig.get_config_var("INCLUDEPY"), "Python.h"))
END
    echo "$python"
    exit 0
done
exit 1
