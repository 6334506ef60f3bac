alter table services validate constraint services_questions;
alter table rfqs validate constraint rfqs_answers;
