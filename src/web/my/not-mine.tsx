/** @jsxImportSource preact */
// Records that others made with the address of a signed-in customer: their label, and the button "This was not me".
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors/app-error.ts'
import {
  type ForeignMaker,
  disownBooking,
  disownRequest,
  disownReview,
} from '../../features/customers/customers/verbs/disown.ts'
import type { CustomerRequest, CustomerSession } from '../../http/customer-session.ts'
import { guard } from '../../http/guard.ts'
import { Uuid } from '../../platform/schema/types.ts'
import type { VNode } from 'preact'
import { Form } from '../ui/form.tsx'
import { Disclosure, Button } from '../ui/buttons.tsx'
import { MY_PAGE, redirectWithFlash } from '../ui/responses.tsx'

const params = Type.Object({ id: Uuid() })

export const disowningPages = (deps: Deps) =>
  new Elysia({ name: 'disowning-pages' })
    .use(guard(deps))
    .post(
      '/my/bookings/:id/not-mine',
      async function postBookingNotMine({ ctx, signedIn, params: { id } }) {
        return await answer(ctx, signedIn, disownBooking(ctx.as(signedIn.customer), { id }))
      },
      { customer: true, params },
    )
    .post(
      '/my/requests/:id/not-mine',
      async function postRequestNotMine({ ctx, signedIn, params: { id } }) {
        return await answer(ctx, signedIn, disownRequest(ctx.as(signedIn.customer), { id }))
      },
      { customer: true, params },
    )
    .post(
      '/my/reviews/:id/not-mine',
      async function postReviewNotMine({ ctx, signedIn, params: { id } }) {
        return await answer(ctx, signedIn, disownReview(ctx.as(signedIn.customer), { id }), REVIEW_DONE)
      },
      { customer: true, params },
    )

const DONE = 'It is off your list. What had not begun is cancelled, and the pro knows that it was not you.'
const REVIEW_DONE = 'It is off your list. It is not published, and the pro knows that it was not you.'

async function answer(deps: Deps, { customer }: CustomerRequest, done: Promise<void>, text = DONE): Promise<Response> {
  try {
    await done
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'invalid_transition')) throw error
    return redirectWithFlash(deps, customer, MY_PAGE, { tone: 'bad', text: error.detail })
  }
  return redirectWithFlash(deps, customer, MY_PAGE, { tone: 'good', text })
}

const MAKERS: Record<ForeignMaker, (pro: string) => string> = {
  page: () => 'Made on this site by a person who was not signed in with your address.',
  pro: (pro) => `Made by ${pro}, not by you while signed in.`,
  operator: () => 'Booked by an operator of this site for a caller, not by you while signed in.',
  app: () => 'Made through another website or app, not by you while signed in.',
}

interface Marked {
  customer: CustomerSession
  kind: 'bookings' | 'requests' | 'reviews'
  id: string
  businessName: string
  maker: ForeignMaker | undefined
}

const CONSEQUENCES: Record<Marked['kind'], string> = {
  bookings: 'A visit to come is cancelled. It costs you nothing',
  requests: 'The request is closed. It costs you nothing',
  reviews: 'The review is published no more, and its stars do not count',
}

/** Empty for a record that the customer made while signed in. */
export const foreignMark = ({ customer, kind, id, businessName, maker }: Marked): VNode | false =>
  maker !== undefined && (
    <>
      <p class="hint">{MAKERS[maker](businessName)}</p>
      <Disclosure label="This was not me">
        <p>
          {CONSEQUENCES[kind]}, and it leaves your list for good. {businessName} is told that it was not you.
        </p>
        <Form action={`${MY_PAGE}/${kind}/${id}/not-mine`} session={customer}>
          <Button look="danger" isSmall>
            This was not me
          </Button>
        </Form>
      </Disclosure>
    </>
  )
