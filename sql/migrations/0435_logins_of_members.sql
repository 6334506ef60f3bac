-- What a person who logs in for a pro's business may do (src/auth/users/rules/pro-roles.ts), and the member of the team who it is. It says
-- nothing of other users. Null: the log-in has ended. 0.2.0 runs with this: it writes neither, so the users that it makes are owners.
alter table users
  add column pro_role text default 'owner',
  add column member_id uuid;
-- 0.2.0 runs with this: each row has the defaults.
alter table users
  add constraint users_pro_role check (pro_role in ('owner', 'dispatcher', 'worker')) not valid,
  -- A worker sees the visits of this member, so there is one.
  add constraint users_worker check (pro_role <> 'worker' or member_id is not null) not valid,
  add constraint users_member foreign key (member_id) references members not valid;
