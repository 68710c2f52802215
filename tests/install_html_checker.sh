#!/bin/sh
# Reports are checked with the W3C's Nu Html Checker, a Java program that npm has as the package vnu-jar.
# Install it into .venv where that is allowed; else say how.
set -eu
cd "$(dirname "$0")/.."
folder=.venv/html-checker
need() {
    command -v "$1" >/dev/null && return
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$2" >/dev/null
        return
    fi
    echo "The check of reports needs $1: install it (on Debian: sudo apt-get install $2), then run make test again." >&2
    exit 1
}
need java default-jre-headless
if [ ! -f "$folder/node_modules/vnu-jar/build/dist/vnu.jar" ]; then
    need npm npm
    mkdir -p "$folder"
    npm install --silent --no-save --no-audit --no-fund --prefix "$folder" vnu-jar@26.9.27
fi
