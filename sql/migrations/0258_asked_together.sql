create index concurrently if not exists rfqs_asked_together on rfqs (asked_together) where asked_together is not null;
