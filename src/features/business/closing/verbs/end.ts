// What a closed account ends for customers, and the erasure of the rest: by `sweep-expired`, in steps that each may be the last one.
import type { Ctx, TxCtx } from '../../../../ctx.ts'
import { tryRefund } from '../../../../payments/verbs/refunds.ts'
import { cancelForClosing } from '../../../booking/bookings/verbs/holds.ts'
import { cancelJobForClosing } from '../../../booking/jobs/verbs/end-job.ts'
import { planMessage } from '../../../messages/messages/verbs/plan-message.ts'
import { closeRequest } from '../../../quoting/quotes/verbs/close-request.ts'
import { recordAction } from '../../../upkeep/audit/verbs.ts'
import { deleteTestWork } from '../../../upkeep/test-mode/verbs.ts'
import { CHANGED_TABLES, changeRowsOf, deleteRowsOf, findLeaver, tablesDeletedAt } from '../queries.ts'
import {
  claimClosing,
  endClosing,
  hasMoneyToSettle,
  lockClosing,
  lockOpenRequest,
  planNextLook,
  selectOpenJobs,
  selectOpenRequests,
  selectOpenVisits,
  selectTestAccounts,
} from '../queries.sql.ts'

const SECOND_MS = 1000
const DAY_MS = 86_400_000
/** A process that dies lets go of its closing after this time. */
const LEASE_MS = 60 * SECOND_MS
/** Every transaction that saw the pro before has ended by then. */
const LOOK_AGAIN_MS = 300 * SECOND_MS
/** Bookings, jobs and requests of each kind in a step. */
const BATCH = 50
/** Rows per statement of the erasure. */
const ROWS = 1000

interface Leaving {
  professionalId: string
  businessName: string
  closedAt: string
  eraseAt: string
}

/**
 * Takes the next step of the closing that is due longest: ends open work with refunds, looks once more for what was made meanwhile, and
 * erases the pro's data when its time has come and no refund or dispute needs it. Returns how many were due: 0 or 1.
 */
export async function continueClosing(ctx: Ctx): Promise<number> {
  const now = ctx.clock.now()
  const claimed = await claimClosing(ctx, { now, leaseEndsAt: new Date(now.getTime() + LEASE_MS) })
  if (!claimed) return 0
  const { isErasure, ...leaving } = claimed
  const ended = await endWork(ctx, leaving)
  if (ended > 0) await lookAgain(ctx, leaving, SECOND_MS)
  else if (!isErasure) await planNextLook(ctx, { ...leaving, nextAt: nextLook(leaving, now) })
  else if ((await hasMoneyToSettle(ctx, leaving))?.has === true) await lookAgain(ctx, leaving, DAY_MS)
  else await erase(ctx, leaving)
  return 1
}

const lookAgain = (ctx: Ctx, { professionalId }: Leaving, inMs: number): Promise<void> =>
  planNextLook(ctx, { professionalId, nextAt: new Date(ctx.clock.now().getTime() + inMs) })

function nextLook({ closedAt, eraseAt }: Leaving, now: Date): Date {
  const lastChange = Date.parse(closedAt) + LOOK_AGAIN_MS
  return lastChange > now.getTime() ? new Date(lastChange) : new Date(eraseAt)
}

/** Cancels visits, then jobs, then requests. Returns how many there were. */
async function endWork(ctx: Ctx, { professionalId, businessName }: Leaving): Promise<number> {
  const reason = `${businessName} closed its business here.`
  const of = { professionalId, limit: BATCH }
  const visits = await selectOpenVisits(ctx, of)
  for (const { id } of visits) await cancelForClosing(ctx, { id, reason })
  if (visits.length > 0) return visits.length
  const jobs = await selectOpenJobs(ctx, of)
  for (const job of jobs) {
    const refundId = await ctx.transaction('cancelJobForClosing', async (ctx) => {
      const { isEnded, refundId } = await cancelJobForClosing(ctx, { ...job, professionalId, reason })
      if (isEnded && job.customerEmail !== null)
        await tellCustomer(ctx, { ...job, to: job.customerEmail, professionalId, businessName, isAgreed: true })
      return refundId
    })
    await tryRefund(ctx, { refundId })
  }
  const requests = await selectOpenRequests(ctx, of)
  for (const request of requests)
    await ctx.transaction('closeRequestForClosing', async (ctx) => {
      const locked = await lockOpenRequest(ctx, { id: request.id })
      if (!locked || locked.status === 'archived') return
      await closeRequest(ctx, { id: request.id, status: locked.status, declineReason: reason })
      if (locked.isAccepted) return
      await tellCustomer(ctx, { ...request, to: request.customerEmail, professionalId, businessName, isAgreed: false })
    })
  return jobs.length + requests.length
}

interface EndedRequest {
  id: string
  to: string
  service: string | null
  professionalId: string
  businessName: string
  /** The customer had accepted a quote. */
  isAgreed: boolean
}

async function tellCustomer(
  ctx: TxCtx,
  { id, to, service, professionalId, businessName, isAgreed }: EndedRequest,
): Promise<void> {
  const data = { pro: businessName, service, isAgreed, searchUrl: `${ctx.config.baseUrl}/` }
  await planMessage(ctx, { kind: 'request-ended', to, data, key: `closing:${id}`, professionalId, customerEmail: to })
}

/** Erases what bookkeeping and customers do not need, a table at a time; the last transaction says that it is done. */
async function erase(ctx: Ctx, { professionalId }: Leaving): Promise<void> {
  const leaver = await findLeaver(ctx, { professionalId })
  for (const { id: testAccountId } of await ctx.transaction('findTestWork', (ctx) =>
    selectTestAccounts(ctx, { professionalId }),
  ))
    await deleteTestWork(ctx, { testAccountId })
  for (const table of tablesDeletedAt('erasure')) {
    const step = () =>
      ctx.transaction(`erase_${table}`, async (ctx) => {
        // A reopened pro keeps what is left.
        if ((await lockClosing(ctx, { professionalId }))?.isOpen !== true) return 0
        return await deleteRowsOf(ctx, { table, leaver, limit: ROWS })
      })
    while ((await step()) === ROWS);
  }
  await ctx.transaction('endErasure', async (ctx) => {
    if ((await lockClosing(ctx, { professionalId }))?.isOpen !== true) return
    for (const table of CHANGED_TABLES) await changeRowsOf(ctx, { table, leaver })
    await endClosing(ctx, { professionalId, now: ctx.clock.now() })
    await recordAction(ctx, { action: 'pro.erased', subjectId: professionalId, professionalId, by: null })
  })
  ctx.log.info({ professionalId }, 'erased a pro who left')
}
