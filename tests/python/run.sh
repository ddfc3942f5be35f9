#!/bin/bash
# Builds the wheel of the Python package, installs it in a clean virtual environment, and runs its
# tests and the examples of docs/python.md there; all results in TAP:
#     run.sh PACKAGE BUILD
set -u
package=$(realpath "$1") build=$(realpath "$2")
here=$(dirname "$(realpath "$0")")
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
. "$(dirname "$0")/../claim.sh"

if ! python=$("$here/interpreter.sh"); then
    echo '1..0 # SKIP there is no Python 3 with cffi, setuptools, wheel, pip, pytest and headers'
    exit 0
fi

# A copy, as building writes into the folder. It must not see the library but by DODONA_BUILD.
mkdir -p "$root/source/bindings" "$root/source/models" && cp -r "$package" "$root/source/bindings/"
rm -rf "$root/source/bindings/python/build" "$root"/source/bindings/python/dodona/_native*.so
ln -s "$(realpath "$package/../../include")" "$root/source/include"
export DODONA_BUILD=$build PIP_DISABLE_PIP_VERSION_CHECK=1
unset PYTHONPATH

claim 'pip builds the wheel' "$python" -m pip wheel "$root/source/bindings/python" --no-deps \
    --no-build-isolation --no-index -w "$root/wheels"
wheel=$(echo "$root"/wheels/dodona-*.whl)
claim 'it is for every Python 3 from 3.8 on' grep -q -- '-cp38-abi3-' <<<"$wheel"
interpreter=$("$python" -c 'import sys; print(sys.executable)')
mkdir "$root/tools" && ln -s "$(command -v pkg-config)" "$root/tools/"
claim 'where tools or libraries are missing, it names them' bash -c '
    cd "$1/source/bindings/python" || exit 1
    env -u DODONA_BUILD PATH="$1/tools" "$2" setup.py -q build_ext 2>&1 |
        grep -q "^dodona: the build needs meson, ninja; on Debian: apt-get install meson " &&
    PATH=/none "$2" setup.py -q build_ext 2>&1 | grep -q "needs pkg-config;" &&
    PATH="$1/tools" PKG_CONFIG_LIBDIR=/none "$2" setup.py -q build_ext 2>&1 | grep -q "needs libxxhash, zlib, "' \
    bash "$root" "$interpreter"
# Once more with the default model, which the tests must not find.
mkdir "$root/with" && cp -r "$root/source/bindings" "$root/source/include" "$root/with/" &&
    ln -s "$(realpath "$package/../../models")" "$root/with/models"
rm -rf "$root/with/bindings/python/build"
if [ -e "$root/with/models/english.dodona.xz" ]; then
    claim 'a wheel takes the default model along' bash -c '
        "$1" -m pip wheel "$2/with/bindings/python" --no-deps --no-build-isolation --no-index -w "$2/full" &&
        "$1" -m zipfile -l "$2"/full/dodona-*.whl | grep -q "^dodona/english.dodona "' bash "$python" "$root"
else
    skip 'a wheel takes the default model along' 'it has not been made'
fi
claim 'a clean virtual environment' "$python" -m venv --system-site-packages --without-pip \
    "$root/venv"
claim 'pip installs it there' "$root/venv/bin/python" -m pip install \
    --no-index --no-deps "$wheel"
claim 'it has type hints' test -f "$root"/venv/lib/python3*/site-packages/dodona/py.typed -a \
    -f "$root"/venv/lib/python3*/site-packages/dodona/_native.pyi

# The package of other languages' models, with two that are no good but load; installed elsewhere, so that the tests
# do not find them.
mkdir -p "$root/others/bindings" "$root/others/models" &&
    cp -r "$package-models" "$root/others/bindings/python-models"
for language in xx yy; do
    "$build/dodona" train -q --only parser --iterations 1 --language $language -o "$root/$language.dodona" \
        "$package/../../examples/demo-train.conllu" &&
        "$python" "$package/../../models/pack.py" "$root/$language.dodona" "$root/others/models/$language.dodona.xz"
done
claim 'pip builds a wheel of the models of chosen languages, for every Python 3' bash -c '
    for LANGUAGES in "" xx; do # into one folder
        LANGUAGES=$LANGUAGES "$1" -m pip wheel "$2/others/bindings/python-models" --no-deps --no-build-isolation \
            --no-index -w "$2/others" || exit 1
    done
    "$1" -m zipfile -l "$2"/others/dodona_models-*-py3-none-any.whl | grep -o "^dodona_models/.*\.dodona " |
        diff - <(echo "dodona_models/xx.dodona ")' bash "$python" "$root"
claim 'which load() finds' bash -c '
    "$1/venv/bin/python" -m pip install --no-index --no-deps --target "$1/extra" "$1"/others/dodona_models-*.whl &&
    cd "$1" && PYTHONPATH=$1/extra venv/bin/python -c "
import dodona
assert dodona.load(\"xx\").facts[\"language\"] == \"xx\"
assert dodona.models()[\"xx\"].parent.name == \"dodona_models\""' bash "$root"
claim 'a language without a model is refused' bash -c '
    ! LANGUAGES="yy zz" "$1" -m pip wheel "$2/others/bindings/python-models" --no-deps --no-build-isolation --no-index \
        -w "$2/none" >"$2/refused" 2>&1 && grep -q "there is no model of zz" "$2/refused"' bash "$python" "$root"

# Away from the source, so that it is the installed package that is tested.
cd "$root" || exit 1
"$root/venv/bin/python" "$here/run_pytest.py" "$((number + 1))" "$package" || failures=1
[ "$failures" -eq 0 ]
