#!/bin/sh
# Assembles the source package for R, with the sources of the library and with models that have been built:
#     r-package.sh OUT BUILD [MODEL...]
# leaves OUT/dodona_VERSION.tar.gz. Models are names of files in BUILD/models: english, if it is there and no
# other is named. The vignette is built where knitr and rmarkdown are, which compiles the package once more;
# DODONA_LIBRARY=installed, see bindings/r/configure, saves most of that.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
models=$2/models
shift 2
command -v R >/dev/null || { echo 'R is not installed (Debian: r-base-dev)' >&2; exit 1; }

package=$out/dodona
library=$package/src/library
rm -rf "$package"
cp -r "$root/bindings/r" "$package"
mkdir -p "$library" "$package/inst/examples"
cp "$root/examples/demo-train.conllu" "$root/examples/demo-test.conllu" "$package/inst/examples"
cp -r "$root/include" "$root/src" "$library"
# R CMD build leaves out folders of this name; R has no use for it, and no other folder has.
rm -r "$library/src/check"
# Meson makes this one, in its own order; who installs the package has neither it nor Python.
(cd "$root/src/linear" && sed -n "s/^ *'\(.*\.templates\)',$/\1/p" meson.build | xargs python3 -B embed.py) \
    >"$library/src/linear/builtin_templates.inc"
find "$library" \( -name meson.build -o -name '*.py' -o -name '*.templates' \) -exec rm {} +

[ $# -gt 0 ] || [ ! -e "$models/english.dodona" ] || set -- english
for model in "$@"; do
    [ -e "$models/$model.dodona" ] || { echo "there is no $models/$model.dodona" >&2; exit 1; }
    mkdir -p "$package/inst/models"
    cp "$models/$model.dodona" "$package/inst/models"
done

vignette=--no-build-vignettes
if command -v pandoc >/dev/null &&
    Rscript -e 'quit(status = !all(vapply(c("knitr", "rmarkdown"), requireNamespace, NA, quietly = TRUE)))' 2>/dev/null
then
    vignette=
else
    echo 'the package is without its vignette: knitr, rmarkdown or pandoc is missing' >&2
fi
cd "$out"
# shellcheck disable=SC2086 # no option rather than an empty one
R CMD build $vignette dodona >build.log 2>&1 || { cat build.log >&2; exit 1; }
rm -r "$package"
