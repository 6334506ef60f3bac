// Mutants of customers: codes, sessions, and what they open.
import type { Mutant } from './mutant.ts'

const SIGN_IN = 'src/features/customers/verbs/sign-in.ts'
const CODES = 'src/features/customers/queries/codes.ts'
const SIGN_IN_TEST = 'test/auth/customer-sign-in.test.ts'
const TYPED_TEST = 'test/web/public/typed-details.test.ts'
const PAGES_TEST = 'test/web/my/pages.test.ts'
const COPIES = 'src/features/privacy/queries/copies.ts'
const ERASE = 'src/features/privacy/verbs/erase-customer.ts'
const HOSTILE_TEST = 'test/features/privacy/hostile-values.test.ts'
const MANY_TEST = 'test/features/privacy/many-records.test.ts'

export const CUSTOMERS: readonly Mutant[] = [
  {
    guarantee: 'A code signs in once.',
    file: SIGN_IN,
    from: '    await deleteCode(tx, browserHash)\n',
    to: '',
    killedBy: SIGN_IN_TEST,
  },
  {
    guarantee: 'A wrong code does not sign in.',
    file: SIGN_IN,
    from: 'if (!timingSafeEqual(Buffer.from(given), Buffer.from(pending.codeDigest)))',
    to: 'if (given.length !== pending.codeDigest.length)',
    killedBy: SIGN_IN_TEST,
  },
  {
    guarantee: 'Wrong codes are counted.',
    file: CODES,
    from: 'set tries_left = tries_left - 1',
    to: 'set tries_left = tries_left',
    killedBy: SIGN_IN_TEST,
  },
  {
    guarantee: 'Codes that are entered at the same time wait for each other.',
    file: CODES,
    from: '      for update`',
    to: '      `',
    killedBy: SIGN_IN_TEST,
  },
  {
    guarantee: 'An expired code does not sign in.',
    file: CODES,
    from: 'expires_at > ${now.toISOString()} and tries_left > 0\n      for update',
    to: 'tries_left > 0\n      for update',
    killedBy: SIGN_IN_TEST,
  },
  {
    guarantee: 'A new code replaces the one for another address.',
    file: CODES,
    from: 'excluded.email, excluded.code_digest,',
    to: 'excluded.email, sign_in_codes.code_digest,',
    killedBy: SIGN_IN_TEST,
  },
  {
    guarantee: 'Asking for a code needs a CSRF token.',
    file: 'src/web/my/sign-in.ts',
    from: '    refuseForgery(form, browser)\n    if (browser === undefined)',
    to: '    if (browser === undefined)',
    killedBy: SIGN_IN_TEST,
  },
  {
    guarantee: 'Codes for one address are limited.',
    file: 'src/rate-limit/quotas.ts',
    from: 'const CODES_PER_PAIR = 5',
    to: 'const CODES_PER_PAIR = 50',
    killedBy: 'test/auth/customer-addresses.test.ts',
  },
  {
    guarantee: 'Strangers who ask for codes do not lock the owner of the address out.',
    file: 'src/rate-limit/quotas.ts',
    from: 'const LATE_CODES = { perClient: 1,',
    to: 'const LATE_CODES = { perClient: 0,',
    killedBy: 'test/auth/customer-addresses.test.ts',
  },
  {
    guarantee: 'One provider’s network gets few codes beyond what an address is sent.',
    file: 'src/rate-limit/quotas.ts',
    from: 'perProvider: 4, perEmail: 100',
    to: 'perProvider: 400, perEmail: 100',
    killedBy: 'test/auth/customer-addresses.test.ts',
  },
  {
    guarantee: 'A mailbox is not buried in codes.',
    file: 'src/rate-limit/quotas.ts',
    from: 'perProvider: 4, perEmail: 100',
    to: 'perProvider: 4, perEmail: 1000',
    killedBy: 'test/auth/customer-addresses.test.ts',
  },
  {
    guarantee: 'A browser keeps its code when no newer one is sent.',
    file: 'src/features/customers/verbs/sign-in.ts',
    from: '{ keepsValid: !mayBeSent }',
    to: '{ keepsValid: false }',
    killedBy: 'test/auth/customer-addresses.test.ts',
  },
  {
    guarantee: 'A session belongs to the proven address.',
    file: 'src/auth/customers/queries.ts',
    from: 'c.account_id = s.account_id and c.email = s.email',
    to: 'c.account_id = s.account_id',
    killedBy: SIGN_IN_TEST,
  },
  {
    guarantee: 'A customer’s session ends by itself.',
    file: 'src/auth/customers/queries.ts',
    from: 'where s.token_hash = ${tokenHash} and s.expires_at > ${now.toISOString()}`',
    to: "where s.token_hash = ${tokenHash} and ${now.toISOString()} <> ''`",
    killedBy: SIGN_IN_TEST,
  },
  {
    guarantee: 'Signing in leads to no other site.',
    file: 'src/web/ui/responses.ts',
    from: "CUSTOMER_PAGE.test(next) && !next.startsWith('/my/sign-')",
    to: 'next.length > 0',
    killedBy: SIGN_IN_TEST,
  },
  {
    guarantee: 'A form of a customer needs a CSRF token.',
    file: 'src/http/customer-session.ts',
    from: '  refuseForgery(form, customer.token)\n',
    to: '',
    killedBy: 'test/web/my/access.test.ts',
  },
  {
    guarantee: 'A customer sees their own bookings only.',
    file: 'src/features/bookings/queries/bookings.ts',
    from: 'return sql`(b.customer_email = ${caller.customerEmail} and',
    to: 'return sql`(${caller.customerEmail}::text is not null and',
    killedBy: PAGES_TEST,
  },
  {
    guarantee: 'A customer changes their own bookings only.',
    file: 'src/features/bookings/queries/changes.ts',
    from: 'return sql`(b.customer_email = ${access.customerEmail} and',
    to: 'return sql`(${access.customerEmail}::text is not null and',
    killedBy: PAGES_TEST,
  },
  {
    guarantee: 'A booking that others made with an address fills in no form of its owner.',
    file: 'src/features/customers/queries/contact.ts',
    from: 'from bookings\n          where customer_email = ${customerEmail} and proven_at is not null and',
    to: 'from bookings\n          where customer_email = ${customerEmail} and',
    killedBy: TYPED_TEST,
  },
  {
    guarantee: 'A request that others made with an address fills in no form of its owner.',
    file: 'src/features/customers/queries/contact.ts',
    from: 'from rfqs\n          where customer_email = ${customerEmail} and proven_at is not null and',
    to: 'from rfqs\n          where customer_email = ${customerEmail} and',
    killedBy: TYPED_TEST,
  },
  {
    guarantee: 'To book again copies no details that others typed.',
    file: 'src/features/bookings/queries/bookings.ts',
    from: 'from bookings where id = ${id} and proven_at is not null',
    to: 'from bookings where id = ${id}',
    killedBy: TYPED_TEST,
  },
  {
    guarantee: 'A typed address is not the one that somebody else has proven.',
    file: 'src/auth/address-proof.ts',
    from: "customer?.customerEmail === email ? 'proven' : 'typed'",
    to: "customer ? 'proven' : 'typed'",
    killedBy: TYPED_TEST,
  },
  {
    guarantee: 'An erasure deletes the account and its sessions.',
    file: 'src/features/privacy/queries/erasures.ts',
    from: "    customers: await deleteRows(tx, 'customers', (sql) => sql`t.email = ${email}`),\n",
    to: '',
    killedBy: 'test/web/my/data.test.ts',
  },
  {
    guarantee: 'An erasure finds what operators noted by what it is about.',
    file: COPIES,
    from: "where: among('subject_id', [...ids.reviews, ...ids.payments])",
    to: 'where: (sql) => sql`t.professional_id in (select professional_id from reviews where id = any(${uuids(sql, ids.reviews)}))`',
    killedBy: HOSTILE_TEST,
  },
  {
    guarantee: 'An erasure leaves a pro’s messages about other customers, whatever the pro’s address is.',
    file: 'src/features/privacy/queries/customer.ts',
    from: '(t.recipient = ${email} and t.kind = any(${TO_CUSTOMERS}::text[])\n    and coalesce(t.customer_email, t.recipient) = t.recipient)',
    to: '(t.recipient = ${email})',
    killedBy: HOSTILE_TEST,
  },
  {
    guarantee: 'An erasure removes what receivers answered to events about the customer.',
    file: COPIES,
    from: 'update webhook_attempts t set response = null',
    to: 'update webhook_attempts t set response = response',
    killedBy: HOSTILE_TEST,
  },
  {
    guarantee: 'A copy holds the customer’s own data only.',
    file: 'src/features/privacy/queries/export.ts',
    from: "where w.kind in ('assessment_notes', 'job_spec', 'customer_message') and (w.booking_id",
    to: "where w.kind = 'customer_message' or (w.booking_id",
    killedBy: HOSTILE_TEST,
  },
  {
    guarantee: 'A copy is read a page at a time.',
    file: 'src/features/privacy/verbs/export-customer.ts',
    from: 'const PAGE = 50',
    to: 'const PAGE = 5000',
    killedBy: MANY_TEST,
  },
  {
    guarantee: 'A booking that comes during an erasure stays whole.',
    file: ERASE,
    from: 'const closed = locked.filter((id) => !open.has(id))',
    to: 'const closed = locked.filter((id) => !open.has(`${id}.`))',
    killedBy: MANY_TEST,
  },
  {
    guarantee: 'Copies that were stored during an erasure are erased later.',
    file: ERASE,
    from: '      if (ids.length > 0)\n        await deps.write.begin(`eraseLate_',
    to: '      if (ids.length > limit)\n        await deps.write.begin(`eraseLate_',
    killedBy: MANY_TEST,
  },
  {
    guarantee: 'A brief of a day loses the erased customer only.',
    file: 'src/features/privacy/erased-row.ts',
    from: "const isOwn = (id: unknown) => typeof id === 'string' && records.has(id)",
    to: "const isOwn = (id: unknown) => typeof id === 'string' && records.size > 0",
    killedBy: 'test/features/privacy/erased-row.test.ts',
  },
]
