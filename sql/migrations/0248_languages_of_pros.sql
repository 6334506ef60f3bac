-- The languages that a pro works in, as the pro states them.
alter table pro_public_profiles add column languages text[] not null default '{}';
