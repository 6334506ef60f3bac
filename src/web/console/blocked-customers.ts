// /console/blocked-customers: the customers that a pro has blocked from booking again.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { CustomerBlockParams, NewCustomerBlock } from '../../features/booking/customer-blocks/schemas.ts'
import { blockCustomer, listBlockedCustomers, unblockCustomer } from '../../features/booking/customer-blocks/verbs.ts'
import { guard } from '../../http/guard.ts'
import { actingProOf } from '../../http/session.ts'
import { PageQuery } from '../../platform/schema/paging.ts'
import { dateTime } from '../../platform/text/format.ts'
import { actionButton, csrfField, disclosure, textArea, textField } from '../ui/forms.ts'
import { html } from '../../platform/text/html.ts'
import { backLink, emptyState, pageHeading, pager, table } from '../ui/parts.ts'
import { renderConsolePage } from '../ui/responses.ts'
import { runAction, runFormAction } from '../ui/submit.ts'
import { BLOCKED_PATH } from './bookings/list.ts'

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
          dateTime(createdAt),
          actionButton(by.session, { action: `${BLOCKED_PATH}/${id}/delete`, label: 'Unblock' }),
        ])
        const content = html`
          ${backLink('Bookings', '/console/bookings')} ${pageHeading('Blocked customers')}
          ${
            customers.length === 0
              ? emptyState('No blocked customers', 'A blocked customer cannot book again. Existing bookings stay.')
              : table('Blocked customers', ['Customer', 'Reason', 'Since', ''], rows)
          }
          ${pager(BLOCKED_PATH, meta)}
          ${disclosure(
            'Block a customer',
            html`<form method="post" action="${BLOCKED_PATH}">
              ${csrfField(by.session)}
              ${textField({ name: 'email', label: 'E-mail address', type: 'email', maxLength: 320 })}
              ${textArea({ name: 'reason', label: 'Reason', isOptional: true, hint: 'Only you see it.', maxLength: 5000 })}
              <button class="small danger">Block customer</button>
            </form>`,
          )}
        `
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
