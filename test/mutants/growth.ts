// Mutants of what stays quick while tables and accounts grow.
import type { Mutant } from './mutant.ts'

export const GROWTH: readonly Mutant[] = [
  {
    guarantee: 'The reviews of a pro in any state are found by an index.',
    file: 'sql/migrations/0180_reviews_of_pros.sql',
    from: 'on reviews (professional_id, created_at desc, id desc)',
    to: 'on reviews (created_at desc, id desc)',
    killedBy: 'test/platform/postgres/indexes.test.ts',
    tests: 'no statement reads',
  },
  {
    guarantee: 'Removing an offer finds the bookings of its package by an index.',
    file: 'sql/migrations/0181_bookings_of_packages.sql',
    from: 'on bookings (package_id)',
    to: 'on bookings (customer_phone)',
    killedBy: 'test/platform/postgres/indexes.test.ts',
    tests: 'deletes a row',
  },
  {
    guarantee: 'The sweep of rejected reviews reads only those.',
    file: 'src/features/retention/tables.ts',
    from: "where: (sql) => sql`t.status = 'rejected'`,",
    to: 'where: (sql) => sql`t.rejected_at is not null`,',
    killedBy: 'test/platform/postgres/indexes.test.ts',
    tests: 'no statement reads',
  },
  {
    guarantee: 'A statement inside a function of the database also finds its rows by an index.',
    file: 'sql/functions/delete_test_data.sql',
    from: 'delete from payment_refunds r using payments p where p.id = r.payment_id and p.professional_id = any (pros);',
    to: 'delete from payment_refunds r where r.professional_id = any (pros);',
    killedBy: 'test/platform/postgres/indexes.test.ts',
    tests: 'no statement reads',
  },
  {
    guarantee: 'A pro’s counters of bookings follow each change of state.',
    file: 'sql/functions/booking_counts.sql',
    from: 'select professional_id, service_id, status, created_at, -1 from old_rows',
    to: 'select professional_id, service_id, status, created_at, 0 from old_rows',
    killedBy: 'test/features/bookings/many-bookings.test.ts',
    tests: 'the counters of bookings',
  },
  {
    guarantee: 'Days of the analytics begin in the time zone that the pro has now.',
    file: 'sql/functions/booking_counts.sql',
    from: '  perform rebuild_booking_counts(array[new.id]);\n',
    to: '',
    killedBy: 'test/features/bookings/many-bookings.test.ts',
    tests: 'the counters of bookings',
  },
  {
    guarantee: 'The public profile of a pro with years of bookings does not count them.',
    file: 'sql/queries/public-profile.sql',
    from: "select c.bookings from pro_booking_counts c where c.professional_id = p.id and c.status = 'completed'",
    to: "select count(*) from bookings c where c.professional_id = p.id and c.status || '' = 'completed'",
    killedBy: 'test/features/bookings/many-bookings.test.ts',
    tests: 'public profile',
  },
  {
    guarantee: 'Totals of lists are kept, not counted.',
    file: 'src/features/bookings/queries/pro-lists.ts',
    from: '        date === null\n          ? sql`count_bookings',
    to: '        date !== null\n          ? sql`count_bookings',
    killedBy: 'test/features/bookings/many-bookings.test.ts',
    tests: 'for GET /pro/bookings',
  },
]
