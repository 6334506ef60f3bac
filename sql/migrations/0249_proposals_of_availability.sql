-- Agents propose hours and blocks, too.
alter table proposals drop constraint proposals_kind_check;
alter table proposals add constraint proposals_kind_check check (kind in ('quote_content', 'service_pricing', 'service_content',
  'business_profile', 'public_profile', 'business_entity', 'site_config', 'availability'));
