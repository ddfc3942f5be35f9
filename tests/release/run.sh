#!/bin/bash
# Tries what `make release` has left in a folder, each file in an environment that has nothing else of Dodona; in TAP:
#     run.sh DIST WORK
# WORK keeps the Debian roots that are made for it. What is not there, or lacks its tool here, is skipped.
set -u
here=$(dirname "$(realpath "$0")")
[ -d "$1" ] || { echo '1..0 # SKIP there is no dist/; make release makes it' && exit 0; }
dist=$(realpath "$1") work=$(realpath -m "$2")
scratch=$(mktemp -d)
jobs=()
finish() {
    [ ${#jobs[@]} -eq 0 ] || kill "${jobs[@]}" 2>/dev/null
    rm -rf "$scratch"
}
trap finish EXIT
. "$here/../claim.sh"
unset DODONA_MODEL DODONA_MODELS PYTHONPATH PIP_FIND_LINKS
export PIP_CONFIG_FILE=/dev/null PIP_DISABLE_PIP_VERSION_CHECK=1
PATH=$PATH:/usr/sbin:/sbin
chroot=$(command -v chroot)
# Debian's, which has the modules that packages are built with.
python=/usr/bin/python3
text='Time flies like an arrow.'

# The first file whose name is so, as a regular expression.
find_one() { find "$dist" -maxdepth 1 -regextype egrep -regex "$dist/$1" | sort | head -n 1 | grep .; }

# Sets `enter`, the command that runs others in a root, as root or as somebody who is that in there alone. Programs for
# another machine are run by qemu, which is then /qemu. `who` may name a user.
who=
into() { # ROOT
    enter=(env -i PATH=/usr/bin:/bin)
    if [ "$(id -u)" = 0 ]; then
        enter+=("$chroot" ${who:+--userspec="$who"} "$1")
    else
        enter+=(unshare --map-root-user "$chroot" "$1")
    fi
    [ ! -e "$1/qemu" ] || enter+=(/qemu)
}

inside() { # ROOT COMMAND...
    into "$1"
    "${enter[@]}" "${@:2}"
}

# Whether programs of a machine can be run; puts qemu into the root if they need it. The reason, if not.
prepare() { # ROOT ARCH
    local emulator
    mkdir -p "$1"
    if [ "$2" != "$(uname -m)" ]; then
        emulator=$(command -v "qemu-$2-static") || { echo "there is no qemu-$2-static" && return 1; }
        cp "$emulator" "$1/qemu"
    fi
    [ "$(id -u)" = 0 ] || unshare --map-root-user true 2>/dev/null || { echo 'chroot needs root' && return 1; }
}

# A Debian with these packages, unpacked and no more.
debian() { # ROOT ARCH PACKAGES [OPTION]...
    local root=$1 arch=$2 packages=$3 suite
    shift 3
    [ ! -e "$root.complete" ] || return 0
    command -v mmdebstrap >/dev/null || { echo 'there is no mmdebstrap' && return 1; }
    rm -rf "$root"
    mkdir -p "$(dirname "$root")"
    suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
    mmdebstrap --quiet --variant=extract --arch="${arch/x86_64/amd64}" --include="$packages" "$@" "$suite" "$root" \
        >"$scratch/log" 2>&1 || { echo "no Debian: $(tail -n 1 "$scratch/log")" && return 1; }
    touch "$root.complete"
}

# Starts the server of a root on a port that is free, and asks for /health: from within, by the program itself, and from
# here. COMMAND listens at 0.0.0.0:0.
serves() { # ROOT COMMAND...
    local root=$1 program=$2 address
    into "$root"
    "${enter[@]}" "${@:2}" >/dev/null 2>"$scratch/served" &
    jobs+=($!)
    until address=$(grep -o '"address":"[^"]*"' "$scratch/served"); do # the whole of it has been written
        kill -0 $! 2>/dev/null || { cat "$scratch/served" && return 1; }
        sleep 0.2
    done
    address=${address%\"} address=${address##*\"}
    inside "$root" "$program" serve --check --listen "$address" || return 1
    exec 3<>"/dev/tcp/127.0.0.1/${address##*:}"
    printf 'GET /health HTTP/1.0\r\n\r\n' >&3
    tr -d '\r' <&3 >"$scratch/answer"
    exec 3>&-
    kill "${jobs[-1]}" && wait "${jobs[-1]}"
    jobs=()
    head -n 1 "$scratch/answer" | grep -q ' 200 ' && tail -n 1 "$scratch/answer" | grep -qx live
}

claim 'the checksums are those of the files' bash -c 'cd "$1" && sha256sum --quiet -c SHA256SUMS' bash "$dist"
claim 'every file is listed' bash -c 'cd "$1" && for file in *; do
    [ "$file" = CONTENTS.md ] || grep -q "^| .$file. " CONTENTS.md || [ "$file" = SHA256SUMS ] || exit 1; done' bash "$dist"

# ---- the program -----------------------------------------------------------------------------------------------

# In a root that has the unpacked archive, and not even a shell or /proc.
try_program() { # ARCHIVE ARCH
    local archive=$1 arch=$2 root=$scratch/program-$2 name reason
    local at="the program for $arch"
    if ! reason=$(prepare "$root" "$arch"); then
        skip "$at" "$reason"
        return
    fi
    tar -x -C "$root" -f "$archive"
    name=$(basename "$archive" .tar.gz)
    local program=/$name/bin/dodona
    claim "$at is static" bash -c '! readelf -l -d "$1" | grep -E "INTERP|NEEDED"' bash "$root$program"
    claim "$at runs where nothing else is" inside "$root" "$program" --version
    claim "$at parses English" bash -c 'diff <(cut -f 2-4,7,8 "$1") - ' bash <(echo "$text" |
        inside "$root" "$program" parse -q | grep -v '^#') <<'TREE'
Time	time	NOUN	2	nsubj
flies	fly	VERB	0	root
like	like	ADP	5	case
an	a	DET	5	det
arrow	arrow	NOUN	2	obl
.	.	PUNCT	2	punct

TREE
    claim "$at parses with english-fast, and by more threads" bash -c 'test "$(grep -c "	root	" "$1")" = 200' bash <(
        for _ in {1..200}; do echo "$text"; done | inside "$root" "$program" parse -q -j 4 -m english-fast)
    claim "$at reads Latin-1" bash -c 'grep -q "	café	" "$1"' bash <(printf 'The caf\351 is open.' |
        inside "$root" "$program" parse -q --encoding latin1)
    claim "$at reads UTF-16 and windows-1251" bash -c 'grep -q "	café	" "$1" && grep -q "	да	" "$2"' bash <(
        printf 'The café is open.' | iconv -t utf-16le | inside "$root" "$program" parse -q --encoding utf-16le) <(
        printf 'да' | iconv -t cp1251 | inside "$root" "$program" parse -q --encoding windows-1251)
    claim "$at knows of no server of models, but how to ask one" bash -c '
        grep -q "127.0.0.1:1/index.json: .*onnect" "$1"' bash <(inside "$root" "$program" models \
        --from https://127.0.0.1:1 2>&1)
    if command -v openssl >/dev/null; then
        try_tls "$at" "$root" "$program"
    else
        skip "$at gets models over TLS" 'there is no openssl'
    fi
    claim "$at serves" serves "$root" "$program" serve --listen 0.0.0.0:0
    claim "$at comes with manual pages, licences, and completion" ls "$root/$name/share/man/man1/dodona-parse.1" \
        "$root/$name/share/doc/dodona/LICENSE" "$root/$name/share/doc/dodona/libraries/musl.txt" \
        "$root/$name/share/dodona/models/README.md" "$root/$name/share/bash-completion/completions/dodona"
}

# From a server whose certificate the system trusts, where Fedora would say so, and not where the program was built.
try_tls() { # WHAT ROOT PROGRAM
    local at=$1 root=$2 program=$3 place=$scratch/models
    rm -rf "$place" "$scratch/port"
    mkdir -p "$place" "$root/etc/pki/tls/certs" "$root/dev"
    if ! mknod "$root/dev/urandom" c 1 9 2>/dev/null; then
        skip "$at gets models over TLS" 'only root can make its /dev/urandom'
        return
    fi
    cp "$root$(dirname "$program")/../share/dodona/models/english.dodona" "$place/"
    inside "$root" "$program" models index "$(dirname "$program")/../share/dodona/models"
    mv "$root$(dirname "$program")/../share/dodona/models/index.json" "$place/"
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost \
        -keyout "$scratch/server.key" -out "$scratch/server.crt" 2>/dev/null
    cat "$scratch"/server.{key,crt} >"$scratch/server.pem"
    "$python" -B "$here/../cli/model_server.py" "$place" "$scratch/port" "$scratch/asked" plain "$scratch/server.pem" \
        >/dev/null 2>&1 &
    jobs+=($!)
    until [ -f "$scratch/port" ]; do sleep 0.1; done
    claim "$at trusts no server that the system does not" bash -c 'grep -qi "certificate\|CA cert" "$1"' bash <(
        inside "$root" "$program" models --from "https://localhost:$(cat "$scratch/port")" 2>&1)
    cp "$scratch/server.crt" "$root/etc/pki/tls/certs/ca-bundle.crt"
    claim "$at gets models over TLS" inside "$root" "$program" models get english --into /got \
        --from "https://localhost:$(cat "$scratch/port")"
    claim "$at has got them whole" cmp "$root/got/english.dodona" "$place/english.dodona"
    kill "${jobs[-1]}" && wait "${jobs[-1]}" 2>/dev/null
    jobs=()
}

for arch in x86_64 aarch64; do
    if archive=$(find_one "dodona-.*-linux-$arch\.tar\.gz"); then
        try_program "$archive" "$arch"
    else
        skip "the program for $arch" 'it is not in dist/'
    fi
done

# ---- Python ----------------------------------------------------------------------------------------------------

# In a Debian that has Python and cffi, but no compiler.
try_wheel() { # WHEEL ARCH
    local wheel=$1 arch=$2 root=$work/root-$2 name reason
    local at="the wheel for $arch"
    name=$(basename "$wheel")
    "$python" -m zipfile -e "$wheel" "$scratch/wheel-$arch"
    # shellcheck disable=SC2016
    claim "$at needs no newer glibc than its name says" bash -c '
        newest=$(objdump -T "$1"/dodona/*.so | grep -o "GLIBC_[0-9.]*" | sort -uV | tail -n 1)
        grep -q "manylinux_${newest:6:1}_${newest:8}_" <<<"$2" || { echo "$newest"; exit 1; }' bash \
        "$scratch/wheel-$arch" "$name"
    claim "$at has the licences of what is in it" ls "$scratch/wheel-$arch"/dodona-*.dist-info/licenses/zlib.txt
    if ! reason=$(debian "$root" "${arch/aarch64/arm64}" python3,python3-venv,python3-pip,python3-cffi &&
        prepare "$root" "$arch"); then
        skip "$at installs without a compiler" "$reason"
        return
    fi
    rm -rf "$root/venv" "$root"/*.whl
    mkdir -p "$root/tmp"
    cp "$wheel" "$root/"
    claim "there is no compiler for $at" bash -c '! ls "$1"/usr/bin/*gcc* "$1"/usr/bin/cc 2>/dev/null' bash "$root"
    claim "$at goes into a fresh environment" bash -c "chroot=$chroot who=; $(declare -f into inside)"'
        inside "$1" /usr/bin/python3 -m venv --system-site-packages --without-pip /venv &&
        inside "$1" /venv/bin/python3 -m pip install --no-index "/$2"' bash "$root" "$name"
    claim "$at parses English with the model in it" inside "$root" /venv/bin/python3 -c "
import dodona
assert '/venv/' in dodona.__file__
words = dodona.load()('$text').words
assert [word.lemma for word in words] == ['time', 'fly', 'like', 'a', 'arrow', '.'], words
assert [word.head for word in words] == [2, 0, 5, 5, 2, 2], words"
}

for arch in x86_64 aarch64; do
    if wheel=$(find_one "dodona-.*manylinux.*_$arch\.whl"); then
        try_wheel "$wheel" "$arch"
    else
        skip "the wheel for $arch" 'it is not in dist/'
    fi
done

# Where there is no network: unshare -n sees to that.
try_sdist() { # ARCHIVE
    local alone=(unshare --map-root-user --net)
    if ! "${alone[@]}" true 2>/dev/null; then alone=(env); fi
    "$python" -m venv --system-site-packages "$scratch/sdist" 2>/dev/null
    claim 'the source of the Python package builds without a network' env -u DODONA_BUILD "${alone[@]}" \
        "$scratch/sdist/bin/pip" install --no-index --no-build-isolation "$1"
    claim 'and what was built parses' bash -c 'cd "$1" && bin/python -c "
import dodona
assert dodona.__file__.startswith(\"$1\"), dodona.__file__
assert dodona.load()(\"Time flies.\").words[1].lemma == \"fly\""' bash "$scratch/sdist"
}

if archive=$(find_one 'dodona-[0-9.]+\.tar\.gz'); then
    if "$python" -c 'import cffi, setuptools, wheel, venv, ensurepip' 2>/dev/null; then
        try_sdist "$archive"
    else
        skip 'the source of the Python package' 'there is no Python with cffi, setuptools, wheel and venv'
    fi
else
    skip 'the source of the Python package' 'it is not in dist/'
fi

# ---- Debian ----------------------------------------------------------------------------------------------------

try_debs() {
    local root=$scratch/debian reason
    mkdir "$scratch/debs"
    cp "$dist"/*.deb "$scratch/debs/"
    (cd "$scratch/debs" && dpkg-scanpackages -m . 2>/dev/null >Packages)
    chmod 755 "$scratch"
    # shellcheck disable=SC2016 # mmdebstrap replaces $1
    if ! reason=$(debian "$root" "$(uname -m)" dodona,dodona-model-en,python3-dodona,libdodona0 \
        --setup-hook="echo 'deb [trusted=yes] copy:$scratch/debs ./' >\"\$1/etc/apt/sources.list.d/dodona.list\"" &&
        prepare "$root" "$(uname -m)"); then
        skip 'the Debian packages' "$reason"
        return
    fi
    claim 'the Debian packages bring a program that parses' bash -c 'grep -q "	flies	fly	VERB" "$1"' bash <(echo "$text" |
        inside "$root" dodona parse -q)
    claim 'that serves' serves "$root" dodona serve --listen 0.0.0.0:0
    claim 'and a module for Python' inside "$root" python3 -c "
import dodona
assert dodona.load()('$text').words[1].lemma == 'fly'"
}

if find_one 'dodona_.*\.deb' >/dev/null; then try_debs; else skip 'the Debian packages' 'they are not in dist/'; fi

# ---- the image -------------------------------------------------------------------------------------------------

# As its own configuration says, but for the port; as the user that is named there if root runs this.
try_image() { # IMAGE
    local root=$scratch/image reason
    if ! reason=$(prepare "$root" "$(uname -m)"); then
        skip 'the image' "$reason"
        return
    fi
    mkdir "$scratch/archive"
    tar -x -C "$scratch/archive" -f "$1"
    tar -x -C "$root" -f "$scratch/archive/layer.tar" --exclude='./dev/*' 2>/dev/null
    "$python" - "$scratch/archive" >"$scratch/config" <<'CONFIG'
import hashlib, json, pathlib, sys
folder = pathlib.Path(sys.argv[1])
one, = json.loads((folder / "manifest.json").read_text())
image = json.loads((folder / one["Config"]).read_text())
layer = (folder / one["Layers"][0]).read_bytes()
assert image["rootfs"]["diff_ids"] == ["sha256:" + hashlib.sha256(layer).hexdigest()]
config = image["config"]
print(config["User"])
print(*config["Entrypoint"], *config["Cmd"])
print(*config["Healthcheck"]["Test"])
print(*config["ExposedPorts"])
CONFIG
    claim 'the image says what it runs, as whom, where, and how to check it' diff "$scratch/config" - <<'CONFIG'
1000:1000
dodona serve --listen 0.0.0.0:8000
CMD dodona serve --check
8000/tcp
CONFIG
    [ "$(id -u)" != 0 ] || who=1000:1000
    claim 'the image parses' bash -c 'grep -q "	flies	fly	VERB" "$1"' bash <(echo "$text" | inside "$root" dodona parse -q)
    claim 'the image serves' serves "$root" dodona serve --listen 0.0.0.0:0
    claim 'the image has no shell' test ! -e "$root/bin/sh"
    who=
}

if image=$(find_one 'dodona-.*-image-.*\.tar\.gz'); then try_image "$image"; else skip 'the image' 'it is not in dist/'; fi

# ---- JavaScript, R ---------------------------------------------------------------------------------------------

try_npm() { # PACKAGE
    mkdir "$scratch/npm"
    claim 'npm installs its package without a network' bash -c 'cd "$1" && npm init -y && npm install --offline "$2"' \
        bash "$scratch/npm" "$1"
    claim 'and Node.js loads it' bash -c 'cd "$1" && node --input-type=module -e "
const all = await import(\"dodona\");
if (Object.keys(all).length === 0) process.exit(1);"' bash "$scratch/npm"
}

if ! package=$(find_one '.*\.tgz'); then
    skip 'the npm package' 'it is not in dist/'
elif ! command -v npm >/dev/null; then
    skip 'the npm package' 'there is no npm'
else
    try_npm "$package"
fi

if ! package=$(find_one 'dodona_.*\.tar\.gz'); then
    skip 'the R package' 'it is not in dist/'
elif ! command -v R >/dev/null; then
    skip 'the R package' 'there is no R'
else
    mkdir "$scratch/library"
    claim 'R installs its package' R CMD INSTALL --no-docs -l "$scratch/library" "$package"
    claim 'and loads it' Rscript -e "library(dodona, lib.loc = '$scratch/library')"
fi

echo "1..$number"
[ "$failures" -eq 0 ]
