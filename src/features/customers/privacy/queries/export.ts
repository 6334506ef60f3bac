// SQL of a customer's copy. Records are shown as the API shows them, without drafts and internal notes of pros.
import type { StoredFile } from '../../../files/files/schemas.ts'
import type { CustomerExport } from '../schemas.ts'
import { type RecordIds, recordIds } from './copies.ts'
import { ownMessages } from './customer.ts'
import { uuidArray } from './rows.ts'
import type { Ctx } from '../../../../ctx.ts'
import * as statements from './export.sql.ts'

/** When the customer signed in first, and the sessions and connected apps that are stored; null for a customer who never did. */
export async function findCustomerAccount(ctx: Ctx, { email }: { email: string }): Promise<CustomerExport['account']> {
  const row = await statements.findAccountOfExport<
    Pick<NonNullable<CustomerExport['account']>, 'sessions' | 'connectedApps'>
  >(ctx, { email })
  return row ?? null
}

type Refusals = Pick<CustomerExport, 'blocks' | 'suppressedMessages' | 'operators'>

/** The pros who block the customer, why messages are not sent, and what operators keep. */
export async function findRefusals(ctx: Ctx, { email }: { email: string }): Promise<Refusals> {
  const row = await statements.findRefusalsOfExport<Refusals>(ctx, {
    email,
  })
  return row ?? { blocks: [], suppressedMessages: [], operators: null }
}

type Shown = Promise<{ shown: unknown }[]>

export const selectBookings = (ctx: Ctx, { bookings, now }: { now: Date } & RecordIds): Shown =>
  statements.selectBookingsOfExport(ctx, { now, bookings: uuidArray(bookings) })

export const selectRequests = (ctx: Ctx, { rfqs, now }: { now: Date } & RecordIds): Shown =>
  statements.selectRequestsOfExport(ctx, { now, rfqs: uuidArray(rfqs) })

export const selectJobs = (ctx: Ctx, { jobs }: RecordIds): Shown =>
  statements.selectJobsOfExport(ctx, { jobs: uuidArray(jobs) })

export const selectReviews = (ctx: Ctx, { reviews }: RecordIds): Shown =>
  statements.selectReviewsOfExport(ctx, { reviews: uuidArray(reviews) })

export const selectApplications = (ctx: Ctx, { email }: { email: string }): Shown =>
  statements.selectApplicationsOfExport(ctx, { email })

export const selectPayments = (ctx: Ctx, { payments }: RecordIds): Shown =>
  statements.selectPaymentsOfExport(ctx, { payments: uuidArray(payments) })

/** The pictures of requests, jobs and reviews. */
export const selectFiles = (ctx: Ctx, { rfqs, jobs, reviews }: RecordIds): Promise<{ file: StoredFile }[]> =>
  statements.selectFilesOfExport<{ file: StoredFile }>(ctx, {
    rfqs: uuidArray(rfqs),
    jobs: uuidArray(jobs),
    reviews: uuidArray(reviews),
  })

/** What agents prepared about the records. A draft's basis and a day's brief stand on the work for others, too: they are no copy. */
export const selectPreparedWork = (ctx: Ctx, { bookings, rfqs, jobs }: RecordIds): Shown =>
  statements.selectPreparedWorkOfExport(ctx, {
    bookings: uuidArray(bookings),
    rfqs: uuidArray(rfqs),
    jobs: uuidArray(jobs),
  })

/** A page of the e-mails to the customer in the order of their ids. */
export const selectMessages = (
  ctx: Ctx,
  { email, after, limit }: { email: string; after: number; limit: number },
): Promise<{ id: number; shown: unknown }[]> =>
  ctx.write.run(
    'selectMessagesOfExport',
    (sql) => sql`
      select t.id, json_build_object('kind', t.kind, 'status', t.status, 'plannedFor', iso_instant(t.send_at),
        'finishedAt', iso_instant(t.finished_at)) as shown
      from messages t where ${ownMessages(email)(sql)} and t.id > ${after} order by t.id limit ${limit}`,
  )

/** A page of the events about the records as far as they are kept, in the order of their ids, with the endpoints to which they went. */
export const selectEvents = (
  ctx: Ctx,
  { ids, after, limit }: { ids: RecordIds; after: string; limit: number },
): Promise<{ id: string; shown: unknown }[]> =>
  statements.selectEventsOfExport(ctx, { recordIds: uuidArray(recordIds(ids)), after, limit })
