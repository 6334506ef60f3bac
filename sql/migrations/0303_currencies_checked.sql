-- Reads the rows that were there before, while writers go on.
alter table professional_services validate constraint professional_services_currency_check;
alter table packages validate constraint packages_currency_check;
alter table payments validate constraint payments_currency_check;
