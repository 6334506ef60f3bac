-- Which worker has a delivery in hand. A courier holds an advisory lock of its id as long as its process lives, so that what
-- a dead one held comes up again at once, and not when the longest attempt would be over.
create table webhook_couriers (
  id uuid primary key,
  enlisted_at timestamptz not null
);

alter table webhook_deliveries
  -- Of the attempt under way.
  add column courier_id uuid,
  -- Couriers that died over it since its last result: what kills its worker rests longer each time.
  add column interruptions smallint not null default 0 check (interruptions >= 0);
