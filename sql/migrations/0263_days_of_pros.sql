create index concurrently if not exists pro_days_day on pro_days (day);
