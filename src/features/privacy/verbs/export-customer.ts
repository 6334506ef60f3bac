// A customer's copy of everything that belongs to them, as the text of a JSON file, a page at a time.
import type { Deps } from '../../../deps.ts'
import { type RecordIds, type Root, findRecordIds } from '../queries/copies.ts'
import { findAccountKind, selectRecords } from '../queries/customer.ts'
import {
  findCustomerAccount,
  findRefusals,
  selectBookings,
  selectEvents,
  selectJobs,
  selectMessages,
  selectPayments,
  selectPreparedWork,
  selectRequests,
  selectReviews,
} from '../queries/export.ts'
import type { CustomerExport, ListOfExport } from '../schemas.ts'

/** Records that are read at a time. */
const PAGE = 50
const FIRST = '00000000-0000-0000-0000-000000000000'

const ELSEWHERE =
  'Pros and their agents may have written about you where it belongs to no record of yours: in conversations, notes about ' +
  'their own time, and messages outside of this site. Such texts are the pro’s and may name other people. Ask the pro for them. ' +
  'What you said was not you is left out: somebody else made it, and it may hold the data of others.'

/**
 * Everything that belongs to the customer with this normal e-mail address as the text of a {@link CustomerExport}; empty
 * lists for an unknown one. Each part is one page: the whole is never in memory.
 */
export async function* exportCustomer(deps: Deps, email: string): AsyncGenerator<string, void, undefined> {
  const { write: db, clock } = deps
  const head: Partial<CustomerExport> = {
    format: 'hearth-customer-export',
    version: 3,
    exportedAt: clock.now().toISOString(),
    email,
    account: await findCustomerAccount(db, email),
    ...(await findRefusals(db, email)),
  }
  yield JSON.stringify(head, null, 2).slice(0, -2)
  for (const list of Object.keys(LISTS) as ListOfExport[]) {
    yield `,\n  "${list}": [`
    let isFirst = true
    for await (const page of LISTS[list](deps, email)) {
      if (page.length === 0) continue
      yield `${isFirst ? '' : ','}\n    ${page.map((record) => JSON.stringify(record)).join(',\n    ')}`
      isFirst = false
    }
    yield isFirst ? ']' : '\n  ]'
  }
  yield `,\n  "elsewhere": ${JSON.stringify(ELSEWHERE)}\n}\n`
}

type Pages = AsyncGenerator<unknown[], void, undefined>
type Page = Promise<{ shown: unknown }[]>

/** The pages of a list: what belongs to each page of the customer's requests, bookings or reviews. */
const pagesOf = (roots: readonly Root[], select: (deps: Deps, ids: RecordIds) => Page) =>
  async function* pages(deps: Deps, email: string): Pages {
    for (const root of roots)
      for await (const ids of recordPages(deps, root, email)) yield shownIn(await select(deps, ids))
  }

async function* recordPages({ write: db }: Deps, root: Root, email: string): AsyncGenerator<RecordIds> {
  let after = FIRST
  for (;;) {
    const ids = await selectRecords(db, root, { email, after, limit: PAGE, ownOnly: true })
    if (ids.length > 0) yield await findRecordIds(db, root, ids)
    if (ids.length < PAGE) return
    after = ids.at(-1) ?? after
  }
}

const shownIn = (rows: readonly { shown: unknown }[]): unknown[] => rows.map(({ shown }) => shown)

const LISTS: Readonly<Record<ListOfExport, (deps: Deps, email: string) => Pages>> = {
  bookings: pagesOf(['bookings'], ({ write, clock }, ids) => selectBookings(write, ids, clock.now())),
  quoteRequests: pagesOf(['rfqs'], ({ write, clock }, ids) => selectRequests(write, ids, clock.now())),
  jobs: pagesOf(['rfqs'], ({ write }, ids) => selectJobs(write, ids)),
  reviews: pagesOf(['reviews'], ({ write }, ids) => selectReviews(write, ids)),
  payments: pagesOf(['bookings', 'rfqs'], ({ write }, ids) => selectPayments(write, ids)),
  preparedWork: pagesOf(['bookings', 'rfqs'], ({ write }, ids) => selectPreparedWork(write, ids)),
  messages: async function* messages({ write: db }, email) {
    for (let after = 0; ;) {
      const rows = await selectMessages(db, email, { after, limit: PAGE })
      yield shownIn(rows)
      if (rows.length < PAGE) return
      after = rows.at(-1)?.id ?? after
    }
  },
  events: async function* events(deps, email) {
    for (const root of ['bookings', 'rfqs', 'reviews'] as const)
      for await (const ids of recordPages(deps, root, email)) yield* eventPages(deps, ids)
  },
}

async function* eventPages({ write: db }: Deps, ids: RecordIds): Pages {
  for (let after = FIRST; ;) {
    const rows = await selectEvents(db, ids, { after, limit: PAGE })
    yield shownIn(rows)
    if (rows.length < PAGE) return
    after = rows.at(-1)?.id ?? after
  }
}

/** The kind of an account or login with this address. Such an account is no customer's: neither verb covers it. */
export const findAccountOf = ({ read }: Deps, email: string): Promise<string | undefined> =>
  findAccountKind(read, email)
