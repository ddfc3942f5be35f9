# The models of languages that were built: each parses its sentence of languages.tsv as in expected/languages.conllu.
# Rewrite that file when models have changed, and read the difference (models that are not built keep their trees):
#     DODONA_GOLDEN=write tests/cli/run.sh build/dodona tests/cli/test_languages.sh
models=$(dirname "$program")/models
golden=$here/expected/languages.conllu
: >"$root/golden"

trees_of() { # LANGUAGE: those in the golden file
    awk -v wanted="# language = $1" '/^# language = / { inside = $0 == wanted; next } inside' "$golden"
}

while IFS=$'\t' read -r language sentence; do
    begin "the model of $language"
    trees_of "$language" >expected
    if [ ! -e "$models/$language.dodona" ]; then
        skip 'it was not built'
        cp expected out
    else
        printf '%s\n' "$sentence" >text
        run parse -m "$language" text
        status 0
        [ "${DODONA_GOLDEN:-}" = write ] || same trees expected out
    fi
    [ ! -s out ] || sed "1i # language = $language" out >>"$root/golden"
done <"$here/languages.tsv"
[ "${DODONA_GOLDEN:-}" != write ] || cat "$root/golden" >"$golden"

begin 'every model that was built has a sentence'
for model in "$models"/*.dodona; do
    language=$(basename "$model" .dodona)
    case $language in
    english* | '*') ;;
    *) claim grep -q "^$language	" "$here/languages.tsv" ;;
    esac
done
