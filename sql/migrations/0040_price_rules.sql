-- Which prices count in the statistics: price_points() and refresh_price_groups() say the rules.

-- What a quote's lines of the service's unit amount to, in cents; null: the whole amount. Materials are other lines.
alter table quotes add column units_cents integer,
  add constraint quotes_units_cents check (units_cents is null or (units_cents > 0 and units is not null));
drop trigger price_updated on quotes;
create trigger price_updated after update of status, amount_cents, units, units_cents on quotes for each row
  when ((old.status = 'accepted' or new.status = 'accepted')
    and (old.status, old.amount_cents, old.units, old.units_cents)
      is distinct from (new.status, new.amount_cents, new.units, new.units_cents))
  execute function note_quote_price();

-- The lists hold every candidate: arrays of one length, by pro and rank. Which of them count depends on the others and is
-- decided when the statistics are made.
alter table price_lists drop constraint price_lists_length;
delete from price_lists;
alter table price_lists
  drop column sum_cents, drop column professional_listings, drop column accepted_quotes, drop column completed_projects,
  add column ranks smallint[] not null,
  add column pros integer not null,
  add constraint price_lists_length check (
    pros between 1 and cardinality(cents)
    and (cardinality(professional_ids), cardinality(sources), cardinality(ranks))
      = (cardinality(cents), cardinality(cents), cardinality(cents)));
-- From 3 prices on a place has statistics.
delete from pricing_aggregates where professional_listings + accepted_quotes + completed_projects < 3;
-- Fills the lists with the next refresh.
insert into pricing_changes (service_id) select id from services;
