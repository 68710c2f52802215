#!/bin/sh
# Some tests start a PostgreSQL server of their own. Install it where that is allowed; else say what is left out.
set -eu
if command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; then
    exit 0
fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    apt-get update -qq
    # Without the cluster that Debian makes and starts: the tests make their own.
    mkdir -p /etc/postgresql-common
    echo "create_main_cluster = false" >/etc/postgresql-common/createcluster.conf
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq postgresql >/dev/null
    exit 0
fi
echo "PostgreSQL is not installed, so the tests on it are skipped (on Debian: sudo apt-get install postgresql)." >&2
