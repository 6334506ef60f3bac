-- The logo and the icon of the marketplace, as PNG. The id is a digest of the picture, so that an address always shows the same one.
create table brand_pictures (
  id text primary key check (id ~ '^[0-9a-f]{32}$'),
  kind text not null check (kind in ('logo', 'icon')),
  width integer not null check (width between 1 and 640),
  height integer not null check (height between 1 and 512),
  whole bytea not null check (length(whole) <= 2097152),
  -- An icon in the size of a phone's screen, and in that of a tab.
  screen bytea check (length(screen) <= 524288),
  tab bytea check (length(tab) <= 524288),
  created_at timestamptz not null,
  constraint brand_pictures_sizes check ((kind = 'icon') = (screen is not null and tab is not null))
);
create index brand_pictures_created_at on brand_pictures (created_at);

alter table marketplace_versions
  add column logo text references brand_pictures,
  add column icon text references brand_pictures;
