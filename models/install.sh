#!/bin/sh
# Installs the default model, if it has been made: install.sh MODEL FOLDER
set -eu
[ -f "$1" ] || exit 0
folder=${DESTDIR:-}$2
mkdir -p "$folder"
install -m 644 "$1" "$(dirname "$1")/README.md" "$folder"
