#!/bin/sh
# The browser tests drive the system's Chromium. Install it where that is allowed; else say how.
set -eu
if command -v chromium >/dev/null; then
    exit 0
fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >/dev/null
    exit 0
fi
echo "The browser tests need Chromium: install it (on Debian: sudo apt-get install chromium), then run make test again." >&2
exit 1
