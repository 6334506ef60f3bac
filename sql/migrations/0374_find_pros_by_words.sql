create index concurrently if not exists professionals_words on professionals using gin (to_tsvector('simple'::regconfig, business_name));
