alter table accounts drop constraint accounts_kind_check;
-- 0.2.0 runs with this: the constraint allows all that it writes, and one kind more.
alter table accounts add constraint accounts_kind_check check (kind in ('developer', 'pro', 'client', 'customer', 'operator')) not valid;
alter table accounts validate constraint accounts_kind_check;
