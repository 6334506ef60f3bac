-- What a request for a quote of a service is asked: a list of {question, required, choices}, and what its customer answered: a list
-- of {question, answer}, with each question as it was asked.
alter table services add column questions jsonb not null default '[]';
-- 0.2.0 runs with this: it writes no questions.
alter table services add constraint services_questions check (jsonb_typeof(questions) = 'array') not valid;
alter table rfqs add column answers jsonb not null default '[]';
-- 0.2.0 runs with this: it writes no answers.
alter table rfqs add constraint rfqs_answers check (jsonb_typeof(answers) = 'array') not valid;
