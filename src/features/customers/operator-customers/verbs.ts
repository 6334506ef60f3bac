// A customer as operators see them: everything under one e-mail address, notes about it, and a block of the whole marketplace.
import type { Ctx, TxCtx } from '../../../ctx.ts'
import { AppError } from '../../../errors/app-error.ts'
import { planMessage } from '../../messages/messages/verbs/plan-message.ts'
import type { FoundPayment } from '../../money/operator-refunds/schemas.ts'
import { findPayments } from '../../money/operator-refunds/verbs.ts'
import { type AuditEntry, type OperatorId, listActions, recordAction } from '../../upkeep/audit/verbs.ts'
import { isPseudonym } from '../privacy/rules/pseudonym.ts'
import * as statements from './queries.sql.ts'

/** What each list of the page has. */
export const LISTED = 10

type Rows<T extends (...args: never[]) => Promise<unknown[]>> = Awaited<ReturnType<T>>

/** Lists have the latest first. */
export interface CustomerRecord {
  /** Null for an erased customer, of whom the profile is left. */
  readonly email: string | null
  readonly name: string | null
  readonly phone: string | null
  /** The first record. */
  readonly since: string | null
  /** Of all of the marketplace, by operators. */
  readonly block: { readonly since: string; readonly reason: string } | null
  readonly bookings: Rows<typeof statements.selectBookings>
  readonly requests: Rows<typeof statements.selectRequests>
  readonly reviews: Rows<typeof statements.selectReviews>
  readonly payments: readonly FoundPayment[]
  readonly messages: Rows<typeof statements.selectMessages>
  /** Of pros. */
  readonly blocks: Rows<typeof statements.selectBlocks>
  /** Notes and blocks of operators. */
  readonly actions: readonly AuditEntry[]
}

/** By the id of an account, booking, request, review or profile. Throws not_found. */
export async function getCustomer(ctx: Ctx, { id }: { id: string }): Promise<CustomerRecord> {
  const { email } = await getAddress(ctx, id)
  const of = { email: email ?? '', limit: LISTED }
  const [person, profile, bookings, requests, reviews, payments, messages, blocks] = await Promise.all([
    statements.findPerson(ctx, of),
    statements.findProfile(ctx, email === null ? { id } : { email }),
    statements.selectBookings(ctx, of),
    statements.selectRequests(ctx, of),
    statements.selectReviews(ctx, of),
    email === null ? [] : findPayments(ctx, { text: email }),
    statements.selectMessages(ctx, of),
    statements.selectBlocks(ctx, of),
  ])
  const { blockedAt, blockReason } = profile ?? { blockedAt: null, blockReason: null }
  return {
    email,
    name: person?.name ?? null,
    phone: person?.phone ?? null,
    since: person?.since ?? null,
    block: blockedAt === null ? null : { since: blockedAt, reason: blockReason ?? '' },
    bookings,
    requests,
    reviews,
    payments,
    messages,
    blocks,
    actions: profile ? await listActions(ctx, { subjectId: profile.id }) : [],
  }
}

async function getAddress(ctx: Ctx, id: string): Promise<{ email: string | null }> {
  const found = await statements.findEmail(ctx, { id })
  if (!found) throw new AppError('not_found', 'No account, booking, request, review or customer has this id.')
  return found
}

interface CustomerAct {
  /** As that of {@link getCustomer}. */
  id: string
  /** The note, or why the customer is blocked or no longer so. */
  reason: string
  by: OperatorId
}

/** Keeps a note about a customer; only operators see it. Throws not_found, and invalid_transition for an erased one. */
export const noteOnCustomer = (ctx: Ctx, { id, reason, by }: CustomerAct): Promise<void> =>
  ctx.transaction('noteOnCustomer', async (ctx) => {
    const profile = await profileForUpdate(ctx, id)
    await recordAction(ctx, { action: 'customer.noted', subjectId: profile.id, professionalId: null, by, reason })
  })

/**
 * Keeps a customer from booking, asking, reviewing and accepting quotes with any pro. What is booked stays. The customer is told
 * why. Throws not_found, and invalid_transition for one who is blocked or erased.
 */
export const blockCustomerEverywhere = (ctx: Ctx, act: CustomerAct): Promise<void> => changeBlock(ctx, act, true)

/** Ends the block. The customer is told. Throws not_found, and invalid_transition for one who is not blocked or is erased. */
export const unblockCustomerEverywhere = (ctx: Ctx, act: CustomerAct): Promise<void> => changeBlock(ctx, act, false)

const changeBlock = (ctx: Ctx, { id, reason, by }: CustomerAct, isBlocked: boolean): Promise<void> =>
  ctx.transaction('changeBlockOfCustomer', async (ctx) => {
    const profile = await profileForUpdate(ctx, id)
    if (profile.isBlocked === isBlocked)
      throw new AppError('invalid_transition', `The customer is ${isBlocked ? 'blocked already' : 'not blocked'}.`)
    const at = isBlocked ? ctx.clock.now() : null
    await statements.saveBlock(ctx, { id: profile.id, at, reason: isBlocked ? reason : null })
    const action = isBlocked ? 'customer.blocked' : 'customer.unblocked'
    await recordAction(ctx, { action, subjectId: profile.id, professionalId: null, by, reason })
    await planMessage(ctx, {
      kind: 'customer-block',
      to: profile.email,
      customerEmail: profile.email,
      key: `customer-block:${ctx.ids.uuid()}`,
      data: { isBlocked, reason: isBlocked ? reason : null, bookingsUrl: `${ctx.config.baseUrl}/bookings` },
    })
  })

/** The profile of the customer, locked until the transaction ends; made at the first note or block. */
async function profileForUpdate(ctx: TxCtx, id: string): Promise<{ id: string; email: string; isBlocked: boolean }> {
  const { email } = await getAddress(ctx, id)
  if (email === null || isPseudonym(email))
    throw new AppError('invalid_transition', 'This customer is erased: nothing more is kept about them.')
  const [returned] = await statements.returnProfile(ctx, { email })
  if (!returned) await statements.makeProfile(ctx, { id: ctx.ids.uuid(), email, now: ctx.clock.now() })
  const profile = await statements.lockProfile(ctx, { email })
  if (!profile) throw new Error('The profile of the customer was not made.')
  return { ...profile, email }
}
