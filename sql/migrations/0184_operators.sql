create index concurrently if not exists users_operators on users (id) where role = 'operator';
