// Drafts of quotes: made, edited and deleted by the pro, whom alone they concern, and sent when they are right.
import type { Deps } from '../../../deps.ts'
import { AppError, invalidField } from '../../../errors/app-error.ts'
import type { Transaction } from '../../../platform/postgres/database.ts'
import type { IdempotencyContext, IdempotentResult } from '../../../idempotency/context.ts'
import { runIdempotently } from '../../../idempotency/verbs.ts'
import { transition } from '../../../errors/transition.ts'
import { type DraftChange, type DraftItem, type LineItem, MAX_DOLLARS, type Quote, type QuoteSent } from '../schemas.ts'
import { checkMoney, toCents } from '../money.ts'
import {
  type DraftValues,
  countDrafts,
  deleteDraft as forgetDraft,
  findRfqOfQuote,
  insertDraft,
  markSent,
  updateDraft,
} from '../queries/drafts.ts'
import { type LockedQuote, lockQuote } from '../queries/quotes.ts'
import { type LockedRfq, lockRfq, saveRfqStatus } from '../../rfqs/verbs/lead-state.ts'
import { clearTheTable, endOf, getStored, tellSent } from './quotes.ts'
import { type ActingPro, noSuchRfq } from '../../rfqs/verbs/rfqs.ts'
import { QUOTE, RFQ } from '../states.ts'

/** More drafts of one request than this are a mistake. */
const MAX_DRAFTS = 10

/**
 * Makes a draft for a request made to the pro. Nobody is told. Throws rfq_not_found, validation_failed for money that does
 * not add up, invalid_transition for a request that is archived, and too_many_drafts.
 */
export async function createDraft(
  deps: Deps,
  tx: Transaction,
  pro: ActingPro,
  { rfqId, ...content }: DraftChange & { rfqId: string },
): Promise<Quote> {
  const rfq = await lockRfq(tx, pro.professionalId, rfqId)
  if (!rfq) throw noSuchRfq()
  transition(RFQ, 'request for a quote', rfq.status, 'respond')
  if ((await countDrafts(tx, rfqId)) >= MAX_DRAFTS)
    throw new AppError('too_many_drafts', `A request may have up to ${MAX_DRAFTS} drafts of quotes.`)
  const [id, now] = [deps.ids.uuid(), deps.clock.now()]
  await insertDraft(tx, { ...rfq, id, rfqId, now }, valuesOf(NOTHING, content))
  return await getStored(tx, id, now)
}

/**
 * Changes what is given of a draft; line items are given whole. Throws quote_not_found, validation_failed for money that
 * does not add up, and invalid_transition for a quote that was sent.
 */
export const changeDraft = (deps: Deps, pro: ActingPro, id: string, change: DraftChange): Promise<Quote> =>
  deps.write.begin('changeDraft', (tx) => changeDraftIn(deps, tx, pro, id, change))

/** {@link changeDraft} in a transaction that is under way. */
export async function changeDraftIn(
  deps: Deps,
  tx: Transaction,
  pro: ActingPro,
  id: string,
  change: DraftChange,
): Promise<Quote> {
  const draft = await lockDraft(deps, tx, pro, id)
  const current = await getStored(tx, id, draft.now)
  await updateDraft(tx, draft, valuesOf(current, change))
  return await getStored(tx, id, draft.now)
}

/** One of the pro's drafts, held until the transaction ends. Throws quote_not_found, invalid_transition. */
export async function getDraftForUpdate(deps: Deps, tx: Transaction, pro: ActingPro, id: string): Promise<Quote> {
  const { now } = await lockDraft(deps, tx, pro, id)
  return await getStored(tx, id, now)
}

/** Deletes a draft: nobody else has seen it. Throws quote_not_found, invalid_transition for a quote that was sent. */
export const deleteDraft = (deps: Deps, pro: ActingPro, id: string): Promise<void> =>
  deps.write.begin('deleteDraft', async (tx) => {
    await lockDraft(deps, tx, pro, id)
    await forgetDraft(tx, id)
  })

/**
 * Sends a draft as it is. An unanswered earlier quote is superseded. Throws quote_not_found, and invalid_transition for a
 * quote that was sent, a request that is archived, or one that has an accepted quote.
 */
export const sendDraft = (
  deps: Deps,
  pro: ActingPro,
  id: string,
  idempotency?: IdempotencyContext,
): Promise<IdempotentResult<QuoteSent>> =>
  runIdempotently(
    deps,
    idempotency,
    { accountId: pro.accountId, operation: 'sendDraft', request: { id } },
    async (tx) => {
      const rfq = await lockRequestOf(tx, pro, id)
      const draft = await lockDraft(deps, tx, pro, id, 'send')
      const status = transition(RFQ, 'request for a quote', rfq.status, 'respond')
      await clearTheTable(deps, tx, rfq.id)
      if (status !== rfq.status) await saveRfqStatus(tx, rfq.id, status)
      const { validForDays } = await getStored(tx, id, draft.now)
      const validUntil = endOf(draft.now, validForDays)
      await markSent(tx, { id, validUntil, now: draft.now })
      return await tellSent(deps, tx, id, validUntil)
    },
  )

async function lockDraft(
  deps: Deps,
  tx: Transaction,
  pro: ActingPro,
  id: string,
  action: 'edit' | 'send' = 'edit',
): Promise<LockedQuote> {
  await lockRequestOf(tx, pro, id)
  const quote = await lockQuote(tx, id, deps.clock)
  if (!quote) throw noSuchDraft()
  transition(QUOTE, 'quote', quote.status, action)
  return quote
}

async function lockRequestOf(tx: Transaction, pro: ActingPro, id: string): Promise<LockedRfq> {
  const rfqId = await findRfqOfQuote(tx, pro.professionalId, id)
  const rfq = rfqId === undefined ? undefined : await lockRfq(tx, pro.professionalId, rfqId)
  if (!rfq) throw noSuchDraft()
  return rfq
}

/** Also the answer for another pro's: whether that exists is not told. */
const noSuchDraft = () => new AppError('quote_not_found', 'None of your quotes has this id.')

type Content = Pick<Quote, 'amount' | 'lineItems' | 'estimatedDays' | 'depositRequired' | 'depositPercentage'> &
  Pick<Quote, 'paymentTerms' | 'message' | 'validForDays'>

const NOTHING: Content = {
  amount: 0,
  lineItems: [],
  estimatedDays: null,
  depositRequired: false,
  depositPercentage: null,
  paymentTerms: null,
  message: null,
  validForDays: null,
}

/** The draft after the change. Throws validation_failed for money that does not add up. */
function valuesOf(current: Content, change: DraftChange): DraftValues {
  const given = <T>(value: T | undefined, old: T): T => (value === undefined ? old : value)
  const lineItems = change.lineItems?.map(withAmount) ?? current.lineItems
  const depositRequired = given(change.depositRequired, current.depositRequired)
  const content = {
    amount: change.amount ?? (change.lineItems && lineItems.length > 0 ? sumOf(lineItems) : current.amount),
    lineItems,
    depositRequired,
    // What is not asked for any more has no percentage; one that is given all the same is refused below.
    depositPercentage: given(change.depositPercentage, depositRequired ? current.depositPercentage : null),
  }
  if (!(content.amount >= 0.01 && content.amount <= MAX_DOLLARS))
    throw invalidField('body.amount', `must be from 0.01 to ${MAX_DOLLARS}, as the sum of the line items`)
  checkMoney({ ...content, rfqId: '', depositPercentage: content.depositPercentage ?? undefined })
  return {
    ...content,
    amountCents: toCents(content.amount),
    estimatedDays: given(change.estimatedDays, current.estimatedDays),
    paymentTerms: given(change.paymentTerms, current.paymentTerms),
    message: given(change.message, current.message),
    validForDays: given(change.validForDays, current.validForDays),
  }
}

const withAmount = (item: DraftItem): LineItem => ({ ...item, amount: toCents(item.quantity * item.unitPrice) / 100 })
const sumOf = (items: readonly LineItem[]) => items.reduce((cents, { amount }) => cents + toCents(amount), 0) / 100
