-- Messages that could not be sent yet, among many that wait for their time.
create index messages_retrying on messages (id) where status = 'pending' and outcome is not null;

-- Each message locked its pro and its booking, which are never deleted.
alter table messages drop constraint messages_professional_id_fkey;
alter table messages drop constraint messages_booking_id_fkey;
