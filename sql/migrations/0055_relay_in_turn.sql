-- The relay takes the waiting events of each pro in turn: an index that leads from pro to pro.
drop index outbox_events_waiting;
create index outbox_events_waiting on outbox_events (partition, professional_id, position) where relayed_at is null;
