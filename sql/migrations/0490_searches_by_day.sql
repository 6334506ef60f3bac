-- How often pros were searched for on each day in UTC, and how often none was found.
create table search_days (
  day date not null,
  way text not null check (way in ('pages', 'api', 'agents')),
  searches bigint not null check (searches >= 0),
  misses bigint not null check (misses between 0 and searches),
  primary key (day, way)
);
