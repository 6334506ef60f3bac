-- The marketplace that the database holds: one row, once it has begun. Demo data and real people never share one.
create table marketplace (
  singleton boolean primary key default true check (singleton),
  has_demo_data boolean not null,
  begun_at timestamptz not null
);
