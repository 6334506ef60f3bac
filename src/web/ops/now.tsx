/** @jsxImportSource preact */
// /ops: the current state of the system. The page is complete without scripts; ops.js refreshes it.
import { Elysia } from 'elysia'

import type { Ctx } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import { getOverview } from '../../features/upkeep/operations/verbs/overview.ts'
import { getTraffic } from '../../features/upkeep/operations/verbs/traffic.ts'
import { guard } from '../../http/guard.ts'
import { pageHeaders } from '../../http/headers.ts'
import { renderMarkup } from '../../platform/text/markup.tsx'
import { renderConsolePage } from '../ui/responses.tsx'
import { PAGE_TYPE } from '../ui/layout.tsx'
import { PageHeading } from '../ui/headings.tsx'
import { overviewView } from './now-view.tsx'

const session = ['operator'] as const

export const nowPages = (deps: Deps) =>
  new Elysia({ name: 'ops-now-pages' })
    .use(guard(deps))
    .get(
      '/ops',
      async function getOperations({ ctx, authenticated }) {
        const content = (
          <>
            <PageHeading beside={<span class="hint" id="live-state" role="status"></span>}>Operations</PageHeading>
            <p class="hint">All times are in UTC. p50, p95 and p99: half, 95% and 99% of the requests were faster.</p>
            <div id="live" data-from="/ops/now">
              {await live(ctx)}
            </div>
          </>
        )
        const assets = { styles: ['uplot.css', 'ops.css'], scripts: ['uplot.js', 'ops.js'] } as const
        return renderConsolePage(ctx, authenticated, { title: 'Operations', content, ...assets })
      },
      { session },
    )
    .get(
      '/ops/now',
      async function getOperationsNow({ ctx }) {
        return new Response(renderMarkup(await live(ctx)), { headers: { 'content-type': PAGE_TYPE, ...pageHeaders() } })
      },
      { session },
    )

async function live(ctx: Ctx) {
  const [overview, traffic] = await Promise.all([getOverview(ctx), getTraffic(ctx)])
  return overviewView(overview, traffic)
}
