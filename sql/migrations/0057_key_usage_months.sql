-- Usage of keys in partitions by month, of which the old ones are dropped: that gives the space back at once. What exists
-- becomes the default partition; it shrinks by its age. Workers create the months (sql/functions/month_partitions.sql).
alter table key_usage rename to key_usage_default;
alter table key_usage_default rename constraint key_usage_pkey to key_usage_default_pkey;
alter index key_usage_day rename to key_usage_default_day;

create table key_usage (like key_usage_default including defaults including constraints) partition by range (day);
alter table key_usage
  add primary key (key_id, day),
  add constraint key_usage_key_id_fkey foreign key (key_id) references api_keys on delete cascade;
create index key_usage_day on key_usage (day);
alter table key_usage attach partition key_usage_default default;
