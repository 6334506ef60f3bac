// Erases a customer: what says who the customer was goes; money, times, ratings and statistics stay.
import { announceKeyChange } from '../../../auth/keys/verbs/keys.ts'
import type { Deps } from '../../../deps.ts'
import type { Transaction } from '../../../platform/postgres/database.ts'
import { closeRequest } from '../../quotes/verbs/close-request.ts'
import { erasedColumns } from '../columns.ts'
import { type CustomerIds, findErasure, findOpenWork, insertErasure, selectOpenRequests } from '../queries/customer.ts'
import { type Condition, deleteRows, lockRows, updateRows, uuids } from '../queries/rows.ts'
import { type Redactor, type Row, eraseRow } from '../redaction.ts'
import type { ErasureResult, OpenWork } from '../schemas.ts'
import { type FoundCustomer, type RowSource, findCustomerForUpdate, otherRows } from './find-customer.ts'

type Counts = Record<string, number>

/** A domain that cannot exist (RFC 2606). */
const PSEUDONYM_DOMAIN = 'erased.invalid'
const BATCH = 500

/** The keyed digest under which an erasure is recorded. */
export const digestOfErased = ({ encryption }: Pick<Deps, 'encryption'>, email: string): string =>
  encryption.digest('erased customer', email)

/**
 * Erases everything that identifies the customer with this normal e-mail address, in one transaction: all of it, or
 * nothing. All records get one pseudonym, so that a repeated customer still counts as one. Changes nothing while work is open
 * that needs the customer's data. Open requests are archived and their quotes declined. `requestedBy` says who asked, for
 * the record; it must not name the customer.
 */
export async function eraseCustomer(
  deps: Deps,
  { email, requestedBy }: { email: string; requestedBy: string },
): Promise<ErasureResult> {
  const pseudonym = `erased-${deps.ids.uuid()}@${PSEUDONYM_DOMAIN}`
  const { result, customer } = await deps.write.begin('eraseCustomer', async (tx) => {
    const found = await findCustomerForUpdate(tx, email, pseudonym)
    if (!found) return { result: await unknown(deps, tx, email) }
    const open = await findOpenWork(tx, found.ids, { searched: found.redactor.searched, now: deps.clock.now() })
    if (isOpen(open)) return { result: { outcome: 'open_work', open } satisfies ErasureResult }
    for (const rfq of await selectOpenRequests(tx, found.ids)) await closeRequest(deps, tx, rfq)
    const counts = await eraseRows(tx, email, pseudonym, found)
    // Connected apps lose their access.
    await announceKeyChange(tx)
    const emailDigest = digestOfErased(deps, email)
    await insertErasure(tx, { id: deps.ids.uuid(), pseudonym, emailDigest, requestedBy, counts, now: deps.clock.now() })
    return { result: { outcome: 'erased', pseudonym, counts } satisfies ErasureResult, customer: found }
  })
  if (result.outcome !== 'erased' || !customer) return result
  // An agent may have written what it read just before the commit.
  await deps.write.begin('eraseLateMentions', (tx) => eraseMentions(tx, pseudonym, customer))
  deps.log.info({ pseudonym, requestedBy, ...result.counts }, 'erased a customer')
  return result
}

async function unknown(deps: Deps, tx: Transaction, email: string): Promise<ErasureResult> {
  return { outcome: 'unknown', erasedBefore: await findErasure(tx, digestOfErased(deps, email)) }
}

const isOpen = (open: OpenWork): boolean => Object.values(open).some((list: string[]) => list.length > 0)

async function eraseRows(tx: Transaction, email: string, pseudonym: string, found: FoundCustomer): Promise<Counts> {
  const deleted = await deleteAbout(tx, email, found)
  const counts: Counts = { ...deleted }
  for (const source of found.sources) {
    const rows = await lockRows(tx, source.table, source.where)
    counts[source.table] = await replaceRows(tx, source, rows, { pseudonym, isOwn: true, redactor: found.redactor })
  }
  for (const [table, count] of Object.entries(await eraseMentions(tx, pseudonym, found)))
    counts[table] = (counts[table] ?? 0) + count
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))
}

/** Deletes what is of no use without the customer. */
async function deleteAbout(tx: Transaction, email: string, { ids, redactor }: FoundCustomer): Promise<Counts> {
  const about =
    (column: string, list: readonly string[]): Condition =>
    (sql) =>
      sql`t.${sql(column)} = any(${uuids(sql, list)})`
  return {
    customer_blocks: await deleteRows(tx, 'customer_blocks', (sql) => sql`t.email = ${email}`),
    // To the customer, and to pros about the customer. Those in the mailbox go with them.
    messages: await deleteRows(tx, 'messages', (sql) => sql`t.customer_email = ${email} or t.recipient = ${email}`),
    message_suppressions: await deleteRows(tx, 'message_suppressions', (sql) => sql`t.email = ${email}`),
    // With their tokens.
    oauth_grants: await deleteRows(
      tx,
      'oauth_grants',
      (sql) => sql`t.key_id in (select k.id from api_keys k where k.account_id = any(${uuids(sql, ids.customers)}))`,
    ),
    oauth_requests: await deleteRows(tx, 'oauth_requests', about('account_id', ids.customers)),
    // With their sessions. The account stays, and does not name the customer.
    customers: await deleteRows(tx, 'customers', (sql) => sql`t.email = ${email}`),
    sign_in_codes: await deleteRows(tx, 'sign_in_codes', (sql) => sql`t.email = ${email}`),
    booking_proposed_times: await deleteRows(tx, 'booking_proposed_times', about('booking_id', ids.bookings)),
    prepared_work: await deleteRows(
      tx,
      'prepared_work',
      (sql) => sql`
        ${about('booking_id', ids.bookings)(sql)} or ${about('rfq_id', ids.rfqs)(sql)}
        or ${about('job_id', ids.jobs)(sql)} or ${about('quote_id', ids.quotes)(sql)}`,
    ),
    // Agents' proposals for the customer's quotes.
    proposals: await deleteRows(tx, 'proposals', about('target_id', ids.quotes)),
    // The key is the caller's text. Without it the same request would run again.
    idempotency_records: await deleteRows(
      tx,
      'idempotency_records',
      (sql) => sql`t.account_id = any(${uuids(sql, ids.accounts)}) and t.key ~* ${redactor.searched}`,
    ),
  }
}

/** Replaces the customer in texts of others. Returns the number of rows by table. */
async function eraseMentions(
  tx: Transaction,
  pseudonym: string,
  { ids, redactor }: { ids: CustomerIds; redactor: Redactor },
): Promise<Counts> {
  const counts: Counts = {}
  for (const source of otherRows(ids, redactor)) {
    const rows = await lockRows(tx, source.table, source.where)
    const naming = rows.filter((row) => redactor.mentions(row))
    counts[source.table] = await replaceRows(tx, source, naming, { pseudonym, isOwn: false, redactor })
  }
  return counts
}

async function replaceRows(
  tx: Transaction,
  { table, key }: RowSource,
  rows: readonly Row[],
  erasure: Parameters<typeof eraseRow>[2],
): Promise<number> {
  const columns = erasedColumns(table).map(([column]) => column)
  const changed = rows.flatMap((row) => {
    const erased = eraseRow(table, row, erasure)
    return Bun.deepEquals(erased, row) ? [] : [erased]
  })
  for (let start = 0; start < changed.length; start += BATCH)
    await updateRows(tx, table, { key, columns, rows: changed.slice(start, start + BATCH) })
  return changed.length
}
