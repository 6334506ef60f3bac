/** @jsxImportSource preact */
// /console/apps: the apps that may act for a pro.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Person } from '../../auth/oauth/schemas.ts'
import { listConnectedApps, removeConnectedApp } from '../../auth/oauth/verbs/connected-apps.ts'
import type { Deps } from '../../deps.ts'
import { guard } from '../../http/guard.ts'
import { type AuthenticatedRequest, actingProOf } from '../../http/session.ts'
import { Uuid } from '../../platform/schema/types.ts'
import { APPS_PATHS, REMOVED, connectedAppList } from '../oauth/connected-apps.tsx'
import { PageHeading } from '../ui/headings.tsx'
import { redirectWithFlash, renderConsolePage } from '../ui/responses.tsx'

const PATH = APPS_PATHS.pro
const session = ['pro'] as const

export const connectedAppPages = (deps: Deps) =>
  new Elysia({ name: 'connected-app-pages' })
    .use(guard(deps))
    .get(
      PATH,
      async function getApps({ ctx, authenticated: by }) {
        const apps = await listConnectedApps(ctx.as(personOf(by)))
        const content = (
          <>
            <PageHeading>Connected apps</PageHeading>
            <p class="hint">
              Changes that an assistant proposes wait under <a href="/console/proposals">Proposals</a>.
            </p>
            {connectedAppList({ side: 'pro', apps, by: by.session, config: ctx.config })}
          </>
        )
        return renderConsolePage(ctx, by, { title: 'Connected apps', content })
      },
      { session },
    )
    .post(
      `${PATH}/:id/remove`,
      async function postAppRemoval({ ctx, authenticated: by, params: { id } }) {
        await removeConnectedApp(ctx.as(personOf(by)), { grantId: id })
        return redirectWithFlash(ctx, by.session, PATH, { tone: 'good', text: REMOVED })
      },
      { session, params: Type.Object({ id: Uuid() }) },
    )

function personOf(by: AuthenticatedRequest): Person {
  const { professionalId, userId } = actingProOf(by)
  return { side: 'pro', professionalId, userId }
}
