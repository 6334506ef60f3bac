-- Reads the rows that were there before, while writers go on.
alter table users validate constraint users_pro_role;
alter table users validate constraint users_worker;
alter table users validate constraint users_member;
