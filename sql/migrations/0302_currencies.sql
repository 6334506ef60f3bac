alter table professional_services drop constraint professional_services_currency_check;
alter table packages drop constraint packages_currency_check;
alter table payments drop constraint payments_currency_check;
-- 0.2.0 runs with this: the constraint allows all that it writes.
alter table professional_services
  add constraint professional_services_currency_check check (currency in ('USD', 'CAD')) not valid;
-- 0.2.0 runs with this: the constraint allows all that it writes.
alter table packages add constraint packages_currency_check check (currency in ('USD', 'CAD')) not valid;
-- 0.2.0 runs with this: the constraint allows all that it writes.
alter table payments add constraint payments_currency_check check (currency in ('USD', 'CAD')) not valid;
