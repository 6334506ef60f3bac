// The statements whose tables and columns are chosen when they run, as the program makes them for each table.
import {
  lockRowToDisown,
  markDisowned,
  selectForeignMakers,
} from '../../../src/features/customers/customers/queries/makers.ts'
import { deleteAged, measureOverdue } from '../../../src/features/upkeep/retention/queries.ts'
import { type Aging, RETENTION } from '../../../src/features/upkeep/retention/tables.ts'
import { copiesOf, deleteAbout } from '../../../src/features/customers/privacy/queries/copies.ts'
import { lockRecords, selectRecords } from '../../../src/features/customers/privacy/queries/customer.ts'
import { deleteAccount, deleteMessages } from '../../../src/features/customers/privacy/queries/erasures.ts'
import { lockRows, updateRows } from '../../../src/features/customers/privacy/queries/rows.ts'
import type { Runner, Sql } from '../../../src/platform/postgres/database.ts'
import type { Statement } from './program-statements.ts'
import { ctxOn } from '../ctx-on.ts'

const ID = '00000000-0000-4000-8000-000000000000'
const AT = new Date('2026-06-01T12:00:00Z')
const EMAIL = 'customer@example.com'
const IDS = { rfqs: [ID], quotes: [ID], jobs: [ID], bookings: [ID], reviews: [ID], payments: [ID] }

/** The names under which `readProgramStatements` finds them. */
export const DYNAMIC = [
  'src/features/business/closing/queries.ts changeRowsOfLeaver_…',
  'src/features/business/closing/queries.ts copyRowsOfLeaver_…',
  'src/features/business/closing/queries.ts deleteRowsOfLeaver_…',
  'src/features/customers/customers/queries/makers.ts lockRowToDisown',
  'src/features/customers/customers/queries/makers.ts markDisowned',
  'src/features/customers/customers/queries/makers.ts selectForeignMakers',
  'src/features/customers/privacy/queries/customer.ts lock_…_of_customer',
  'src/features/customers/privacy/queries/customer.ts select_…_of_customer',
  'src/features/customers/privacy/queries/rows.ts deleteRowsOf_…',
  'src/features/customers/privacy/queries/rows.ts lockRowsOf_…',
  'src/features/customers/privacy/queries/rows.ts updateRowsOf_…',
  'src/features/upkeep/retention/queries.ts deleteAged',
  'src/features/upkeep/retention/queries.ts measureOverdue',
]

/** Lets the program make each of them, and PostgreSQL parse it; none runs. */
export async function readDynamicStatements(sql: Sql): Promise<Statement[]> {
  const statements: Statement[] = []
  const db: Runner = {
    freshness: 'fresh',
    run: async (name, statement) => {
      const { string: text } = await statement(sql).describe()
      statements.push({ name, text })
      return []
    },
    prepared: () => Promise.reject(new Error('Statement files are read from their folder.')),
  }
  for (const [table, rule] of agingTables()) {
    await deleteAged(ctxOn(db), { table, rule, before: AT, limit: 1 })
    await measureOverdue(ctxOn(db), { table, rule, before: AT, passed: AT })
  }
  for (const source of copiesOf(IDS)) {
    const [column] = await sql<{ name: string }[]>`
      select column_name as name from information_schema.columns
      where table_schema = 'public' and table_name = ${source.table} and data_type in ('text', 'json', 'jsonb') limit 1`
    await lockRows(ctxOn(db), { ...source, after: undefined, limit: 1 })
    const after = Object.fromEntries(source.key.map((name) => [name, name.endsWith('id') ? ID : 1]))
    await lockRows(ctxOn(db), { ...source, after, limit: 1 })
    await updateRows(ctxOn(db), { ...source, columns: [column?.name ?? ''], rows: [] })
  }
  for (const root of ['rfqs', 'bookings', 'reviews'] as const) {
    await lockRecords(ctxOn(db), { email: EMAIL, after: ID, limit: 1, root })
    await selectRecords(ctxOn(db), { email: EMAIL, after: ID, limit: 1, root })
  }
  for (const kind of ['booking', 'request', 'review'] as const) {
    await selectForeignMakers(ctxOn(db), { kind, ids: [ID], siteEmail: EMAIL })
    await lockRowToDisown(ctxOn(db), { kind, id: ID, customerEmail: EMAIL })
    await markDisowned(ctxOn(db), { kind, id: ID, professionalId: ID, now: AT })
  }
  await deleteAbout(ctxOn(db), IDS)
  await deleteMessages(ctxOn(db), { email: EMAIL, limit: 1 })
  await deleteAccount(ctxOn(db), { email: EMAIL })
  return statements
}

const agingTables = () => Object.entries(RETENTION).filter((entry): entry is [string, Aging] => 'since' in entry[1])
