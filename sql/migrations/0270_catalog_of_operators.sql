-- Operators edit the catalog: they retire categories, too, and say in which order people see them. Without a position the order is
-- that of the ordinals, which never change, because they are the facets of search.
alter table categories
  add column active boolean not null default true,
  add column position smallint;
alter table services add column position smallint;

-- What addresses of pages and requests called a category or service before. Each still leads to it.
create table former_slugs (
  slug text primary key check (length(slug) between 1 and 100),
  category_id uuid references categories on delete cascade,
  service_id uuid references services on delete cascade,
  replaced_at timestamptz not null,
  constraint former_slugs_of_one check ((category_id is null) <> (service_id is null))
);

-- Operators edit the catalog, which is no pro's.
alter table operator_actions alter column professional_id drop not null;
alter table operator_actions drop constraint operator_actions_action_check;
-- 0.2.0 runs with this: the constraint allows all that it writes, and four actions more.
alter table operator_actions add constraint operator_actions_action_check check (action in (
    'review.approved', 'review.rejected', 'payment.refunded', 'pro.created', 'pro.verification', 'pro.marks_withdrawn', 'refund.resent',
    'refund.returned', 'booking.disowned', 'request.disowned', 'review.disowned', 'category.added', 'category.changed', 'service.added',
    'service.changed', 'pro.plan_given', 'plan.added', 'plan.changed', 'plan.retired', 'plan.offered'))
    not valid;
alter table operator_actions validate constraint operator_actions_action_check;
