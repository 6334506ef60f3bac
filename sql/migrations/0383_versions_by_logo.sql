create index concurrently if not exists marketplace_versions_logo on marketplace_versions (logo) where logo is not null;
