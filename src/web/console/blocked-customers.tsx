/** @jsxImportSource preact */
// /console/blocked-customers: the customers that a pro has blocked from booking again.
import { Elysia } from 'elysia'
import type { VNode } from 'preact'

import type { Ctx } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import { CustomerBlockParams, NewCustomerBlock } from '../../features/booking/customer-blocks/schemas.ts'
import { blockCustomer, listBlockedCustomers, unblockCustomer } from '../../features/booking/customer-blocks/verbs.ts'
import { guard } from '../../http/guard.ts'
import { type AuthenticatedRequest, type Session, actingProOf } from '../../http/session.ts'
import { PageQuery } from '../../platform/schema/paging.ts'
import { Time } from '../ui/time.tsx'
import { type FormState, ActionButton, EMPTY_FORM, Form, formStatus } from '../ui/form.tsx'
import { Disclosure, Button } from '../ui/buttons.tsx'
import { Fields, defineForm } from '../ui/define-form.tsx'
import { BackLink, PageHeading } from '../ui/headings.tsx'
import { EmptyState, Pager } from '../ui/lists.tsx'
import { Table } from '../ui/table.tsx'
import { redirectWithFlash, renderConsolePage } from '../ui/responses.tsx'
import { runAction, submitForm } from '../ui/submit.ts'
import { BLOCKED_PATH } from './bookings/list.tsx'

const session = ['pro'] as const

const { bookingId, email, reason } = NewCustomerBlock.properties
/** The customer of a booking, on its page; or an e-mail address. */
export const BlockCustomerForm = defineForm(
  {
    bookingId: { schema: bookingId },
    email: { schema: email, label: 'E-mail address', isOptional: false },
    reason: { schema: reason, label: 'Reason', hint: 'Only you see it.', rows: 3 },
  },
  ({ bookingId, email }) => ({ email: (bookingId ?? email) ? undefined : 'is required' }),
)

export const blockedCustomerPages = (deps: Deps) =>
  new Elysia({ name: 'blocked-customer-pages' })
    .use(guard(deps))
    .get(
      BLOCKED_PATH,
      async function getBlockedCustomersPage({ ctx, authenticated, query }) {
        return await renderBlocked(ctx, authenticated, query)
      },
      { session, query: PageQuery },
    )
    .post(
      BLOCKED_PATH,
      async function postBlockedCustomerForm({ ctx, authenticated: by }) {
        return await submitForm(
          BlockCustomerForm,
          by.form,
          async (input) => {
            const { customer } = await blockCustomer(ctx.as(actingProOf(by)), input)
            const text = `${customer.email} cannot book with you again.`
            return redirectWithFlash(ctx, by.session, BLOCKED_PATH, { tone: 'good', text })
          },
          (formState) => renderBlocked(ctx, by, {}, formState),
        )
      },
      { session, form: BlockCustomerForm },
    )
    .post(
      `${BLOCKED_PATH}/:id/delete`,
      async function postUnblock({ ctx, authenticated: by, params: { id } }) {
        return await runAction(ctx, by, BLOCKED_PATH, async () => {
          await unblockCustomer(ctx.as(actingProOf(by)), { id })
          return 'The customer can book again.'
        })
      },
      { session, params: CustomerBlockParams },
    )

async function renderBlocked(
  ctx: Ctx,
  by: AuthenticatedRequest,
  query: PageQuery,
  formState = EMPTY_FORM,
): Promise<Response> {
  const { customers, meta } = await listBlockedCustomers(ctx.as(actingProOf(by)), query)
  const rows = customers.map(({ id, email, reason, createdAt }) => [
    email,
    reason ?? '–',
    <Time instant={createdAt} />,
    <ActionButton session={by.session} action={`${BLOCKED_PATH}/${id}/delete`} label="Unblock" />,
  ])
  const content = (
    <>
      <BackLink href="/console/bookings">Bookings</BackLink>
      <PageHeading>Blocked customers</PageHeading>
      {customers.length === 0 ? (
        <EmptyState title="No blocked customers">
          A blocked customer cannot book again. Existing bookings stay.
        </EmptyState>
      ) : (
        <Table caption="Blocked customers" columns={['Customer', 'Reason', 'Since', '']} rows={rows} />
      )}
      <Pager path={BLOCKED_PATH} meta={meta} />
      <Disclosure label="Block a customer" isOpen={formState !== EMPTY_FORM}>
        {blockForm(by.session, formState)}
      </Disclosure>
    </>
  )
  return renderConsolePage(ctx, by, { title: 'Blocked customers', content }, formStatus(formState))
}

function blockForm(session: Session, formState: FormState): VNode {
  const bookingId = formState.values.get('bookingId')
  return (
    <Form of={BlockCustomerForm} action={BLOCKED_PATH} session={session} formState={formState}>
      {bookingId !== null && <input type="hidden" name="bookingId" value={bookingId} />}
      <Fields of={BlockCustomerForm} names={bookingId === null ? ['email', 'reason'] : ['reason']} />
      <Button look="danger" isSmall>
        Block customer
      </Button>
    </Form>
  )
}
