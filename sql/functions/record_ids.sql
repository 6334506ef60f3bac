-- The records that a stored copy names as members of its JSON: "id", "bookingId" and the like. Erasures find copies by them.
-- Quotes inside a text are escaped in JSON, so nothing that people type counts. Indexes store its results: it must not change.
create or replace function record_ids(document text) returns uuid[]
  language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct found[1]::uuid), '{}')
  from regexp_matches(
    document, '"(?:id|[a-z]+Id)": ?"([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})"', 'g') found
$$;
