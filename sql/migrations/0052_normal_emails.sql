-- E-mail addresses are stored with ASCII letters in lower case and all others as they are (src/platform/schema/email.ts). The
-- collation "C" does the same here; lower() without it depends on the database's locale.
--
-- No two rows collide: the unique keys so far fold every letter that this rule folds, and more. Where the locale folds ASCII
-- otherwise (Turkish `I`), the index at the end names the two rows and the migration changes nothing.
alter table accounts drop constraint accounts_email_check,
  add constraint accounts_email_check check (email = lower(email collate "C") and length(email) between 3 and 320);
alter table users drop constraint users_email_check,
  add constraint users_email_check check (email = lower(email collate "C") and length(email) between 3 and 320);
alter table customer_blocks drop constraint customer_blocks_email_check,
  add constraint customer_blocks_email_check check (email = lower(email collate "C") and length(email) between 3 and 320);

update bookings set customer_email = lower(customer_email collate "C") where customer_email <> lower(customer_email collate "C");
update rfqs set customer_email = lower(customer_email collate "C") where customer_email <> lower(customer_email collate "C");
drop index reviews_one_each;
update reviews set customer_email = lower(customer_email collate "C") where customer_email <> lower(customer_email collate "C");
drop index members_email_key;
update members set email = lower(email collate "C") where email <> lower(email collate "C");

alter table bookings drop constraint bookings_customer_email_check,
  add constraint bookings_customer_email_check
    check (customer_email = lower(customer_email collate "C") and length(customer_email) between 3 and 320);
alter table rfqs drop constraint rfqs_customer_email_check,
  add constraint rfqs_customer_email_check
    check (customer_email = lower(customer_email collate "C") and length(customer_email) between 3 and 320);
alter table reviews drop constraint reviews_customer_email_check,
  add constraint reviews_customer_email_check
    check (customer_email = lower(customer_email collate "C") and length(customer_email) between 3 and 320);
alter table members drop constraint members_email_check,
  add constraint members_email_check check (email = lower(email collate "C") and length(email) between 3 and 320);

create unique index reviews_one_each on reviews (professional_id, customer_email, booking_id, job_id)
  nulls not distinct where status <> 'rejected';
create unique index members_email_key on members (professional_id, email) where active;
drop index rfqs_account;
create index rfqs_account on rfqs (account_id, customer_email, created_at desc, id desc) where account_id is not null;
