-- quotes_state finds the same rows.
drop index concurrently if exists quotes_accepted;
