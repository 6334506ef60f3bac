-- Requests that one customer sent to several pros at once share the id of the first. lost_at: the customer accepted the quote of
-- another of these pros.
alter table rfqs add column asked_together uuid, add column lost_at timestamptz;
