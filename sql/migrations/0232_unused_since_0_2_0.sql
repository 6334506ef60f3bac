-- What 0.2.0 has and no longer uses. Functions of a new database come after this file, so they may be missing.
drop function if exists reserve_slot(
  uuid, uuid, date, integer, timestamptz, integer, boolean, text, text, text, jsonb, text, text, text, uuid, uuid, text, uuid[],
  text, timestamptz, text, text, text, bytea, integer, integer, uuid, text, uuid, integer, integer);
drop function if exists maintain_months;
drop table outbox_relay;
drop table schema_migrations;

-- 0.2.0 looks for a record of each of its files; this one defined maintain_months only. A newer version's record is as good.
insert into schema_files (name, checksum, version)
values ('functions/month_partitions.sql', '60db8506f6675528bd92d5babac7decb546871d65b3a60dc3da8b4979937a159', '0.3.0')
on conflict (name) do update set version = excluded.version;
