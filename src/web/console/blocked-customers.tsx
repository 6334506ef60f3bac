/** @jsxImportSource preact */
// /console/blocked-customers: the customers that a pro has blocked from booking again.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { CustomerBlockParams, NewCustomerBlock } from '../../features/booking/customer-blocks/schemas.ts'
import { blockCustomer, listBlockedCustomers, unblockCustomer } from '../../features/booking/customer-blocks/verbs.ts'
import { guard } from '../../http/guard.ts'
import { actingProOf } from '../../http/session.ts'
import { PageQuery } from '../../platform/schema/paging.ts'
import { Time } from '../ui/time.tsx'
import { ActionButton, Form } from '../ui/form.tsx'
import { Disclosure, Button } from '../ui/buttons.tsx'
import { TextArea, TextField } from '../ui/fields.tsx'
import { BackLink, PageHeading } from '../ui/headings.tsx'
import { EmptyState, Pager } from '../ui/lists.tsx'
import { Table } from '../ui/table.tsx'
import { renderConsolePage } from '../ui/responses.tsx'
import { runAction, runFormAction } from '../ui/submit.ts'
import { BLOCKED_PATH } from './bookings/list.tsx'

const session = ['pro'] as const

export const blockedCustomerPages = (deps: Deps) =>
  new Elysia({ name: 'blocked-customer-pages' })
    .use(guard(deps))
    .get(
      BLOCKED_PATH,
      async function getBlockedCustomersPage({ ctx, authenticated: by, query }) {
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
            <Disclosure label="Block a customer">
              <Form action={BLOCKED_PATH} session={by.session}>
                <TextField name="email" label="E-mail address" type="email" maxLength={320} />
                <TextArea name="reason" label="Reason" isOptional hint="Only you see it." maxLength={5000} />
                <Button look="danger" isSmall>
                  Block customer
                </Button>
              </Form>
            </Disclosure>
          </>
        )
        return renderConsolePage(ctx, by, { title: 'Blocked customers', content })
      },
      { session, query: PageQuery },
    )
    .post(
      BLOCKED_PATH,
      async function postBlockedCustomerForm({ ctx, authenticated: by }) {
        return await runFormAction(ctx, by, BLOCKED_PATH, NewCustomerBlock, async (input) => {
          const value = await blockCustomer(ctx.as(actingProOf(by)), input)
          return `${value.customer.email} cannot book with you again.`
        })
      },
      { session, form: NewCustomerBlock },
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
