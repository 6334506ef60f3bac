-- What people call a service or a category besides its name, such as "maid" for house cleaning. Operators may add to them;
-- the triggers of both tables tell the servers.
alter table categories add column synonyms text[] not null default '{}';
alter table services add column synonyms text[] not null default '{}';
