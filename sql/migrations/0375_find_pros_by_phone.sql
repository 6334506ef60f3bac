create index concurrently if not exists professionals_phone on professionals ((reverse(regexp_replace(phone, '\D', '', 'g')) collate "C")) where phone is not null;
