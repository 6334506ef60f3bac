// The /quotes/{token} routes, for the customer's link. The page for people is web/public/quote.ts.
import { Elysia } from 'elysia'

import type { Deps } from '../../../../deps.ts'
import { linkOfCustomer, linkOnly } from '../../../../auth/access.ts'
import { actorOf } from '../../../../auth/caller.ts'
import { guard } from '../../../../http/guard.ts'
import { problems, returns } from '../../../../http/responses.ts'
import { isPreview } from '../../../../http/accept.ts'
import { acceptQuote, cancelWork, declineQuote, viewQuote } from '../verbs/customer-link.ts'
import { Declining, QuoteAccepted, QuoteAnswer, TokenParams, WorkCancelled } from '../schemas.ts'

const tags = ['Quote requests']
const answers = {
  ...problems({
    404: 'The link is incomplete, changed or too old',
    409: 'The quote was answered or superseded, or has expired',
  }),
}

export const quoteLinkRoutes = (deps: Deps) =>
  new Elysia({ name: 'quote-links', prefix: '/quotes' })
    .use(guard(deps))
    .get(
      '/:token',
      async function getQuoteOfLink({ ctx, request, params }) {
        return { quote: await viewQuote(ctx, { isPreview: isPreview(request), token: params.token }) }
      },
      {
        access: linkOnly,
        caching: 'personal',
        params: TokenParams,
        response: { 200: returns('The quote', QuoteAnswer), 404: answers[404] },
        detail: {
          tags,
          summary: 'Get the quote of a customer’s link',
          description: 'The first view marks the quote as viewed. The token is the authorization; no key is used.',
        },
      },
    )
    .post(
      '/:token/accept',
      async function postQuoteAccept({ ctx, params, caller }) {
        return await acceptQuote(ctx.as(actorOf(caller)), { token: params.token })
      },
      {
        access: linkOfCustomer,
        params: TokenParams,
        response: {
          200: returns('Accepted, with `jobId`; or `payment` is due, which accepts the quote', QuoteAccepted),
          ...problems({ 402: 'The payment provider refuses to start the payment of the deposit' }),
          ...answers,
        },
        detail: {
          tags,
          summary: 'Accept a quote',
          description:
            'For the customer only: agents and pros must leave this to the person who has the link. A quote with a deposit is accepted when `payment` is paid, at the latest at its end; a repeated call returns the same payment.',
        },
      },
    )
    .post(
      '/:token/decline',
      async function postQuoteDecline({ ctx, params, body, caller }) {
        return { quote: await declineQuote(ctx.as(actorOf(caller)), { token: params.token, reason: body.reason }) }
      },
      {
        access: linkOfCustomer,
        params: TokenParams,
        body: Declining,
        response: { 200: returns('Declined', QuoteAnswer), ...answers },
        detail: { tags, summary: 'Decline a quote' },
      },
    )
    .post(
      '/:token/cancel',
      async function postWorkCancel({ ctx, params, body, caller }) {
        return await cancelWork(ctx.as(actorOf(caller)), { token: params.token, reason: body.reason })
      },
      {
        access: linkOfCustomer,
        params: TokenParams,
        body: Declining,
        response: {
          200: returns('Cancelled, with the refund of the deposit', WorkCancelled),
          404: answers[404],
          ...problems({ 409: 'The quote is not accepted, or the work has a time or has begun' }),
        },
        detail: {
          tags,
          summary: 'Cancel the work of an accepted quote',
          description:
            'Until a time is chosen: the whole deposit is refunded. Then the visit is cancelled instead, by the terms of its booking, which ends the work, too.',
        },
      },
    )
