# Models from web servers, good and bad; part of test_models.sh.

begin 'from a server'
fresh
"$program" models index shelf
serve plain
run models --from "$url" --names
status 0
stdout <<'END'
bare
da_ddt
sv
END
run models get da --from "$url/"
status 0
stdout <<END
da_ddt: installed as $users/da_ddt.dodona
da_ddt: licence: CC BY-SA 4.0
END
stderr </dev/null
claim cmp "$users/da_ddt.dodona" shelf/da_ddt.dodona
run models get sv --from "$url/index.json?key=1"
status 0
stop
out=$(cat log)
[ "$out" = "/index.json -
/index.json -
/da_ddt.dodona -
/index.json?key=1 -
/sv.dodona -" ] || complain "asked: $out"

if command -v openssl >/dev/null; then
    begin 'from a server that speaks HTTPS, if its certificate is believed'
    fresh
    "$program" models index shelf
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 \
        -keyout server.key -out server.crt 2>/dev/null
    cat server.key server.crt >server.pem
    serve plain server.pem
    run models get da --from "$url"
    status 1
    stdout </dev/null
    claim grep -qE '^dodona: https://127.0.0.1:[0-9]+/index.json: .*certificate' err
    claim test ! -e "$users/da_ddt.dodona"
    for variable in CURL_CA_BUNDLE SSL_CERT_FILE; do
        rm -rf "$users"
        export $variable=server.crt
        run models get da --from "$url"
        unset $variable
        status 0
        claim cmp "$users/da_ddt.dodona" shelf/da_ddt.dodona
    done
    stop
    rm -rf "$users"
    serve away=http://127.0.0.1:1/x server.pem
    CURL_CA_BUNDLE=server.crt run models get da --from "$url"
    status 1
    stderr <<<"dodona: $url/da_ddt.dodona: the server redirects to http://127.0.0.1:1/x; only https:// is followed"
    claim test -z "$(ls "$users")"
    stop
fi

begin 'on a terminal, how far a file has come is shown'
fresh
"$program" models index shelf
serve slow
python3 "$here/terminal.py" "$program" models get sv --from "$url" >out
exit_status=$? ran='get, on a terminal'
status 0
claim grep -qE $'\rsv  [0-9,]+ of [0-9,]+ bytes   ?[0-9]+ %  [0-9,]+ kB/s  [0-9]+:[0-9]+ left\e\\[K' out
claim grep -qE $'\r\e\\[Ksv: installed as ' out
rm -r "$users"
python3 "$here/terminal.py" "$program" models get sv -q --from "$url" >out
claim test ! -s out
stop

begin 'a connection that is cut is taken up again'
fresh
"$program" models index shelf
serve cut=3000
run models get da --from "$url"
status 1
stdout </dev/null
stderr <<END
dodona: da_ddt: the connection ended after 3,000 of $(grouped shelf/da_ddt.dodona) bytes; the same command continues from there
END
run models get da --from "$url"
status 1
stderr <<END
dodona: da_ddt: the connection ended after 6,000 of $(grouped shelf/da_ddt.dodona) bytes; the same command continues from there
END
claim test ! -e "$users/da_ddt.dodona"
stop
serve plain
run models get da --from "$url"
status 0
claim cmp "$users/da_ddt.dodona" shelf/da_ddt.dodona
claim grep -qx '/da_ddt.dodona bytes=6000-' log
claim test "$(ls "$users")" = da_ddt.dodona
stop

begin 'a server without ranges starts again'
fresh
"$program" models index shelf
mkdir -p "$users"
part=$users/da_ddt.dodona.$(digest shelf/da_ddt.dodona | head -c 8).part
head -c 6000 shelf/da_ddt.dodona >"$part"
serve no-range
run models get da --from "$url"
status 0
claim cmp "$users/da_ddt.dodona" shelf/da_ddt.dodona
claim grep -qx '/da_ddt.dodona bytes=6000-' log
stop

begin 'a part that is damaged, longer than the file, or whole'
fresh
"$program" models index shelf
mkdir -p "$users"
part=$users/da_ddt.dodona.$(digest shelf/da_ddt.dodona | head -c 8).part
serve plain
printf 'damaged' >"$part"
run models get da --from "$url"
status 1
stderr <<END
dodona: $url/da_ddt.dodona: its checksum (SHA-256) is not the one that the index says; nothing was installed
END
claim test ! -e "$part"
cat shelf/da_ddt.dodona shelf/da_ddt.dodona >"$part"
run models get da --from "$url"
status 0
rm "$users"/*
cp shelf/da_ddt.dodona "$part"
: >log
run models get da --from "$url"
status 0
claim cmp "$users/da_ddt.dodona" shelf/da_ddt.dodona
claim test "$(grep -c da_ddt log)" -eq 0
stop

begin 'a part that is longer than what the server has starts again'
fresh
"$program" models index shelf
mkdir -p "$users"
part=$users/da_ddt.dodona.$(digest shelf/da_ddt.dodona | head -c 8).part
size=$(bytes shelf/da_ddt.dodona)
head -c $((size - 10)) shelf/da_ddt.dodona >"$part"
serve short
run models get da --from "$url"
status 1
claim grep -q "bytes, not the $(grouped shelf/da_ddt.dodona) that the index says; nothing was installed\$" err
claim grep -qx "/da_ddt.dodona bytes=$((size - 10))-" log
claim grep -qx '/da_ddt.dodona -' log
stop

begin 'what a server sends is not what the index says'
fresh
"$program" models index shelf
size=$(bytes shelf/da_ddt.dodona)
while IFS='|' read -r mode message; do
    serve "$mode"
    run models get da --from "$url"
    status 1
    message=${message//URL/$url}
    stderr <<<"dodona: ${message//SIZE/$(grouped shelf/da_ddt.dodona)}"
    claim test -z "$(ls "$users")"
    rm -rf "$users"
    stop
done <<END
wrong|URL/da_ddt.dodona: its checksum (SHA-256) is not the one that the index says; nothing was installed
short|URL/da_ddt.dodona: $(head -c $((size / 2)) shelf/da_ddt.dodona >half; grouped half) bytes, not the SIZE that the index says; nothing was installed
long|da_ddt: more than the SIZE bytes that the index says
status=404|URL/da_ddt.dodona: the server answers 404, not found
status=403|URL/da_ddt.dodona: the server answers 403, forbidden
status=503|URL/da_ddt.dodona: the server answers 503, it has a problem
END

begin 'no index, no server'
fresh
serve plain
run models get da --from "$url"
status 1
stderr <<END
dodona: $url/index.json: the server answers 404, not found
END
stop
run models get da --from "$url"
status 1
claim grep -qE "^dodona: $url/index.json: .*127\.0\.0\.1.*" err
claim test "$(wc -l <err)" -eq 1

begin 'a file that has moved'
fresh
"$program" models index shelf
serve moved
run models get da --from "$url/old/"
status 0
claim cmp "$users/da_ddt.dodona" shelf/da_ddt.dodona
stop

begin 'a file that has moved to where no model is got from'
fresh
"$program" models index shelf
for to in "file://$PWD/shelf/da_ddt.dodona" "ftp://127.0.0.1/da_ddt.dodona" "gopher://127.0.0.1:1/x"; do
    serve "away=$to"
    run models get da --from "$url"
    status 1
    stderr <<<"dodona: $url/da_ddt.dodona: the server redirects to $to; only http:// and https:// are followed"
    claim test -z "$(ls "$users")"
    stop
done

begin 'what another process is getting stays'
fresh
"$program" models index shelf
mkdir -p "$users"
part=$users/da_ddt.dodona.$(digest shelf/da_ddt.dodona | head -c 8).part
serve 'status=404'
exec 9>"$part"
if flock -n 9 2>/dev/null; then
    run models get da --from "$url"
    status 1
    stderr <<<'dodona: da_ddt: another process is getting it'
    claim test -e "$part"
    exec 9>&-
    run models get da --from "$url"
    status 1
    claim test ! -e "$part"
    printf 'some' >"$part" # of an earlier try
    run models get da --from "$url"
    status 1
    claim test -s "$part"
else
    exec 9>&-
    skip 'there is no flock'
fi
stop

begin 'Ctrl-C keeps what has come'
fresh
"$program" models index shelf
serve slow
part=$users/da_ddt.dodona.$(digest shelf/da_ddt.dodona | head -c 8).part
# A shell without job control starts what is in the background with Ctrl-C ignored.
python3 - "$program" "$url" "$part" >out 2>err <<'END'
import os, pathlib, signal, subprocess, sys, time
program, url, part = sys.argv[1:]
signal.signal(signal.SIGINT, signal.default_int_handler)
child = subprocess.Popen([program, "models", "get", "da", "--from", url])
for _ in range(600):
    if os.path.exists(part) and os.path.getsize(part) >= 2000:
        break
    time.sleep(0.05)
child.send_signal(signal.SIGINT)
sys.exit(child.wait())
END
exit_status=$? ran='get, interrupted'
status 130
claim grep -qE '^dodona: da_ddt: interrupted after [0-9,]+ of [0-9,]+ bytes; the same command continues from there$' err
claim test -s "$part"
stop
serve plain
run models get da --from "$url"
status 0
claim grep -qE '^/da_ddt.dodona bytes=[1-9][0-9]+-$' log
claim cmp "$users/da_ddt.dodona" shelf/da_ddt.dodona
stop
