-- Reads the rows that were there before, while writers go on.
alter table states validate constraint states_country;
alter table properties validate constraint properties_zip_code_check;
