#!/bin/sh
# Runs once, when the primary's data folder is created: lets a replica copy it.
echo 'host replication all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
