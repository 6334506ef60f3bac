-- The plans that operators give to pros. Those of the contract keep their ids; `none` is what a pro without a plan has.
create table plans (
  id text primary key check (id ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(id) <= 50),
  name text not null check (length(name) between 1 and 50),
  price_cents integer check (price_cents between 0 and 100000000),
  tasks integer not null check (tasks between 0 and 1000000),
  has_agent_server boolean not null,
  retired_at timestamptz,
  constraint plans_none check (id <> 'none' or (price_cents is null and tasks = 0 and not has_agent_server and retired_at is null))
);
insert into plans (id, name, tasks, has_agent_server)
values ('none', 'None', 0, false), ('verified', 'Verified', 100, true), ('business', 'Business', 1000, true);
