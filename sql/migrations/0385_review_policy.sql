-- Whether a moderator reads each review before it is published, until an operator chooses otherwise.
alter table marketplace_versions
  add column review_policy text not null default 'read_first',
  add constraint marketplace_versions_review_policy check (review_policy in ('read_first', 'verified_at_once'));
