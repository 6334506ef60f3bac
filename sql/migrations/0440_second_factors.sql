-- The second factor of a user's log-in (RFC 6238): the secret of an app on their phone, and the recovery codes that are left.
create table second_factors (
  user_id uuid primary key references users on delete cascade,
  -- Encrypted with a key of HEARTH_SECRET.
  secret_encrypted text not null,
  -- Of the step of the last code that was accepted: no code is accepted twice.
  last_step integer not null,
  -- Of those that were not used, under a key of HEARTH_SECRET.
  recovery_digests text[] not null constraint second_factors_recovery check (cardinality(recovery_digests) <= 10),
  created_at timestamptz not null
);

-- Whether operators without one do nothing else before they have set it up.
alter table marketplace_versions add column operators_need_factor boolean not null default false;

alter table user_changes drop constraint user_changes_action_check;
-- 0.2.0 runs with this: the constraint allows all that it writes.
alter table user_changes
  add constraint user_changes_action_check check (action in
    ('created', 'disabled', 'enabled', 'logged_out', 'link_made', 'password_set', 'role_given', 'email_changed', 'factor_set_up',
      'factor_removed', 'recovery_codes_made', 'recovery_code_used')) not valid;
