-- accounts_test_of leaves pros out, whose accounts a key's owner also holds.
create index concurrently if not exists accounts_tests on accounts (test_of) where test_of is not null;
