-- Whether a booking was moved when cancelling it would have cost what was paid: then it costs that wherever it was moved to.
alter table bookings add column moved_late boolean not null default false;
