-- Pros who ask to be verified: one row per pro, until the pro is verified.
create table verification_requests (
  professional_id uuid primary key references professionals on delete cascade,
  license_number text check (length(license_number) between 1 and 100),
  license_state text check (license_state ~ '^[A-Z]{2}$'),
  note text check (length(note) between 1 and 5000),
  asked_at timestamptz not null,
  -- Why an operator refused it. Both are null while it waits.
  refusal text check (length(refusal) between 1 and 5000),
  refused_at timestamptz,
  constraint verification_requests_license check ((license_number is null) = (license_state is null)),
  constraint verification_requests_refusal check ((refusal is null) = (refused_at is null))
);
create index verification_requests_open on verification_requests (asked_at) where refused_at is null;
