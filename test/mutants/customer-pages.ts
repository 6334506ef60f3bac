// Mutants of the pages of customers for operators.
import type { Mutant } from './mutant.ts'

const file = 'src/features/customers/operator-customers/queries.sql'
const PAGE_TEST = 'test/features/customers/operator-customers/customer-page.test.ts'

export const CUSTOMER_PAGES: readonly Mutant[] = [
  {
    guarantee: 'Operators read no name of a stranger who used the address of a customer.',
    file,
    from: 'select name from records where disowned_at is null order',
    to: 'select name from records order',
    killedBy: PAGE_TEST,
    tests: 'nothing of strangers',
  },
  {
    guarantee: 'Operators read no phone number of a stranger who used the address of a customer.',
    file,
    from: 'select phone from records where disowned_at is null and phone',
    to: 'select phone from records where phone',
    killedBy: PAGE_TEST,
    tests: 'nothing of strangers',
  },
  {
    guarantee: 'A booking of test mode leads to no customer.',
    file,
    from: 'select customer_email from bookings where id = :id and not is_test_pro(professional_id)',
    to: 'select customer_email from bookings where id = :id',
    killedBy: PAGE_TEST,
    tests: 'nothing of strangers',
  },
]
