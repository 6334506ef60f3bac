/** @jsxImportSource preact */
// /ops: the current state of the system, with charts of the last minutes. The page is complete without scripts; ops.js refreshes it.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Ctx } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import { getOverview } from '../../features/upkeep/operations/verbs/overview.ts'
import { getTraffic } from '../../features/upkeep/operations/verbs/traffic.ts'
import { listFailingEndpoints } from '../../webhooks/endpoints/verbs/failing-endpoints.ts'
import { guard } from '../../http/guard.ts'
import { pageHeaders } from '../../http/headers.ts'
import { OneOf } from '../../platform/schema/types.ts'
import { renderMarkup } from '../../platform/text/markup.tsx'
import { renderConsolePage } from '../ui/responses.tsx'
import { PAGE_TYPE } from '../ui/layout.tsx'
import { PageHeading } from '../ui/headings.tsx'
import { Tabs } from '../ui/lists.tsx'
import { overviewView } from './now-view.tsx'

const PATH = '/ops'
const USUAL_MINUTES = 15
const SHOWN_ENDPOINTS = 20
/** Processes keep the reports of an hour. */
const Period = Type.Object({ minutes: Type.Optional(OneOf(['60'])) })
const minutesOf = ({ minutes }: { minutes?: '60' | undefined }) => Number(minutes ?? USUAL_MINUTES)
const session = ['operator'] as const

export const nowPages = (deps: Deps) =>
  new Elysia({ name: 'ops-now-pages' })
    .use(guard(deps))
    .get(
      PATH,
      async function getOperations({ ctx, authenticated, query }) {
        const minutes = minutesOf(query)
        const content = (
          <>
            <PageHeading beside={<span class="hint" id="live-state" role="status"></span>}>Operations</PageHeading>
            <p class="hint">All times are in UTC. p50, p95 and p99: half, 95% and 99% of the requests were faster.</p>
            <Tabs
              label="Period of the charts"
              path={PATH}
              parameter="minutes"
              chosen={query.minutes ?? ''}
              choices={[
                { value: '', label: '15 minutes' },
                { value: '60', label: '1 hour' },
              ]}
            />
            <div id="live" data-from={`/ops/now${query.minutes ? `?minutes=${query.minutes}` : ''}`}>
              {await live(ctx, minutes)}
            </div>
          </>
        )
        const assets = { styles: ['uplot.css', 'ops.css'], scripts: ['uplot.js', 'ops.js'] } as const
        return renderConsolePage(ctx, authenticated, { title: 'Operations', content, ...assets })
      },
      { session, query: Period },
    )
    .get(
      '/ops/now',
      async function getOperationsNow({ ctx, query }) {
        const text = renderMarkup(await live(ctx, minutesOf(query)))
        return new Response(text, { headers: { 'content-type': PAGE_TYPE, ...pageHeaders() } })
      },
      { session, query: Period },
    )

async function live(ctx: Ctx, minutes: number) {
  const [overview, traffic, failing] = await Promise.all([
    getOverview(ctx),
    getTraffic(ctx, { minutes }),
    listFailingEndpoints(ctx, { limit: SHOWN_ENDPOINTS }),
  ])
  return overviewView(overview, { traffic, minutes, failing })
}
