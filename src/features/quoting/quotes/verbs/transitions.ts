// Changes the state of a quote inside a transaction, for its customer: lock, save, emit the event.
import type { TxCtx } from '../../../../ctx.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { transition } from '../../../../transition.ts'
import { type LockedQuote, lockQuote, saveQuoteState } from '../queries/quotes.ts'
import type { Quote } from '../schemas.ts'
import { QUOTE, type QuoteAction } from '../states.ts'
import { emitQuote, getStored } from './quotes.ts'

export type { LockedQuote }

const EVENTS = { view: 'quote.viewed', accept: 'quote.accepted', decline: 'quote.declined' } as const

/** The quote, locked with its request. Throws quote_not_found. */
export async function getQuoteForUpdate(ctx: TxCtx, { id }: { id: string }): Promise<LockedQuote> {
  const quote = await lockQuote(ctx, { id, clock: ctx.clock })
  if (!quote) throw quoteNotFound()
  return quote
}

/** Saves the state that the action leads to, runs `sideEffect`, and emits the event. Throws invalid_transition. */
export async function transitionQuote(
  ctx: TxCtx,
  {
    quote,
    action,
    sideEffect,
  }: {
    quote: LockedQuote & { declineReason?: string | undefined }
    action: QuoteAction & keyof typeof EVENTS
    sideEffect?: () => Promise<void>
  },
): Promise<Quote> {
  const status = transition(QUOTE, 'quote', quote.status, action)
  const { id, now, declineReason } = quote
  const sequence = await saveQuoteState(ctx, { id, status, now, declineReason })
  await sideEffect?.()
  const object = await getStored(ctx, { id, now })
  await emitQuote(ctx, { type: EVENTS[action], sequence, object })
  return object
}

export const quoteNotFound = (): AppError =>
  new AppError('quote_not_found', 'No quote has this link. It may be incomplete or too old. Ask the pro for a new one.')
