/** @jsxImportSource preact */
// /my/data: a signed-in customer's copy of their data, and their erasure.
import { Button } from '../ui/buttons.tsx'
import { Elysia } from 'elysia'

import { noCookie } from '../../auth/cookies.ts'
import type { Ctx } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import { getErasureRequest, requestErasure } from '../../features/customers/customers/verbs/erasure.ts'
import type { OpenWork } from '../../features/customers/privacy/schemas.ts'
import { exportCustomer } from '../../features/customers/privacy/verbs/export-customer.ts'
import type { CustomerRequest } from '../../http/customer-session.ts'
import { guard } from '../../http/guard.ts'
import { Email } from '../../platform/schema/types.ts'
import { requestLimitsOf } from '../../rate-limit/request-limits.ts'
import { plural } from '../../platform/text/format.ts'
import { type FormState, EMPTY_FORM, formStatus, Form } from '../ui/form.tsx'
import { Fields, defineForm } from '../ui/define-form.tsx'
import type { VNode } from 'preact'
import { downloadJson } from '../ui/download.ts'
import { BackLink, Section } from '../ui/headings.tsx'
import { MY_PAGE, redirect, renderCustomerPage } from '../ui/responses.tsx'
import { submitForm } from '../ui/submit.ts'

const PATH = '/my/data'
const EraseForm = defineForm({ email: { schema: Email(), label: 'Type your e-mail address to confirm' } })

export const customerDataPages = (deps: Deps) =>
  new Elysia({ name: 'customer-data-pages' })
    .use(guard(deps))
    .get(
      PATH,
      async function getData({ ctx, signedIn }) {
        return await renderDataPage(ctx, signedIn)
      },
      { customer: true },
    )
    .post(
      `${PATH}/copy`,
      async function postCopy({ ctx, signedIn: { customer, request } }) {
        await requestLimitsOf(ctx).admitCopy(request, customer.accountId)
        return await downloadJson(exportCustomer(ctx, { email: customer.customerEmail }), {
          name: 'my-hearth-data.json',
        })
      },
      { customer: true },
    )
    .get(`${PATH}/erase`, () => redirect(PATH), { customer: true })
    .post(
      `${PATH}/erase`,
      async function postErasure({ ctx, signedIn }) {
        return await submitForm(
          EraseForm,
          signedIn.form,
          async (input) => {
            await requestErasure(ctx.as(signedIn.customer), input)
            return redirect(PATH, [noCookie(ctx.config, 'hearth-typed')])
          },
          async (formState) => await renderDataPage(ctx, signedIn, formState),
        )
      },
      { customer: true, form: EraseForm },
    )

async function renderDataPage(
  ctx: Ctx,
  signedIn: CustomerRequest,
  formState: FormState = EMPTY_FORM,
): Promise<Response> {
  const { customer } = signedIn
  const request = await getErasureRequest(ctx.as(customer))
  const content = (
    <>
      <BackLink href={MY_PAGE}>My bookings</BackLink>
      <h1>Your data</h1>
      <p class="quiet">Signed in as {customer.customerEmail}</p>
      <Section title="Copy">
        <p>
          Everything that belongs to you, in one file: bookings, requests, quotes, jobs, reviews, payments. What a pro
          wrote elsewhere, such as in notes about their own time, may name other people: ask the pro for it.
        </p>
        <Form action={`${PATH}/copy`} session={customer}>
          <Button look="quiet">Download a copy</Button>
        </Form>
      </Section>
      <Section title="Erase">
        {request?.isDue === true ? (
          <p class="notice wait" role="status">
            Your data is being erased. This can take some minutes. You are signed out when it is done.
          </p>
        ) : (
          <>
            {request && refusal(request.openWork)}
            {eraseForm(signedIn, formState)}
          </>
        )}
      </Section>
    </>
  )
  return renderCustomerPage(ctx, signedIn, { title: 'Your data', content }, formStatus(formState))
}

const eraseForm = ({ customer }: CustomerRequest, formState: FormState): VNode => (
  <>
    <p>
      Your name, e-mail address, phone number, address, texts and photos are erased for good from all bookings, requests
      and reviews, and so is what the pros wrote there. Open requests are closed, and their quotes declined. Your
      ratings stay, without name and text. What a pro noted elsewhere is the pro’s: ask the pro to erase it.
    </p>
    <Form of={EraseForm} action={`${PATH}/erase`} session={customer} formState={formState}>
      <Fields of={EraseForm} />
      <Button look="danger">Erase my data</Button>
    </Form>
  </>
)

/** Why an earlier request to be erased was refused. */
const refusal = (open: OpenWork | null): VNode => (
  <div class="notice bad" role="alert">
    <p>
      <strong>Your data was not erased.</strong> Nothing was changed.
    </p>
    {open === null ? (
      <p>Something failed on our side. Ask the people who run this site to erase it.</p>
    ) : (
      whatIsOpen(open)
    )}
  </div>
)

const whatIsOpen = ({ bookings, jobs, refunds, runs }: OpenWork): VNode => (
  <ul>
    {bookings.length > 0 && (
      <li>
        First cancel your {plural(bookings.length, 'booking')} to come: {bookings.join(', ')}.
      </li>
    )}
    {jobs.length > 0 && <li>{plural(jobs.length, 'job')} must be completed or cancelled by the pro first.</li>}
    {refunds.length > 0 && (
      <li>
        The money of {plural(refunds.length, 'payment')} is on its way back, or disputed. Try again in a few days.
      </li>
    )}
    {runs.length > 0 && <li>A pro’s assistant is working with your data. Try again in an hour.</li>}
  </ul>
)
