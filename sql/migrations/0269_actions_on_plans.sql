create index concurrently if not exists operator_actions_plan on operator_actions (plan_id, at desc, id desc) where plan_id is not null;
