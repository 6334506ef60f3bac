-- Words of people that the names of the catalog do not have. These rows extend the built-in vocabulary of the server; a row
-- replaces the built-in phrase of the same words. docs/design/words.md explains the kinds.
create table search_words (
  phrase text primary key check (length(phrase) between 1 and 200),
  kind text not null check (kind in ('service', 'same', 'ignored', 'elsewhere', 'place')),
  means text check (length(means) between 1 and 200),
  constraint search_words_means check ((kind in ('service', 'same', 'place')) = (means is not null))
);
