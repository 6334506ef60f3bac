-- Limits of bookings with unproven addresses, by the client's network.

-- Whether the network may book for free without proof of an address: once in 24 hours, which this uses up. True for null. Of two
-- calls at the same time, the second waits for the row of the first.
create or replace function claim_free_booking(network text, as_of timestamptz) returns boolean
  language plpgsql volatile as $$
begin
  if network is null then
    return true;
  end if;
  insert into network_bookings as n (network_digest, booked_at, free_at) values (network, as_of, as_of)
  on conflict (network_digest) do update set booked_at = excluded.booked_at, free_at = excluded.free_at
    where n.free_at is null or n.free_at <= excluded.free_at - interval '24 hours';
  return found;
end $$;

-- Whether the network may hold one more time without proof of an address, which this notes: `max_holds` at once, with any pros.
-- Holds that were paid, cancelled or not paid in time do not count. True for null. Calls wait for each other as above.
create or replace function claim_hold(network text, booking_id uuid, max_holds integer, as_of timestamptz) returns boolean
  language plpgsql volatile as $$
declare
  noted uuid[];
begin
  if network is null then
    return true;
  end if;
  insert into network_bookings as n (network_digest, booked_at) values (network, as_of)
  on conflict (network_digest) do update set booked_at = excluded.booked_at
  returning n.held into noted;
  noted := array(select b.id from bookings b where b.id = any (noted) and b.hold_expires_at > as_of) || booking_id;
  update network_bookings n set held = noted where n.network_digest = network and cardinality(noted) <= max_holds;
  return found;
end $$;
