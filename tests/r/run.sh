#!/bin/bash
# Assembles the source package for R, installs it with the library that was built, and runs its tests, its examples and
# those of docs/r.md; all results in TAP:
#     run.sh BUILD
# With DODONA_R_CHECK=yes it runs R CMD check too, which compiles the library that the package has: some minutes.
set -u
build=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
source=$(realpath "$here/../..")
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
. "$here/../claim.sh"

if ! Rscript -e 'quit(status = !requireNamespace("testthat", quietly = TRUE))' >/dev/null 2>&1; then
    echo '1..0 # SKIP there is no R with testthat (Debian: r-base-dev, r-cran-testthat)'
    exit 0
fi

# The package finds the library that was built by pkg-config, so that it need not be compiled again.
export PKG_CONFIG_PATH=$build/meson-uninstalled LD_LIBRARY_PATH=$build
export R_LIBS=$root/library LC_ALL=C.UTF-8 NOT_CRAN=true
unset DODONA_MODEL DODONA_MODELS
mkdir "$root/library"

claim 'the source package is assembled' env DODONA_LIBRARY=installed "$source/scripts/r-package.sh" "$root/package" "$build"
archive=$(echo "$root"/package/dodona_*.tar.gz)
claim 'it has every source of the library that it needs' bash -c '
    diff <(cd "$1/src" && find . -name "*.c" ! -path "./check/*" | sort) \
         <(tar -tzf "$2" | sed -n "s,^dodona/src/library/src/\(.*\.c\)$,./\1,p" | sort)' bash "$source" "$archive"
claim 'it needs neither Meson nor Python' bash -c '! tar -tzf "$1" | grep -E "meson|\.py$"' bash "$archive"
claim 'R installs it' env DODONA_LIBRARY=installed R CMD INSTALL --library="$root/library" "$archive"
claim 'without the library it says what to do' bash -c '
    mkdir "$2/bare" && cp -r "$1/bindings/r" "$2/bare" && cd "$2/bare/r" &&
    ! PKG_CONFIG_PATH= PKG_CONFIG_LIBDIR=/nowhere ./configure 2>"$2/told" && grep -q "make r-package" "$2/told"' \
    bash "$source" "$root"

if [ -n "${DODONA_R_CHECK:-}" ]; then
    claim 'R CMD check finds neither errors nor warnings' bash -c '
        cd "$1" && R CMD check --no-manual --no-tests "$2" && ! grep -E "^\* .*(ERROR|WARNING)$" dodona.Rcheck/00check.log' \
        bash "$root" "$archive"
else
    skip 'R CMD check' 'DODONA_R_CHECK=yes runs it, for some minutes'
fi

cd "$root" || exit 1
Rscript --vanilla "$here/run_tests.R" "$((number + 1))" "$source" "$build" || failures=1
[ "$failures" -eq 0 ]
