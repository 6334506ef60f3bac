/** @jsxImportSource preact */
// /my/apps: the apps that may act for a signed-in customer.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Person } from '../../auth/oauth/schemas.ts'
import { listConnectedApps, removeConnectedApp } from '../../auth/oauth/verbs/connected-apps.ts'
import type { Deps } from '../../deps.ts'
import type { CustomerRequest } from '../../http/customer-session.ts'
import { guard } from '../../http/guard.ts'
import { Uuid } from '../../platform/schema/types.ts'
import { APPS_PATHS, REMOVED, connectedAppList } from '../oauth/connected-apps.tsx'
import { BackLink } from '../ui/headings.tsx'
import { MY_PAGE, redirectWithFlash, renderCustomerPage } from '../ui/responses.tsx'

const PATH = APPS_PATHS.customer

export const customerAppPages = (deps: Deps) =>
  new Elysia({ name: 'customer-app-pages' })
    .use(guard(deps))
    .get(
      PATH,
      async function getApps({ ctx, signedIn }) {
        const apps = await listConnectedApps(ctx.as(personOf(signedIn)))
        const content = (
          <>
            <BackLink href={MY_PAGE}>My bookings</BackLink>
            <h1>Connected apps</h1>
            {connectedAppList({ side: 'customer', apps, by: signedIn.customer, config: ctx.config })}
          </>
        )
        return renderCustomerPage(ctx, signedIn, { title: 'Connected apps', content })
      },
      { customer: true },
    )
    .post(
      `${PATH}/:id/remove`,
      async function postAppRemoval({ ctx, signedIn, params: { id } }) {
        await removeConnectedApp(ctx.as(personOf(signedIn)), { grantId: id })
        return redirectWithFlash(ctx, signedIn.customer, PATH, { tone: 'good', text: REMOVED })
      },
      { customer: true, params: Type.Object({ id: Uuid() }) },
    )

const personOf = ({ customer: { accountId, customerEmail: email } }: CustomerRequest): Person => ({
  side: 'customer',
  accountId,
  email,
})
