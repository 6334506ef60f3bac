-- Terms, privacy policy and imprint in the operator's own words, in Markdown. The last version is in force; an empty one ends the
-- text. A version never changes, so that what was in force when somebody booked can be read.
create table marketplace_texts (
  kind text not null check (kind in ('terms', 'privacy', 'imprint')),
  version integer not null check (version > 0),
  content text not null check (length(content) <= 60000),
  by_user_id uuid,
  at timestamptz not null,
  primary key (kind, version)
);
