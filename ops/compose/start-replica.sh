#!/bin/sh
# Copies the primary when there is no data yet, then follows it.
set -e
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  pg_basebackup --host=postgres --username=hearth --pgdata="$PGDATA" --write-recovery-conf --wal-method=stream --checkpoint=fast
  chmod 700 "$PGDATA"
fi
exec postgres -c hot_standby=on -c max_connections=400 -c wal_compression=on
