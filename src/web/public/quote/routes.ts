// /quotes/{token}: a customer reads a quote, accepts or declines it, and chooses when the work is done.
import { Elysia } from 'elysia'

import type { Ctx } from '../../../ctx.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors/app-error.ts'
import { siteAccountOf } from '../../../auth/accounts/verbs.ts'
import { takesDeposits } from '../../../payments/verbs/payments.ts'
import {
  acceptQuote,
  cancelWork,
  declineQuote,
  viewQuote,
} from '../../../features/quoting/quotes/verbs/customer-link.ts'
import { readQuoteToken } from '../../../features/quoting/quotes/verbs/link-tokens.ts'
import { bookVisit, findNextStep, isTimeOpen, listVisitTimes } from '../../../features/quoting/quotes/verbs/visit.ts'
import { requestUrl } from '../../../features/quoting/rfqs/verbs/follow-link.ts'
import type { Quote, QuoteAccepted } from '../../../features/quoting/quotes/schemas.ts'
import { readForm } from '../../../http/form.ts'
import type { Caching } from '../../../http/headers.ts'
import { isPreview, prefersJson } from '../../../http/accept.ts'
import { publicPage } from '../../../auth/access.ts'
import { guard } from '../../../http/guard.ts'
import { json } from '../../../http/json.ts'
import { queryOf } from '../../../http/request-target.ts'
import { actorOfBrowser } from '../../../http/session.ts'
import { longDay } from '../../../platform/text/format.ts'
import { type FormState, EMPTY_FORM, formStatus } from '../../ui/form.tsx'
import { redirect, renderPersonalPage, withPageFor } from '../../ui/responses.tsx'
import { submitForm } from '../../ui/submit.ts'
import { type Trust, bookingPathFor, heldLinkCookie, holdsLink } from '../held-links.ts'
import { receiptPage } from '../receipt.tsx'
import { TimeForm, readSlotChoice } from '../slot-choice.ts'
import { CancelForm } from '../my-booking/cancel-view.tsx'
import { cancelWorkPage } from './cancel-view.tsx'
import { quotePage } from './view.tsx'
import { visitPage } from './visit-view.tsx'
import { wrongQuoteLinkPage } from './wrong-link.tsx'

const personalRoute = () => ({ access: publicPage, caching: 'personal' as Caching })

/** The page and its forms. Clients that prefer JSON get the body of `/api/v1/quotes/{token}`. */
export const quotePages = (deps: Deps) =>
  new Elysia({ name: 'quote-pages', prefix: '/quotes/:token' })
    .use(guard(deps))
    .get(
      '',
      async ({ ctx, request, params: { token } }) => {
        const view = () => viewQuote(ctx, { isPreview: isPreview(request), token })
        if (prefersJson(request)) return json({ quote: await view() })
        return await renderWithLink(request, async () => {
          const quote = await view()
          const next = await findNextStep(ctx, { quoteId: quote.id })
          const trust = trustIn(ctx, request, token, quote)
          const visitUrl = next?.step === 'booked' ? bookingPathFor(ctx, request, next.bookingId, trust) : undefined
          return renderPersonalPage(
            request,
            quotePage({
              quote,
              path: pathOf(token),
              next,
              visitUrl,
              requestUrl: requestUrl(ctx, { rfqId: quote.rfqId }),
              isPayable: await takesDeposits(ctx, { professionalId: quote.professional.id }),
            }),
            {
              headers: {
                'set-cookie': heldLinkCookie(ctx, request, quote.id, ...(trust.isTrusted ? [quote.rfqId] : [])),
              },
            },
          )
        })
      },
      personalRoute(),
    )
    .post(
      '/accept',
      async ({ ctx, request, params: { token } }) =>
        await respondToAction(request, token, acceptQuote(ctx.as(await actorOfBrowser(ctx, request)), { token })),
      personalRoute(),
    )
    .post(
      '/decline',
      async ({ ctx, request, params: { token } }) =>
        await respondToAction(
          request,
          token,
          outcomeOf(declineQuote(ctx.as(await actorOfBrowser(ctx, request)), { token })),
        ),
      personalRoute(),
    )

/** After the acceptance: the choice of a time, and the receipt of the deposit. */
export const visitPages = (deps: Deps) =>
  new Elysia({ name: 'visit-pages', prefix: '/quotes/:token' })
    .use(guard(deps))
    .get(
      '/time',
      async function getVisitTimes({ ctx, request, params: { token } }) {
        const shown = { query: queryOf(request.url), formState: EMPTY_FORM }
        return await renderWithLink(request, () => renderVisitPage(ctx, request, token, shown))
      },
      personalRoute(),
    )
    .post(
      '/time',
      async function postVisitTime({ ctx, request, params: { token } }) {
        const form = await readForm(ctx, request)
        return await renderWithLink(request, () =>
          submitForm(
            TimeForm,
            form,
            async (input) => await bookAndShow(ctx, request, token, input),
            async (formState) => await renderVisitPage(ctx, request, token, { query: form, formState }),
          ),
        )
      },
      { access: publicPage, form: TimeForm },
    )
    .get(
      '/cancel',
      async function getWorkCancel({ ctx, request, params: { token } }) {
        return await renderWithLink(request, () => renderCancelPage(ctx, request, token, EMPTY_FORM))
      },
      personalRoute(),
    )
    .post(
      '/cancel',
      async function postWorkCancelForm({ ctx, request, params: { token } }) {
        const form = await readForm(ctx, request)
        return await renderWithLink(request, () =>
          submitForm(
            CancelForm,
            form,
            async ({ reason }) => {
              // The quote's page shows the state, also when the work has a time or has begun.
              await cancelWork(ctx.as(await actorOfBrowser(ctx, request)), { token, reason }).catch(
                (error: unknown) => {
                  if (!(error instanceof AppError && error.code === 'invalid_transition')) throw error
                },
              )
              return redirect(pathOf(token))
            },
            async (formState) => await renderCancelPage(ctx, request, token, formState),
          ),
        )
      },
      { access: publicPage, form: CancelForm },
    )
    .get(
      '/receipt',
      async function getDepositReceipt({ ctx, request, params: { token } }) {
        return await renderWithLink(request, async () => renderPersonalPage(request, await depositReceipt(ctx, token)))
      },
      personalRoute(),
    )

const pathOf = (token: string): string => `/quotes/${encodeURIComponent(token)}`

/**
 * Whether the link also leads to the visit: it was mailed to the customer, or the quote was requested in this browser. A link
 * that an API returned only answers the quote.
 */
function trustIn(ctx: Ctx, request: Request, token: string, { rfqId }: Quote): Trust {
  const isMailed = readQuoteToken(ctx, { token })?.isMailed === true
  return { isMailed, isTrusted: isMailed || holdsLink(ctx, request, rfqId) }
}

async function bookAndShow(ctx: Ctx, request: Request, token: string, input: TimeForm): Promise<Response> {
  const [site, actor] = await Promise.all([siteAccountOf(ctx)(), actorOfBrowser(ctx, request)])
  const bookingId = await bookVisit(ctx, { site, actor, ...input, token })
  const trust = trustIn(ctx, request, token, await viewQuote(ctx, { token }))
  return trust.isTrusted
    ? redirect(bookingPathFor(ctx, request, bookingId, trust), [heldLinkCookie(ctx, request, bookingId)])
    : redirect(pathOf(token))
}

/** The times of the visit; the quote's page tells why there is nothing to choose. */
async function renderVisitPage(
  ctx: Ctx,
  request: Request,
  token: string,
  { query, formState }: { query: URLSearchParams; formState: FormState },
): Promise<Response> {
  const quote = await viewQuote(ctx, { token })
  const next = await findNextStep(ctx, { quoteId: quote.id })
  if (!next || !isTimeOpen(next)) return redirect(pathOf(token))
  const choice = await readSlotChoice(ctx, (days) => listVisitTimes(ctx, { ...days, token }), query)
  const hasWorkBegun = next.step === 'in_progress'
  const page = visitPage({ quote, hasWorkBegun, path: pathOf(token), choice, formState })
  return renderPersonalPage(request, page, formStatus(formState))
}

/** The question before the work is cancelled; the quote's page tells why there is nothing to cancel. */
async function renderCancelPage(ctx: Ctx, request: Request, token: string, formState: FormState): Promise<Response> {
  const quote = await viewQuote(ctx, { token })
  const next = await findNextStep(ctx, { quoteId: quote.id })
  if (!next || !('canCancel' in next && next.canCancel)) return redirect(pathOf(token))
  const page = cancelWorkPage({ quote, path: pathOf(token), formState })
  return renderPersonalPage(request, page, formStatus(formState))
}

async function depositReceipt(ctx: Ctx, token: string) {
  const quote = await viewQuote(ctx, { token })
  return await receiptPage(ctx, {
    purpose: { quoteId: quote.id },
    payment: quote.payment,
    balance: quote.balance,
    pro: quote.professional.businessName,
    customer: quote.customer.name,
    facts: [
      ['For', `Deposit of the quote for ${quote.service?.name ?? 'your request'}`],
      ['Accepted on', quote.acceptedAt !== null && longDay(quote.acceptedAt)],
    ],
    back: { label: 'Your quote', href: pathOf(token) },
  })
}

const outcomeOf = async (quote: Promise<Quote>): Promise<Outcome> => ({ quote: await quote })

type Outcome = Pick<QuoteAccepted, 'quote'> & Partial<QuoteAccepted>

/**
 * Redirects to the payment of the deposit, if there is one, otherwise to the page of the quote. That page shows the state
 * even if the quote was already answered or has expired.
 */
async function respondToAction(request: Request, token: string, outcome: Promise<Outcome>): Promise<Response> {
  if (prefersJson(request)) return json(await outcome)
  return await renderWithLink(request, async () => {
    const result = await outcome.catch((error: unknown) => {
      if (!(error instanceof AppError && error.code === 'invalid_transition')) throw error
    })
    const secret = result?.payment?.clientSecret
    return redirect(secret === undefined ? pathOf(token) : `/pay/${encodeURIComponent(secret)}`)
  })
}

/** Renders a page for an invalid link instead of a problem document. */
async function renderWithLink(request: Request, render: () => Promise<Response>): Promise<Response> {
  const response = await withPageFor(request, 'quote_not_found', render, () => wrongQuoteLinkPage)
  response.headers.append('vary', 'Accept')
  return response
}
