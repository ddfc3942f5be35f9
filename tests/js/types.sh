#!/bin/bash
# Checks the types of the package with a program that uses all of it, and one that misuses it: types.sh FOLDER
set -u
here=$(dirname "$(realpath "$0")")
. "$here/../claim.sh"
cd "$1" || exit 1
check=(tsc --noEmit --strict --target es2022 --module nodenext --moduleResolution nodenext --lib es2022,dom,esnext.disposable)

# Fails unless each line that ends in `// wrong` is refused, and no other.
check_wrong() {
    "${check[@]}" wrong.test.mts >wrong.log
    diff <(grep -n '// wrong$' wrong.test.mts | cut -d: -f 1) \
        <(sed -n 's/^wrong.test.mts(\([0-9]*\),.*/\1/p' wrong.log | sort -nu)
}

claim 'tsc accepts a program that uses all of it' "${check[@]}" right.test.mts
claim 'tsc refuses wrong options, constraints and uses' check_wrong
echo "1..$number"
[ "$failures" -eq 0 ]
