#!/bin/sh
# Assembles the source package for R, with the sources of the library and the models that are built:
#     r-package.sh BUILD [MODEL...]
# leaves BUILD/r/dodona_VERSION.tar.gz. Models are names of files in BUILD/models, english if none is given.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd)
shift
command -v R >/dev/null || { echo 'R is not installed (Debian: r-base-dev)' >&2; exit 1; }

package=$build/r/dodona
library=$package/src/library
rm -rf "$package"
mkdir -p "$build/r"
cp -r "$root/bindings/r" "$package"
mkdir -p "$library" "$package/inst/examples"
cp "$root/examples/demo-train.conllu" "$root/examples/demo-test.conllu" "$package/inst/examples"
cp -r "$root/include" "$root/src" "$library"
# Meson makes this one, in its own order; who installs the package has neither it nor Python.
(cd "$root/src/linear" && sed -n "s/^ *'\(.*\.templates\)',$/\1/p" meson.build | xargs python3 -B embed.py) \
    >"$library/src/linear/builtin_templates.inc"
find "$library" \( -name meson.build -o -name '*.py' -o -name '*.templates' \) -exec rm {} +

for model in "${@:-english}"; do
    if [ -e "$build/models/$model.dodona" ]; then
        mkdir -p "$package/inst/models"
        cp "$build/models/$model.dodona" "$package/inst/models"
    elif [ $# -gt 0 ]; then
        echo "there is no $build/models/$model.dodona" >&2
        exit 1
    fi
done
[ ! -d "$package/inst/models" ] || cp "$root/models/README.md" "$package/inst/models/README.md"

cd "$build/r"
R CMD build --no-build-vignettes --no-manual dodona >build.log 2>&1 || { cat build.log >&2; exit 1; }
