-- The search slot of a pro who is not listed now. A pro who returns gets it back, so that slots grow with the pros and not
-- with what they do: their sequence has 31 bits.
create table pro_search_kept_slots (
  professional_id uuid primary key references professionals on delete cascade,
  slot integer not null
);
