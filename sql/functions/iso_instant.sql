-- An instant as the API writes it: 2026-11-20T06:14:00.000Z.
create or replace function iso_instant(instant timestamptz) returns text
  language sql immutable strict parallel safe as $$
  select to_char(instant at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;
