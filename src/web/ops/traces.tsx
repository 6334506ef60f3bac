/** @jsxImportSource preact */
// /ops/traces: a search over kept traces by id, route, status, duration and time, and a page for each trace.
import { Button } from '../ui/buttons.tsx'
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import type { TraceFilter, TraceSummary } from '../../features/upkeep/operations/schemas.ts'
import { findTrace, isTraceId, listTraces } from '../../features/upkeep/operations/verbs/traces.ts'
import { guard } from '../../http/guard.ts'
import { queryOf } from '../../http/request-target.ts'
import { redirect, renderConsolePage } from '../ui/responses.tsx'
import type { VNode } from 'preact'
import { Badge } from '../ui/badge.tsx'
import { EmptyState } from '../ui/lists.tsx'
import { PageHeading } from '../ui/headings.tsx'
import { Table } from '../ui/table.tsx'
import { duration } from './amounts.ts'
import { REASONS, instant, statusBadge, traceView } from './trace-view.tsx'

export const TRACES_PATH = '/ops/traces'

const PER_PAGE = 50
const session = ['operator'] as const

export const tracePages = (deps: Deps) =>
  new Elysia({ name: 'trace-pages' })
    .use(guard(deps))
    .get(
      TRACES_PATH,
      async function getTraces({ ctx, authenticated: by }) {
        const search = searchOf(queryOf(by.request.url))
        const id = idIn(search.id)
        if (id !== undefined) return redirect(`${TRACES_PATH}/${id}`)
        const found = await listTraces(ctx, { ...filterOf(search), limit: PER_PAGE })
        return renderConsolePage(ctx, by, { title: 'Traces', content: listView(search, found), styles: ['ops.css'] })
      },
      { session },
    )
    .get(
      `${TRACES_PATH}/:id`,
      async function getTrace({ ctx, authenticated, params: { id } }) {
        const parts = await findTrace(ctx, { traceId: id })
        const found = parts.length > 0
        const content = found ? traceView(id, parts) : noTraceView(id, ctx.config.tracing.sampleRatio)
        const title = found ? 'Trace' : 'No trace'
        return renderConsolePage(
          ctx,
          authenticated,
          { title, content, styles: ['ops.css'] },
          { status: found ? 200 : 404 },
        )
      },
      { session },
    )

/** The fields of the search form. */
interface TraceSearch {
  id: string
  route: string
  status: string
  min: string
  from: string
  to: string
  before: string
}

const searchOf = (query: URLSearchParams): TraceSearch => {
  const text = (name: string) => (query.get(name) ?? '').trim().slice(0, 200)
  return {
    id: text('id'),
    route: text('route'),
    status: text('status'),
    min: text('min'),
    from: text('from'),
    to: text('to'),
    before: text('before'),
  }
}

/** The trace id in a text, such as a `traceparent`. */
function idIn(text: string): string | undefined {
  const id = /[0-9a-f]{32}/.exec(text.toLowerCase())?.[0]
  return id !== undefined && isTraceId(id) ? id : undefined
}

/** Fields that cannot be parsed do not filter. */
function filterOf({ route, status, min, from, to, before }: TraceSearch): TraceFilter {
  const [, exact, hundred] = /^(\d{3})$|^([1-5])xx$/.exec(status) ?? []
  const first = exact === undefined ? Number(hundred) * 100 : Number(exact)
  const number = (text: string) => (/^\d{1,12}$/.test(text) ? Number(text) : undefined)
  const milliseconds = /^\d{1,7}(\.\d{1,3})?$/.test(min) ? Number(min) : undefined
  return {
    route: route || undefined,
    ...(Number.isFinite(first) ? { statusFrom: first, statusTo: exact === undefined ? first + 99 : first } : {}),
    minUs: milliseconds === undefined ? undefined : Math.round(milliseconds * 1000),
    from: instantIn(from),
    to: instantIn(to),
    beforeId: number(before),
  }
}

/** The instant of a browser's field of date and time, which here is in UTC. */
function instantIn(text: string): Date | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text)) return undefined
  const found = new Date(`${text}Z`)
  // JavaScript takes June 31 for July 1.
  return !Number.isNaN(found.getTime()) && found.toISOString().startsWith(text) ? found : undefined
}

function listView(search: TraceSearch, { traces, hasMore }: { traces: TraceSummary[]; hasMore: boolean }): VNode {
  const last = traces.at(-1)
  const { before: _, ...filters } = search
  const isFiltered = Object.values(filters).some((text) => text !== '')
  return (
    <>
      <PageHeading>Traces</PageHeading>
      {searchForm(search)}
      {search.id && (
        <p class="notice bad" role="alert">
          A request id has 32 digits from 0 to f. It is in the <code>requestId</code> of an error.
        </p>
      )}
      {traces.length === 0 ? (
        <EmptyState title={isFiltered ? 'No traces found' : 'No traces yet'}>
          {isFiltered ? <a href={TRACES_PATH}>Show all</a> : 'Send the API a wrong request to see its trace here.'}
        </EmptyState>
      ) : (
        <Table
          caption="Traces"
          columns={['Time (UTC)', 'Request or work', 'Status', 'Duration', 'Kept because']}
          rows={traces.map(rowOf)}
        />
      )}
      <nav class="pager" aria-label="Pages">
        {search.before ? <a href={addressOf({ ...search, before: '' })}>Newest</a> : <span></span>}{' '}
        {hasMore && last && <a href={addressOf({ ...search, before: String(last.id) })}>Older</a>}
      </nav>
    </>
  )
}

const addressOf = (search: TraceSearch) => {
  const given = Object.entries(search).filter(([, value]) => value !== '') as [string, string][]
  return given.length === 0 ? TRACES_PATH : `${TRACES_PATH}?${new URLSearchParams(given).toString()}`
}

const rowOf = ({ traceId, name, status, reason, startedAt, durationUs, service }: TraceSummary) => [
  instant(startedAt),
  <>
    <a href={`${TRACES_PATH}/${traceId}`}>{name}</a>
    {service !== 'hearth-server' && (
      <>
        {' '}
        <Badge>{service}</Badge>
      </>
    )}
  </>,
  statusBadge(status, reason === 'failed'),
  duration(durationUs / 1e6),
  REASONS[reason],
]

const STATUSES = [
  ['', 'Any'],
  ['2xx', '2xx successful'],
  ['4xx', '4xx refused'],
  ['5xx', '5xx failed'],
] as const

const searchForm = ({ id, route, status, min, from, to }: TraceSearch): VNode => (
  <form class="trace-search" method="get" action={TRACES_PATH} role="search">
    <p class="field wide">
      <label for="id">Request id</label>{' '}
      <input
        id="id"
        name="id"
        value={id}
        spellcheck={false}
        autocomplete="off"
        placeholder="4bf92f3577b34da6a3ce929d0e0e4736"
      />
    </p>
    <p class="field">
      <label for="route">Route</label>{' '}
      <input
        id="route"
        name="route"
        value={route}
        spellcheck={false}
        autocomplete="off"
        placeholder="POST /api/v1/bookings"
      />
    </p>
    <p class="field">
      <label for="status">Status</label>{' '}
      <select id="status" name="status">
        {STATUSES.map(([value, label]) => (
          <option value={value} selected={value === status}>
            {label}
          </option>
        ))}
        {/^\d{3}$/.test(status) && <option selected>{status}</option>}
      </select>
    </p>
    <p class="field">
      <label for="min">At least, ms</label>{' '}
      <input id="min" name="min" value={min} inputmode="decimal" autocomplete="off" placeholder="100" />
    </p>
    <p class="field">
      <label for="from">From, UTC</label> <input id="from" name="from" type="datetime-local" value={from} />
    </p>
    <p class="field">
      <label for="to">To, UTC</label> <input id="to" name="to" type="datetime-local" value={to} />
    </p>
    <Button>Find</Button>
  </form>
)

/** Explains why a request may have no trace. */
const noTraceView = (id: string, ratio: number): VNode => (
  <>
    <PageHeading>No trace</PageHeading>
    <p class="lead">
      There is no trace of a request with the id <code>{id}</code>.
    </p>
    <ul>
      <li>A trace appears here after a second or two.</li>
      <li>
        Each process keeps up to 50 failed requests (5xx) and 20 refused requests (4xx) per second, and{' '}
        {Number((ratio * 100).toFixed(2))}% of the others (<code>OTEL_TRACES_SAMPLER_ARG</code>).
      </li>
      <li>The newest 20,000 traces of each kind are kept for up to a week. A crash of the database deletes them.</li>
    </ul>
    <p>
      <a href={TRACES_PATH}>All traces</a>
    </p>
  </>
)
