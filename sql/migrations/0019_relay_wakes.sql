-- Commits that notify take turns (PostgreSQL holds one lock from before the flush to after it): at 32 clients a third of
-- the rate. While a relay is busy it comes round by itself, and says here until when nobody need wake it.
create table outbox_relay (
  is_the_one boolean primary key default true check (is_the_one),
  awake_until timestamptz not null
);
insert into outbox_relay (awake_until) values ('-infinity');

create or replace function notify_outbox() returns trigger language plpgsql as $$
begin
  if not exists (select from outbox_relay where awake_until > clock_timestamp()) then
    perform pg_notify('outbox_written', '');
  end if;
  return null;
end $$;
