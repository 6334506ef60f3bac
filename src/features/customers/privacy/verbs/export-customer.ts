// A customer's copy of everything that belongs to them, as the text of a JSON file, a page at a time.
import type { Ctx } from '../../../../ctx.ts'
import { presentFile } from '../../../files/files/verbs/addresses.ts'
import { type RecordIds, type Root, findRecordIds } from '../queries/copies.ts'
import { findAccountKind, selectRecords } from '../queries/customer.ts'
import {
  findCustomerAccount,
  findRefusals,
  selectApplications,
  selectBookings,
  selectEvents,
  selectFiles,
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
  'What you said was not you is left out: another person made it, and it may hold the data of others.'

/**
 * Everything that belongs to the customer with this normal e-mail address as the text of a {@link CustomerExport}; empty
 * lists for an unknown one. Each part is one page: the whole is never in memory.
 */
export async function* exportCustomer(ctx: Ctx, { email }: { email: string }): AsyncGenerator<string, void, undefined> {
  const { clock } = ctx
  const head: Partial<CustomerExport> = {
    format: 'hearth-customer-export',
    version: 5,
    exportedAt: clock.now().toISOString(),
    email,
    account: await findCustomerAccount(ctx, { email }),
    ...(await findRefusals(ctx, { email })),
  }
  yield JSON.stringify(head, null, 2).slice(0, -2)
  for (const list of Object.keys(LISTS) as ListOfExport[]) {
    yield `,\n  "${list}": [`
    let isFirst = true
    for await (const page of LISTS[list](ctx, email)) {
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
const pagesOf = (roots: readonly Root[], select: (ctx: Ctx, ids: RecordIds) => Page) =>
  async function* pages(ctx: Ctx, email: string): Pages {
    for (const root of roots)
      for await (const ids of recordPages(ctx, root, email)) yield shownIn(await select(ctx, ids))
  }

async function* recordPages(ctx: Ctx, root: Root, email: string): AsyncGenerator<RecordIds> {
  let after = FIRST
  for (;;) {
    const ids = await selectRecords(ctx, { email, after, limit: PAGE, ownOnly: true, root })
    if (ids.length > 0) yield await findRecordIds(ctx, { root, ids })
    if (ids.length < PAGE) return
    after = ids.at(-1) ?? after
  }
}

const shownIn = (rows: readonly { shown: unknown }[]): unknown[] => rows.map(({ shown }) => shown)

const LISTS: Readonly<Record<ListOfExport, (ctx: Ctx, email: string) => Pages>> = {
  bookings: pagesOf(['bookings'], (ctx, ids) => selectBookings(ctx, { ...ids, now: ctx.clock.now() })),
  quoteRequests: pagesOf(['rfqs'], (ctx, ids) => selectRequests(ctx, { ...ids, now: ctx.clock.now() })),
  jobs: pagesOf(['rfqs'], (ctx, ids) => selectJobs(ctx, ids)),
  reviews: pagesOf(['reviews'], (ctx, ids) => selectReviews(ctx, ids)),
  applications: async function* applications(ctx, email) {
    yield shownIn(await selectApplications(ctx, { email }))
  },
  files: pagesOf(['rfqs', 'reviews'], async (ctx, ids) =>
    (await selectFiles(ctx, ids)).map(({ file }) => ({ shown: presentFile(ctx, file) })),
  ),
  payments: pagesOf(['bookings', 'rfqs'], (ctx, ids) => selectPayments(ctx, ids)),
  preparedWork: pagesOf(['bookings', 'rfqs'], (ctx, ids) => selectPreparedWork(ctx, ids)),
  messages: async function* messages(ctx, email) {
    for (let after = 0; ;) {
      const rows = await selectMessages(ctx, { after, limit: PAGE, email })
      yield shownIn(rows)
      if (rows.length < PAGE) return
      after = rows.at(-1)?.id ?? after
    }
  },
  events: async function* events(ctx, email) {
    for (const root of ['bookings', 'rfqs', 'reviews'] as const)
      for await (const ids of recordPages(ctx, root, email)) yield* eventPages(ctx, ids)
  },
}

async function* eventPages(ctx: Ctx, ids: RecordIds): Pages {
  for (let after = FIRST; ;) {
    const rows = await selectEvents(ctx, { after, limit: PAGE, ids })
    yield shownIn(rows)
    if (rows.length < PAGE) return
    after = rows.at(-1)?.id ?? after
  }
}

/** The kind of an account or login with this address. Such an account is no customer's: neither verb covers it. */
export const findAccountOf = (ctx: Ctx, { email }: { email: string }): Promise<string | undefined> =>
  findAccountKind(ctx, { email })
