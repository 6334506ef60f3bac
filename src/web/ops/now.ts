// /ops: the current state of the system. The page is complete without scripts; ops.js refreshes it.
import { Elysia } from 'elysia'

import type { Ctx } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import { getOverview } from '../../features/upkeep/operations/verbs/overview.ts'
import { getTraffic } from '../../features/upkeep/operations/verbs/traffic.ts'
import { guard } from '../../http/guard.ts'
import { pageHeaders } from '../../http/headers.ts'
import { renderConsolePage } from '../ui/responses.ts'
import { html } from '../../platform/text/html.ts'
import { PAGE_TYPE } from '../ui/layout.ts'
import { pageHeading } from '../ui/parts.ts'
import { overviewView } from './now-view.ts'

const session = ['operator'] as const

export const nowPages = (deps: Deps) =>
  new Elysia({ name: 'ops-now-pages' })
    .use(guard(deps))
    .get(
      '/ops',
      async function getOperations({ ctx, authenticated }) {
        const content = html`
          ${pageHeading('Operations', html`<span class="hint" id="live-state" role="status"></span>`)}
          <p class="hint">All times are in UTC. p50, p95 and p99: half, 95 % and 99 % of the requests were faster.</p>
          <div id="live" data-from="/ops/now">${await live(ctx)}</div>
        `
        const assets = { styles: ['uplot.css', 'ops.css'], scripts: ['uplot.js', 'ops.js'] } as const
        return renderConsolePage(ctx, authenticated, { title: 'Operations', content, ...assets })
      },
      { session },
    )
    .get(
      '/ops/now',
      async function getOperationsNow({ ctx }) {
        return new Response((await live(ctx)).toString(), { headers: { 'content-type': PAGE_TYPE, ...pageHeaders() } })
      },
      { session },
    )

async function live(ctx: Ctx) {
  const [overview, traffic] = await Promise.all([getOverview(ctx), getTraffic(ctx)])
  return overviewView(overview, traffic)
}
