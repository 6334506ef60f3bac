-- Pros report published reviews to the operators. The row of the review is locked by those who report and decide.
create table review_reports (
  id uuid primary key,
  review_id uuid not null references reviews (id) on delete cascade,
  professional_id uuid not null references professionals (id) on delete cascade,
  -- Two reports in all: one may follow after the first was answered.
  number smallint not null check (number between 1 and 2),
  reason text not null check (reason in ('not_a_customer', 'another_business', 'insulting_or_private', 'untrue')),
  words text not null check (length(words) between 1 and 2000),
  created_at timestamptz not null,
  decided_at timestamptz,
  outcome text check (outcome in ('kept', 'taken_down')),
  answer text check (length(answer) between 1 and 5000),
  -- Null for the author of the review, who disowned it, and for the command line.
  decided_by uuid references users (id) on delete set null,
  unique (review_id, number),
  constraint review_reports_decided check (
    (decided_at is null) = (outcome is null) and (decided_at is null) = (answer is null)
    and (decided_by is null or decided_at is not null))
);
create unique index review_reports_open on review_reports (review_id) where decided_at is null;
create index review_reports_professional on review_reports (professional_id);
create index review_reports_decided_by on review_reports (decided_by) where decided_by is not null;
