-- 0.2.0 runs with this: it writes no member, so it makes nothing that is equal. A member has one log-in.
create unique index concurrently if not exists users_member on users (member_id) where member_id is not null;
