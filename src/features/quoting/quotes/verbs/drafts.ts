// Draft quotes: created, edited, deleted and sent by the pro.
import type { Ctx, TxCtx } from '../../../../ctx.ts'
import { AppError, invalidField } from '../../../../errors/app-error.ts'
import { transition } from '../../../../transition.ts'
import { runIdempotently } from '../../../../idempotency/verbs.ts'
import { fromCents, toCents } from '../../../../platform/schema/money.ts'
import { getDefaults } from '../../../upkeep/marketplace/verbs.ts'
import { checkRespond, getRfqForUpdate, markResponded } from '../../rfqs/verbs/respond.ts'
import type { ActingPro } from '../../rfqs/verbs/rfqs.ts'
import { type DraftValues, countDrafts, findRfqOfQuote, insertDraft, updateDraft } from '../queries/drafts.ts'
import { deleteDraftRow, markSent } from '../queries/drafts.sql.ts'
import { type LockedQuote, lockQuote } from '../queries/quotes.ts'
import { type DraftChange, type DraftItem, type LineItem, MAX_DOLLARS, type Quote, type QuoteSent } from '../schemas.ts'
import { QUOTE } from '../states.ts'
import { checkMoney, requireLimits } from './check-money.ts'
import { validUntilFrom } from '../rules/validity.ts'
import { announceSent, closeOpenQuotes, getStored } from './quotes.ts'

const MAX_DRAFTS = 10

/**
 * Creates a draft for a request made to the pro. Emits no event. Throws rfq_not_found, validation_failed for amounts that
 * do not add up, invalid_transition for an archived request, and too_many_drafts.
 */
export async function createDraft(
  ctx: TxCtx<ActingPro>,
  { rfqId, ...content }: DraftChange & { rfqId: string },
): Promise<Quote> {
  const rfq = await getRfqForUpdate(ctx, { id: rfqId })
  checkRespond(rfq)
  if ((await countDrafts(ctx, { rfqId })) >= MAX_DRAFTS)
    throw new AppError('too_many_drafts', `A request may have up to ${MAX_DRAFTS} draft quotes. Delete one first.`)
  const [id, now] = [ctx.ids.uuid(), ctx.clock.now()]
  const { freeCancellationHours } = await getDefaults(ctx)
  await insertDraft(ctx, { draft: { ...rfq, id, rfqId, freeCancellationHours, now }, values: valuesOf(EMPTY, content) })
  return await getStored(ctx, { id, now })
}

/**
 * Changes the given fields of a draft; line items are replaced as a whole. Throws quote_not_found, validation_failed for
 * amounts that do not add up, and invalid_transition for a sent quote.
 */
export const changeDraft = (ctx: Ctx<ActingPro>, { id, ...change }: { id: string } & DraftChange): Promise<Quote> =>
  ctx.transaction('changeDraft', (ctx) => changeDraftIn(ctx, { ...change, id }))

/** {@link changeDraft} within a transaction. */
export async function changeDraftIn(
  ctx: TxCtx<ActingPro>,
  { id, ...change }: { id: string } & DraftChange,
): Promise<Quote> {
  const draft = await lockDraft(ctx, id)
  const current = await getStored(ctx, { id, now: draft.now })
  await updateDraft(ctx, { draft, values: valuesOf(current, change) })
  return await getStored(ctx, { id, now: draft.now })
}

/** A draft of the pro, locked until the transaction ends. Throws quote_not_found and invalid_transition. */
export async function getDraftForUpdate(ctx: TxCtx<ActingPro>, { id }: { id: string }): Promise<Quote> {
  const { now } = await lockDraft(ctx, id)
  return await getStored(ctx, { id, now })
}

/** Deletes a draft. Throws quote_not_found, and invalid_transition for a sent quote. */
export const deleteDraft = (ctx: Ctx<ActingPro>, { id }: { id: string }): Promise<void> =>
  ctx.transaction('deleteDraft', async (ctx) => {
    await lockDraft(ctx, id)
    await deleteDraftRow(ctx, { id })
  })

/**
 * Sends a draft and supersedes an open earlier quote. Throws quote_not_found, validation_failed for a deposit outside the
 * marketplace's limits, and invalid_transition for a sent quote, an
 * archived request, or one with an accepted quote.
 */
export async function sendDraft(ctx: Ctx<ActingPro>, { id }: { id: string }): Promise<QuoteSent> {
  const defaults = await getDefaults(ctx)
  const operation = { accountId: ctx.actor.accountId, operation: 'sendDraft', request: { id } }
  return await runIdempotently(ctx, operation, async (ctx) => {
    const rfq = await lockRequestOf(ctx, id)
    const draft = await lockDraft(ctx, id, 'send')
    await markResponded(ctx, rfq)
    await closeOpenQuotes(ctx, { rfqId: rfq.id })
    const { validForDays, depositPercentage } = await getStored(ctx, { id, now: draft.now })
    requireLimits({ depositPercentage }, defaults)
    const validUntil = validUntilFrom(draft.now, validForDays)
    const { freeCancellationHours } = defaults
    await markSent(ctx, { id, validUntil, freeCancellationHours, now: draft.now })
    return await announceSent(ctx, { id, validUntil })
  })
}

async function lockDraft(ctx: TxCtx<ActingPro>, id: string, action: 'edit' | 'send' = 'edit'): Promise<LockedQuote> {
  await lockRequestOf(ctx, id)
  const quote = await lockQuote(ctx, { id, clock: ctx.clock })
  if (!quote) throw draftNotFound()
  transition(QUOTE, 'quote', quote.status, action)
  return quote
}

async function lockRequestOf(ctx: TxCtx<ActingPro>, quoteId: string) {
  const rfqId = await findRfqOfQuote(ctx, { professionalId: ctx.actor.professionalId, id: quoteId })
  if (rfqId === undefined) throw draftNotFound()
  return await getRfqForUpdate(ctx, { id: rfqId })
}

/** The same for a quote that does not exist and another pro's. */
const draftNotFound = () => new AppError('quote_not_found', 'You have no quote with this id.')

type Content = Pick<Quote, 'amount' | 'lineItems' | 'estimatedDays' | 'depositRequired' | 'depositPercentage'> &
  Pick<Quote, 'paymentTerms' | 'message' | 'validForDays'>

const EMPTY: Content = {
  amount: 0,
  lineItems: [],
  estimatedDays: null,
  depositRequired: false,
  depositPercentage: null,
  paymentTerms: null,
  message: null,
  validForDays: null,
}

/** The values of the draft after the change. Throws validation_failed for amounts that do not add up. */
function valuesOf(current: Content, change: DraftChange): DraftValues {
  const changed = <T>(value: T | undefined, old: T): T => (value === undefined ? old : value)
  const lineItems = change.lineItems?.map(withAmount) ?? current.lineItems
  const depositRequired = changed(change.depositRequired, current.depositRequired)
  const content = {
    amount: change.amount ?? (change.lineItems && lineItems.length > 0 ? sumOf(lineItems) : current.amount),
    lineItems,
    depositRequired,
    // Without a deposit the old percentage is dropped; checkMoney refuses a new one.
    depositPercentage: changed(change.depositPercentage, depositRequired ? current.depositPercentage : null),
  }
  if (!(content.amount >= 0.01 && content.amount <= MAX_DOLLARS))
    throw invalidField('body.amount', `must be from 0.01 to ${MAX_DOLLARS}; it is the sum of the line items`)
  checkMoney({ ...content, rfqId: '', depositPercentage: content.depositPercentage ?? undefined })
  return {
    ...content,
    amountCents: toCents(content.amount),
    estimatedDays: changed(change.estimatedDays, current.estimatedDays),
    paymentTerms: changed(change.paymentTerms, current.paymentTerms),
    message: changed(change.message, current.message),
    validForDays: changed(change.validForDays, current.validForDays),
  }
}

const withAmount = (item: DraftItem): LineItem => ({
  ...item,
  amount: fromCents(toCents(item.quantity * item.unitPrice)),
})
const sumOf = (items: readonly LineItem[]) => fromCents(items.reduce((cents, { amount }) => cents + toCents(amount), 0))
