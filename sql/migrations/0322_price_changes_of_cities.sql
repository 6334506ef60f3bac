create index concurrently if not exists pricing_changes_city on pricing_changes (city_id) where city_id is not null;
