-- Whether visitors see the marketplace, or that it opens soon. One that has pros without ever having been named is open already.
alter table marketplace_versions add column is_open boolean not null default true;

insert into marketplace_versions (version, name, at)
select 1, 'Hearth', now()
where exists (select from professionals) and not exists (select from marketplace_versions);
