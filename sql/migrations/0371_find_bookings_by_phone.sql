-- The digits from the last to the first: an operator finds a number however it is written, and by its last digits.
create index concurrently if not exists bookings_phone on bookings ((reverse(regexp_replace(customer_phone, '\D', '', 'g')) collate "C")) where customer_phone is not null;
