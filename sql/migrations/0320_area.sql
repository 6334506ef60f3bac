-- Where the marketplace serves: circles around places, in miles. Empty: everywhere.
alter table marketplace_versions add column area jsonb not null default '[]',
  add constraint marketplace_versions_area check (jsonb_typeof(area) = 'array' and jsonb_array_length(area) <= 20);
