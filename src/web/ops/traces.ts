// /ops/traces: traces that were kept, to be found by id, route, status and duration; and each as a waterfall.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import type { TraceFilter, TraceLine } from '../../features/operations/schemas.ts'
import { findTrace, isTraceId, listTraces } from '../../features/operations/verbs/operations.ts'
import { session } from '../../auth/access.ts'
import { guard } from '../../http/guard.ts'
import { visitOf } from '../../http/session.ts'
import { queryOf } from '../../http/route-table.ts'
import { redirect, renderConsolePage } from '../ui/responses.ts'
import { type Html, html } from '../ui/html.ts'
import { badge, emptyState, pageHeading, table } from '../ui/parts.ts'
import { duration } from './amounts.ts'
import { BECAUSE, instant, statusBadge, traceView } from './trace-view.ts'

export const TRACES_PATH = '/ops/traces'

const PER_PAGE = 50
const access = session('operator')

export const tracePages = (deps: Deps) =>
  new Elysia({ name: 'trace-pages' })
    .use(guard(deps))
    .get(
      TRACES_PATH,
      async function getTraces({ visit }) {
        const by = visitOf(visit)
        const wish = wishOf(queryOf(by.request.url))
        const id = idIn(wish.id)
        if (id !== undefined) return redirect(`${TRACES_PATH}/${id}`)
        const found = await listTraces(deps, filterOf(wish), PER_PAGE)
        return renderConsolePage(deps, by, { title: 'Traces', content: listView(wish, found), styles: ['ops.css'] })
      },
      { access },
    )
    .get(
      `${TRACES_PATH}/:id`,
      async function getTrace({ visit, params: { id } }) {
        const parts = await findTrace(deps, id)
        const found = parts.length > 0
        const content = found ? traceView(id, parts) : nothingKept(id, deps.config.tracing.sampleRatio)
        const title = found ? 'Trace' : 'No trace'
        return renderConsolePage(
          deps,
          visitOf(visit),
          { title, content, styles: ['ops.css'] },
          { status: found ? 200 : 404 },
        )
      },
      { access },
    )

/** The fields of the search as they were filled in. */
interface Wish {
  id: string
  route: string
  status: string
  min: string
  before: string
}

const wishOf = (query: URLSearchParams): Wish => {
  const text = (name: string) => (query.get(name) ?? '').trim().slice(0, 200)
  return { id: text('id'), route: text('route'), status: text('status'), min: text('min'), before: text('before') }
}

/** An id as it stands in an error, a log line or a `traceparent`. */
function idIn(text: string): string | undefined {
  const id = /[0-9a-f]{32}/.exec(text.toLowerCase())?.[0]
  return id !== undefined && isTraceId(id) ? id : undefined
}

/** What cannot be read is not looked for. */
function filterOf({ route, status, min, before }: Wish): TraceFilter {
  const [, from, hundred] = /^(\d{3})$|^([1-5])xx$/.exec(status) ?? []
  const first = from === undefined ? Number(hundred) * 100 : Number(from)
  const number = (text: string) => (/^\d{1,12}$/.test(text) ? Number(text) : undefined)
  const milliseconds = /^\d{1,7}(\.\d{1,3})?$/.test(min) ? Number(min) : undefined
  return {
    route: route || undefined,
    ...(Number.isFinite(first) ? { statusFrom: first, statusTo: from === undefined ? first + 99 : first } : {}),
    minUs: milliseconds === undefined ? undefined : Math.round(milliseconds * 1000),
    beforeId: number(before),
  }
}

function listView(wish: Wish, { traces, hasMore }: { traces: TraceLine[]; hasMore: boolean }): Html {
  const last = traces.at(-1)
  const isFiltered = Boolean(wish.id || wish.route || wish.status || wish.min)
  return html`
    ${pageHeading('Traces')} ${searchForm(wish)}
    ${
      wish.id &&
      html`<p class="notice bad" role="alert">
        An id has 32 digits from 0 to f, as <code>requestId</code> has in an error.
      </p>`
    }
    ${
      traces.length === 0
        ? emptyState(
            isFiltered ? 'No such trace was kept' : 'No trace was kept yet',
            isFiltered ? html`<a href="${TRACES_PATH}">Show all</a>` : 'Ask the API something that is wrong.',
          )
        : table('Traces', ['When', 'What', 'Status', 'Took', 'Kept because'], traces.map(lineOf))
    }
    <nav class="pager" aria-label="Pages">
      ${wish.before ? html`<a href="${addressOf({ ...wish, before: '' })}">Newest</a>` : html`<span></span>`}
      ${hasMore && last && html`<a href="${addressOf({ ...wish, before: String(last.id) })}">Older</a>`}
    </nav>
  `
}

const addressOf = (wish: Wish) => {
  const given = Object.entries(wish).filter(([, value]) => value !== '') as [string, string][]
  return given.length === 0 ? TRACES_PATH : `${TRACES_PATH}?${new URLSearchParams(given).toString()}`
}

const lineOf = ({ traceId, name, status, because, startedAt, durationUs, service }: TraceLine) => [
  instant(startedAt),
  html`<a href="${TRACES_PATH}/${traceId}">${name}</a>${service !== 'hearth-server' && html` ${badge(service)}`}`,
  statusBadge(status, because === 'failed'),
  duration(durationUs / 1e6),
  BECAUSE[because],
]

const STATUSES = [
  ['', 'Any'],
  ['2xx', '2xx fine'],
  ['4xx', '4xx refused'],
  ['5xx', '5xx failed'],
] as const

const searchForm = ({ id, route, status, min }: Wish): Html => html`
  <form class="trace-search" method="get" action="${TRACES_PATH}" role="search">
    <p class="field wide">
      <label for="id">Request id</label>
      <input
        id="id"
        name="id"
        value="${id}"
        spellcheck="false"
        autocomplete="off"
        placeholder="4bf92f3577b34da6a3ce929d0e0e4736"
      />
    </p>
    <p class="field">
      <label for="route">Route</label>
      <input
        id="route"
        name="route"
        value="${route}"
        spellcheck="false"
        autocomplete="off"
        placeholder="POST /api/v1/bookings"
      />
    </p>
    <p class="field">
      <label for="status">Status</label>
      <select id="status" name="status">
        ${STATUSES.map(([value, label]) => html`<option value="${value}" ${value === status && html`selected`}>${label}</option>`)}
        ${/^\d{3}$/.test(status) && html`<option selected>${status}</option>`}
      </select>
    </p>
    <p class="field">
      <label for="min">At least, ms</label>
      <input id="min" name="min" value="${min}" inputmode="decimal" autocomplete="off" placeholder="100" />
    </p>
    <button>Find</button>
  </form>
`

/** Why a request may have left no trace. */
const nothingKept = (id: string, ratio: number): Html => html`
  ${pageHeading('No trace')}
  <p class="lead">Nothing was kept of a request with the id <code>${id}</code>.</p>
  <ul>
    <li>It takes a second or two until a trace is here.</li>
    <li>
      Requests that fail on our side are kept, up to 50 a second from each process; refused ones (4xx) up to 20. Of the
      rest ${Number((ratio * 100).toFixed(2))} % are (<code>OTEL_TRACES_SAMPLER_ARG</code>).
    </li>
    <li>Of each kind the newest 20,000 are kept, for a week at most, and none through a crash of the database.</li>
  </ul>
  <p><a href="${TRACES_PATH}">All traces</a></p>
`
