-- The country of the marketplace (src/platform/text/region.ts), and that of each state or province.
alter table marketplace_versions add column country text not null default 'US',
  add constraint marketplace_versions_country check (country in ('US', 'CA'));
alter table states add column country text not null default 'US';
-- 0.2.0 runs with this: it writes states of the United States only, and ZIP codes.
alter table states add constraint states_country check (country in ('US', 'CA')) not valid;
alter table properties drop constraint properties_zip_code_check;
-- 0.2.0 runs with this: the constraint allows all that it writes.
alter table properties add constraint properties_zip_code_check
  check (zip_code ~ '^(\d{5}(-\d{4})?|[A-Za-z]\d[A-Za-z][ -]?\d[A-Za-z]\d)$') not valid;
