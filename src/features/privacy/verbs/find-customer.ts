// What is stored about a customer: the ids, the rows by table, and what identifies the customer in texts of others.
import type { Runner, Transaction } from '../../../platform/postgres/database.ts'
import { type CustomerIds, findCustomerIds, findSharedNames, lockCustomer } from '../queries/customer.ts'
import { type Condition, selectRows, uuids } from '../queries/rows.ts'
import { type PersonalValues, type Redactor, openRedactor, valuesIn } from '../redaction.ts'

/** Rows of a table, by the columns that identify a row. */
export interface RowSource {
  readonly table: string
  readonly key: readonly string[]
  readonly where: Condition
}

export interface FoundCustomer {
  readonly ids: CustomerIds
  /** The customer's own rows, and the events about them. */
  readonly sources: readonly RowSource[]
  readonly redactor: Redactor
}

const isKnown = ({ bookings, rfqs, reviews, customers, pros }: CustomerIds) =>
  [bookings, rfqs, reviews, customers, pros].some((list) => list.length > 0)

/** The customer with all rows locked, or undefined. `pseudonym` replaces the e-mail address in texts. */
export async function findCustomerForUpdate(
  tx: Transaction,
  email: string,
  pseudonym: string,
): Promise<FoundCustomer | undefined> {
  await lockCustomer(tx, email)
  const found = await findCustomer(tx, email, pseudonym)
  return isKnown(found.ids) ? found : undefined
}

/** The customer, without locks. */
export async function findCustomer(db: Runner, email: string, pseudonym = ''): Promise<FoundCustomer> {
  const ids = await findCustomerIds(db, email)
  const sources = ownRows(ids)
  const rows = []
  for (const { table, where } of sources) rows.push({ table, rows: await selectRows(db, table, where) })
  const values = rows.map((of) => valuesIn(of.table, of.rows))
  const all = (kind: keyof (typeof values)[number]) => [...new Set(values.flatMap((of) => of[kind]))]
  const codes = rows.flatMap((of) =>
    of.rows.flatMap(({ confirmation_code: code }) => (typeof code === 'string' ? code : [])),
  )
  const known: PersonalValues = {
    email,
    names: all('names'),
    phones: all('phones'),
    streets: all('streets'),
    texts: all('texts'),
    references: [...recordIds(ids), ...codes],
  }
  const sharedNames = await findSharedNames(db, { email, names: known.names, pros: ids.pros })
  return { ids, sources, redactor: openRedactor(known, { pseudonym, sharedNames }) }
}

export const recordIds = ({ bookings, rfqs, quotes, jobs, reviews }: CustomerIds): string[] => [
  ...bookings,
  ...rfqs,
  ...quotes,
  ...jobs,
  ...reviews,
]

/** The customer's records, and the events about them with what receivers answered. */
function ownRows(ids: CustomerIds): RowSource[] {
  const among =
    (column: string, list: readonly string[]): Condition =>
    (sql) =>
      sql`t.${sql(column)} = any(${uuids(sql, list)})`
  const about = among('aggregate_id', recordIds(ids))
  return [
    { table: 'bookings', key: ['id'], where: among('id', ids.bookings) },
    { table: 'rfqs', key: ['id'], where: among('id', ids.rfqs) },
    { table: 'quotes', key: ['id'], where: among('id', ids.quotes) },
    { table: 'jobs', key: ['id'], where: among('id', ids.jobs) },
    { table: 'reviews', key: ['id'], where: among('id', ids.reviews) },
    { table: 'outbox_events', key: ['position'], where: about },
    { table: 'webhook_events', key: ['id'], where: about },
    { table: 'webhook_attempts', key: ['delivery_id', 'number'], where: responsesTo(recordIds(ids)) },
  ]
}

/** Responses of receivers to events about these aggregates. */
const responsesTo =
  (aggregates: readonly string[]): Condition =>
  (sql) =>
    sql`
    t.response is not null and t.delivery_id in (
      select d.id from webhook_events v join webhook_deliveries d on d.event_id = v.id
      where v.aggregate_id = any(${uuids(sql, aggregates)}))`

/** Texts of the pros and their agents, events about the pros, and stored responses, if they may name the customer. */
export function otherRows({ pros, accounts }: CustomerIds, { searched }: Redactor): RowSource[] {
  const naming =
    (where: Condition): Condition =>
    (sql) =>
      sql`${where(sql)} and to_jsonb(t)::text ~* ${searched}`
  const ofPros = naming((sql) => sql`t.professional_id = any(${uuids(sql, pros)})`)
  const aboutPros = naming((sql) => sql`t.aggregate_id = any(${uuids(sql, pros)})`)
  return [
    { table: 'threads', key: ['professional_id', 'id'], where: ofPros },
    { table: 'thread_messages', key: ['professional_id', 'thread_id', 'position'], where: ofPros },
    { table: 'agent_runs', key: ['professional_id', 'id'], where: ofPros },
    { table: 'agent_steps', key: ['professional_id', 'run_id', 'number'], where: ofPros },
    { table: 'availability_blocks', key: ['id'], where: ofPros },
    { table: 'proposals', key: ['id'], where: ofPros },
    { table: 'prepared_work', key: ['id'], where: ofPros },
    { table: 'operator_actions', key: ['id'], where: ofPros },
    { table: 'payment_refunds', key: ['id'], where: ofPros },
    { table: 'outbox_events', key: ['position'], where: aboutPros },
    { table: 'webhook_events', key: ['id'], where: aboutPros },
    { table: 'webhook_attempts', key: ['delivery_id', 'number'], where: naming(responsesTo(pros)) },
    {
      table: 'idempotency_records',
      key: ['account_id', 'operation', 'key'],
      where: naming((sql) => sql`t.account_id = any(${uuids(sql, accounts)})`),
    },
  ]
}
