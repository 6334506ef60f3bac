// Where copies of a customer's records are stored, by the ids of the records.
import { deleteRows, type RowSource, uuidArray, uuids } from './rows.ts'
import type { Ctx, TxCtx } from '../../../../ctx.ts'
import * as statements from './copies.sql.ts'

/** Ids of records that belong to one customer. */
export interface RecordIds {
  rfqs: string[]
  quotes: string[]
  jobs: string[]
  bookings: string[]
  reviews: string[]
  payments: string[]
}

export type Root = 'rfqs' | 'bookings' | 'reviews'

/** The records that hang on requests, bookings or reviews with these ids, and these themselves. */
export async function findRecordIds(
  ctx: Ctx,
  { root, ids }: { root: Root; ids: readonly string[] },
): Promise<RecordIds> {
  const none: RecordIds = { rfqs: [], quotes: [], jobs: [], bookings: [], reviews: [], payments: [] }
  if (root === 'reviews') return { ...none, reviews: [...ids] }
  if (root === 'bookings') {
    const row = await statements.findRecordsOfBookings(ctx, { ids: uuidArray(ids) })
    return { ...none, bookings: [...ids], ...row }
  }
  const row = await statements.findRecordsOfRequests(ctx, { ids: uuidArray(ids) })
  return { ...none, rfqs: [...ids], ...row }
}

/** Aggregates of events, and what agents and briefs name. */
export const recordIds = ({ rfqs, quotes, jobs, bookings, reviews, payments }: RecordIds): string[] => [
  ...rfqs,
  ...quotes,
  ...jobs,
  ...bookings,
  ...reviews,
  ...payments,
]

/** The records, and the rows that copy them, in the order in which they are erased: steps last, because they are found by what goes. */
export function copiesOf(ids: RecordIds): RowSource[] {
  const among =
    (column: string, list: readonly string[]): RowSource['where'] =>
    (sql) =>
      sql`t.${sql(column)} = any(${uuids(sql, list)})`
  const records = recordIds(ids)
  const byId = (table: string, list: readonly string[]) => ({ table, key: ['id'], where: among('id', list) })
  const steps: RowSource['where'] = (sql) =>
    sql`record_ids(t.input || coalesce(t.result, '')) && ${uuids(sql, records)}`
  return [
    byId('rfqs', ids.rfqs),
    byId('quotes', ids.quotes),
    byId('jobs', ids.jobs),
    byId('bookings', ids.bookings),
    byId('reviews', ids.reviews),
    { table: 'review_reports', key: ['id'], where: among('review_id', ids.reviews) },
    { table: 'payment_refunds', key: ['id'], where: among('payment_id', ids.payments) },
    {
      table: 'operator_actions',
      key: ['id'],
      where: among('subject_id', [...ids.bookings, ...ids.reviews, ...ids.payments]),
    },
    { table: 'outbox_events', key: ['position'], where: among('aggregate_id', records) },
    { table: 'webhook_events', key: ['id'], where: among('aggregate_id', records) },
    {
      table: 'prepared_work',
      key: ['id'],
      where: (sql) => sql`t.kind = 'day_brief' and record_ids(t.content::text) && ${uuids(sql, records)}`,
    },
    {
      table: 'thread_messages',
      key: ['professional_id', 'thread_id', 'position'],
      where: (sql) => sql`
        (t.professional_id, t.run_id, t.step) in (
          select t.professional_id, t.run_id, t.number from agent_steps t where ${steps(sql)})`,
    },
    { table: 'agent_steps', key: ['professional_id', 'run_id', 'number'], where: steps },
  ]
}

/** With the id of a quote or job, the keys of messages that no event brings by itself. */
const OCCASIONS = ['quote-expiring', 'payment', 'review', 'review-report-1', 'review-report-2']

/** Deletes what is of no use without the records. Returns the number of rows by table. */
export async function deleteAbout(ctx: TxCtx, ids: RecordIds): Promise<Record<string, number>> {
  const { rfqs, quotes, jobs, bookings } = ids
  const records = recordIds(ids)
  return {
    // Their content goes from the storage within seconds.
    files: await deleteRows(ctx, {
      table: 'files',
      where: (sql) => sql`
        t.rfq_id = any(${uuids(sql, rfqs)}) or t.job_id = any(${uuids(sql, jobs)})
        or t.review_id = any(${uuids(sql, ids.reviews)})`,
    }),
    booking_guests: await deleteRows(ctx, {
      table: 'booking_guests',
      where: (sql) => sql`t.booking_id = any(${uuids(sql, bookings)})`,
    }),
    booking_proposed_times: await deleteRows(ctx, {
      table: 'booking_proposed_times',
      where: (sql) => sql`t.booking_id = any(${uuids(sql, bookings)})`,
    }),
    prepared_work: await deleteRows(ctx, {
      table: 'prepared_work',
      where: (sql) => sql`
        t.booking_id = any(${uuids(sql, bookings)}) or t.rfq_id = any(${uuids(sql, rfqs)})
        or t.job_id = any(${uuids(sql, jobs)}) or t.quote_id = any(${uuids(sql, quotes)})`,
    }),
    // Agents' proposals for the customer's quotes.
    proposals: await deleteRows(ctx, {
      table: 'proposals',
      where: (sql) => sql`t.target_id = any(${uuids(sql, quotes)})`,
    }),
    // Also those that were planned while the erasure went on. Those in the mailbox go with them.
    messages: await deleteRows(ctx, {
      table: 'messages',
      where: (sql) => sql`
        t.id in (
          select m.id from messages m where m.booking_id = any(${uuids(sql, bookings)})
          union all
          select m.id from messages m join outbox_events e on m.key = 'event:' || e.id
          where e.aggregate_id = any(${uuids(sql, records)})
          union all
          select m.id from unnest(${OCCASIONS}::text[]) occasion cross join unnest(${uuids(sql, records)}) record
          join messages m on m.key = occasion || ':' || record)`,
    }),
  }
}

/** Deletes what receivers answered to events about the records: they may quote them. Returns the number of answers. */
export async function clearResponses(ctx: TxCtx, ids: RecordIds): Promise<number> {
  const row = await statements.clearResponses(ctx, { recordIds: uuidArray(recordIds(ids)) })
  return row?.count ?? 0
}
