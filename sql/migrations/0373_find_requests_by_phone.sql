create index concurrently if not exists rfqs_phone on rfqs ((reverse(regexp_replace(customer_phone, '\D', '', 'g')) collate "C")) where customer_phone is not null;
