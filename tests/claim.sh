# claim NAME COMMAND...: a line of TAP that tells whether the command succeeds, with what it said if
# not. skip NAME REASON: one that was not tried. To be sourced; `number` and `failures` count.
number=0 failures=0

claim() {
    local name=$1 told
    shift
    number=$((number + 1))
    if told=$("$@" 2>&1); then
        echo "ok $number - $name"
    else
        echo "not ok $number - $name"
        printf '%s\n' "$told" | sed 's/^/# /'
        failures=$((failures + 1))
    fi
}

skip() {
    number=$((number + 1))
    echo "ok $number - $1 # SKIP $2"
}
