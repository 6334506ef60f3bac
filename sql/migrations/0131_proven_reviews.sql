-- Since when a review is known to come from the owner of its e-mail address. 0.1.0 leaves it empty.
alter table reviews add column if not exists proven_at timestamptz;

-- What was verified stays so.
update reviews set proven_at = created_at where verified;
