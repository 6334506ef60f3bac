// /console/customers/{id}: operators look a customer up, keep notes, and block or unblock the address.
import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Ctx } from '../../../ctx.ts'
import type { Deps } from '../../../deps.ts'
import {
  blockCustomerEverywhere,
  getCustomer,
  noteOnCustomer,
  unblockCustomerEverywhere,
} from '../../../features/customers/operator-customers/verbs.ts'
import { guard } from '../../../http/guard.ts'
import type { AuthenticatedRequest } from '../../../http/session.ts'
import { Uuid } from '../../../platform/schema/types.ts'
import { EMPTY_FORM, formStatus } from '../../ui/form.tsx'
import { redirectWithFlash, renderConsolePage } from '../../ui/responses.tsx'
import { submitForm } from '../../ui/submit.ts'
import { CUSTOMERS_PATH, customerPath } from './path.ts'
import { CustomerForm, customerView, nameOf } from './view.tsx'

const session = ['operator'] as const
const PATH = `${CUSTOMERS_PATH}/:id`
const params = Type.Object({ id: Uuid() })

export const operatorCustomerPages = (deps: Deps) =>
  new Elysia({ name: 'operator-customer-pages' })
    .use(guard(deps))
    .get(
      PATH,
      async function getCustomerPage({ ctx, authenticated, params: { id } }) {
        return await renderCustomer(ctx, authenticated, id)
      },
      { session, params },
    )
    .post(
      PATH,
      async function postCustomerAct({ ctx, authenticated: by, params: { id } }) {
        return await submitForm(
          CustomerForm,
          by.form,
          async (input) => {
            const text = await act(ctx, by, { id, ...input })
            return redirectWithFlash(ctx, by.session, customerPath(id), { tone: 'good', text })
          },
          (formState) => renderCustomer(ctx, by, id, formState),
        )
      },
      { session, params, form: CustomerForm },
    )

/** Returns what is said of it. */
async function act(
  ctx: Ctx,
  { session }: AuthenticatedRequest,
  { id, action, reason }: { id: string } & Static<typeof CustomerForm>,
): Promise<string> {
  const input = { id, reason, by: session.userId }
  switch (action) {
    case 'note':
      await noteOnCustomer(ctx, input)
      return 'The note is kept.'
    case 'block':
      await blockCustomerEverywhere(ctx, input)
      return 'The customer is blocked, and is told why.'
    case 'unblock':
      await unblockCustomerEverywhere(ctx, input)
      return 'The customer can book again, and is told so.'
  }
}

async function renderCustomer(
  ctx: Ctx,
  by: AuthenticatedRequest,
  id: string,
  formState = EMPTY_FORM,
): Promise<Response> {
  const customer = await getCustomer(ctx, { id })
  const page = {
    title: `Customer: ${nameOf(customer)}`,
    content: customerView(by.session, { id, customer, formState }),
  }
  return renderConsolePage(ctx, by, page, formStatus(formState))
}
