-- Agents propose hours and blocks, too.
alter table proposals drop constraint proposals_kind_check;
-- 0.2.0 runs with this: the constraint allows all that it writes, and one kind more.
alter table proposals add constraint proposals_kind_check check (kind in ('quote_content', 'service_pricing', 'service_content',
  'business_profile', 'public_profile', 'business_entity', 'site_config', 'availability')) not valid;
alter table proposals validate constraint proposals_kind_check;
