// /console: how things stand, by role.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { ROLES } from '../../features/users/model.ts'
import { session } from '../../http/access.ts'
import { gate } from '../../http/gate.ts'
import { visitOf } from '../../http/session.ts'
import { show } from '../answer.ts'
import { html } from '../html.ts'
import { heading } from '../parts.ts'

export const overviewPages = (deps: Deps) =>
  new Elysia({ name: 'overview-pages' }).use(gate(deps)).get(
    '/console',
    async function getOverview({ request, visit }) {
      const { session } = visitOf(visit)
      return show(deps, { request, session }, { title: 'Overview', content: html`${heading('Overview')}` })
    },
    { access: session(...ROLES) },
  )
