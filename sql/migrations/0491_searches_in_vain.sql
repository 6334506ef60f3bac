-- What the searches of a day that found no pro asked for: names of the catalog, or words that people typed.
create table search_misses (
  day date not null,
  kind text not null check (kind in ('service', 'any', 'typed', 'other')),
  -- A service or category by its name, or words as they were typed; empty where no service was asked for or words were not kept.
  phrase text not null check (length(phrase) <= 100),
  -- A place by its name, or words as they were typed; empty where no place was asked for.
  place text not null check (length(place) <= 100),
  times bigint not null check (times > 0),
  primary key (day, kind, phrase, place),
  check (kind <> 'typed' or phrase || place !~ '[0-9@]')
);
