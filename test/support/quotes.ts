// Quotes for tests: the pro, requests and quotes, and the customer's link.
import { customerUrl } from '../../src/features/quoting/quotes/verbs/link-tokens.ts'
import { PRESETS } from '../../src/auth/scopes.ts'
import { createDraft } from '../../src/features/quoting/quotes/verbs/drafts.ts'
import type { NewQuote, Quote, QuoteSent } from '../../src/features/quoting/quotes/schemas.ts'
import { sendQuote } from '../../src/features/quoting/quotes/verbs/quotes.ts'
import type { NewRfq, RfqCreated } from '../../src/features/quoting/rfqs/schemas.ts'
import { createRfq } from '../../src/features/quoting/rfqs/verbs/rfqs.ts'
import type { Deps } from '../../src/deps.ts'
import { AppError } from '../../src/errors/app-error.ts'
import type { TestApp } from './app.ts'
import { ctxOf } from '../../src/ctx.ts'

export const HOMEOWNER = { name: 'Homeowner in Austin', email: 'homeowner@test.example' }

export interface QuotingPro {
  accountId: string
  professionalId: string
  slug: string
  /** A service of theirs with a flat price. */
  serviceId: string
  email: string
  /** A key that may read and write as the pro. */
  key: string
}

/** The `n`th seeded pro with a service at a flat price. */
export async function quotingPro(app: TestApp, n = 0): Promise<QuotingPro> {
  const [pro] = await app.deps.read.run<Omit<QuotingPro, 'key'>>(
    'quotingPro',
    (sql) => sql`
      select p.account_id, p.id as professional_id, p.slug, a.email,
        (select o.service_id from professional_services o where o.professional_id = p.id and o.price_type = 'flat'
         order by o.service_id limit 1) as service_id
      from professionals p join accounts a on a.id = p.account_id
      where p.active and exists (
        select from professional_services o where o.professional_id = p.id and o.price_type = 'flat')
      order by p.id offset ${n} limit 1`,
  )
  if (!pro) throw new Error('The seed has no such pro.')
  return { ...pro, key: await app.key(PRESETS['pro-dashboard'], pro.email) }
}

export const newRfqInput = (pro: QuotingPro, changes: Partial<NewRfq> = {}): NewRfq => ({
  professionalId: pro.professionalId,
  serviceId: pro.serviceId,
  customer: HOMEOWNER,
  description: 'The gutter leaks at the corner.',
  ...changes,
})

/** Creates a request and sends a quote for it, without HTTP. */
export async function sentQuote(
  deps: Deps,
  pro: QuotingPro,
  changes: Partial<NewQuote> = {},
  customer = HOMEOWNER,
): Promise<{ rfqId: string; quoteId: string; token: string }> {
  const { rfq }: RfqCreated = await createRfq(ctxOf(deps, pro), newRfqInput(pro, { customer }))
  const { quote }: QuoteSent = await sendQuote(ctxOf(deps, pro), { rfqId: rfq.id, amount: 480, ...changes })
  return { rfqId: rfq.id, quoteId: quote.id, token: tokenOf(deps, quote.id) }
}

/** Creates a draft quote of the pro for a new request. */
export async function newDraft(deps: Deps, pro: QuotingPro, input: Partial<NewQuote> = {}): Promise<Quote> {
  const { rfq } = await createRfq(ctxOf(deps, pro), newRfqInput(pro))
  return await ctxOf(deps).transaction('createDraft', (ctx) =>
    createDraft(ctx.as(pro), { rfqId: rfq.id, amount: 300, ...input }),
  )
}

/** The token of a quote's link, as in the customer's mail. */
export const tokenOf = (deps: Deps, quoteId: string): string =>
  customerUrl(ctxOf(deps), { isMailed: true, quoteId, validUntil: new Date(deps.clock.now().getTime() + 86_400_000) })
    .split('/')
    .at(-1) ?? ''

/** The same stores with the clock moved by `ms`. */
export const depsAfter = (deps: Deps, ms: number): Deps => ({
  ...deps,
  clock: { now: () => new Date(deps.clock.now().getTime() + ms) },
})

export interface EventRow {
  type: string
  sequence: number
  data: { object: Record<string, unknown> }
}

/** The events of an aggregate, in order. */
export const eventsOf = async ({ read }: Deps, aggregateId: string): Promise<EventRow[]> =>
  (
    await read.run<EventRow>(
      'eventsOf',
      (sql) =>
        sql`select type, sequence, data from outbox_events where aggregate_id = ${aggregateId} order by sequence`,
    )
  ).slice()

/** Returns `done`, or the state that a 409 names. Throws any other error. */
export const outcomeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof AppError && error.code === 'invalid_transition') return String(error.extensions?.['state'])
      throw error
    },
  )
