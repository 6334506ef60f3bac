-- What names a booking is found by it: without these, deleting one reads all reviews.
create index reviews_booking on reviews (booking_id) where booking_id is not null;
create index prepared_work_booking on prepared_work (booking_id) where booking_id is not null;
