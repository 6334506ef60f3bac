-- When it became known that the owner of the customer's address made the row: signed in, or with a code or link that went to
-- the address. Null: the address was typed, by anybody.
alter table bookings add column proven_at timestamptz;
alter table rfqs add column proven_at timestamptz;
