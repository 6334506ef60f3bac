create index concurrently if not exists prepared_work_records on prepared_work using gin (record_ids(content::text))
  where kind = 'day_brief';
