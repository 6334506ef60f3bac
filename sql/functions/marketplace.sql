-- What the country of the marketplace decides in the database: the states and cities that are known, and the currency of its prices.
create or replace function marketplace_country() returns text
  language sql stable parallel safe as $$
  select coalesce((select country from marketplace_versions order by version desc limit 1), 'US')
$$;

-- The currency, as the region's profile has it (src/platform/text/region.ts).
create or replace function marketplace_currency() returns text
  language sql stable parallel safe as $$
  select coalesce(
    (select case country when 'CA' then 'CAD' else 'USD' end from marketplace_versions order by version desc limit 1), 'USD')
$$;

-- Pros that are being created become visible before it, and new ones wait until the transaction ends.
create or replace function lock_pros() returns void
  language plpgsql volatile as $$
begin
  lock table professionals in share row exclusive mode;
end $$;

-- A text that was in force stays as it was read.
create or replace function refuse_change_of_text() returns trigger language plpgsql as $$
begin
  raise exception 'a version of a legal text never changes: publish the next one' using errcode = 'restrict_violation';
end $$;

create or replace trigger legal_text_changed before update or delete or truncate on marketplace_texts
  for each statement execute function refuse_change_of_text();
