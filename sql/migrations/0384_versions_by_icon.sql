create index concurrently if not exists marketplace_versions_icon on marketplace_versions (icon) where icon is not null;
