/** @jsxImportSource preact */
// The page of a trace: its root, and its spans as bars on a timeline.
import type { PartSpan, TracePart } from '../../platform/telemetry/trace-part.ts'
import type { VNode } from 'preact'
import { Badge } from '../ui/badge.tsx'
import { DetailList } from '../ui/table.tsx'
import { PageHeading, BackLink } from '../ui/headings.tsx'
import { duration } from './amounts.ts'
import { type Row, type Section, type Waterfall, ticksOf, waterfallOf } from './waterfall.ts'

export const REASONS: Record<TracePart['reason'], string> = {
  sampled: 'sampled',
  failed: 'failed',
  refused: 'refused',
}

/** An instant to the millisecond, as logs write it. */
export const instant = (at: string): VNode => (
  <time datetime={at}>
    {at.slice(0, 10)} {at.slice(11, 23)}
  </time>
)

export const statusBadge = (status: number | null, failed = false): VNode =>
  status === null ? (
    failed ? (
      <Badge tone="bad">failed</Badge>
    ) : (
      <>–</>
    )
  ) : (
    <Badge tone={status >= 500 ? 'bad' : status >= 400 ? 'wait' : 'good'}>{String(status)}</Badge>
  )

export function traceView(traceId: string, parts: readonly TracePart[]): VNode {
  const first = parts.find(({ route, method }) => route !== null || method !== null) ?? parts[0]
  if (!first) return <></>
  const waterfall = waterfallOf(parts)
  const services = [...new Set(parts.map(({ service }) => service))]
  const omitted = parts.reduce((sum, { omittedSpans }) => sum + omittedSpans, 0)
  const failed = parts.some(({ reason }) => reason === 'failed')
  return (
    <>
      <BackLink href="/ops/traces">Traces</BackLink>
      <PageHeading>
        {first.name} {statusBadge(first.status, failed)}
      </PageHeading>
      <DetailList
        pairs={[
          ['Request id', <code>{traceId}</code>],
          ['Started', <>{instant(first.startedAt)} UTC</>],
          ['Response after', duration(first.durationUs / 1e6)],
          ['Total duration', duration((waterfall.endUs - waterfall.startUs) / 1e6)],
          ['Processes', services.join(', ')],
          ['Kept because', [...new Set(parts.map(({ reason }) => REASONS[reason]))].join(', ')],
        ]}
      />
      {spansView(waterfall)}
      {omitted > 0 && <p class="hint">{omitted} more spans were not stored.</p>}
    </>
  )
}

/** The spans of a part of a trace. */
export const deliverySpansView = (parts: readonly TracePart[]): VNode => spansView(waterfallOf(parts))

const spansView = (waterfall: Waterfall): VNode => (
  <>
    <h2 id="spans">Spans</h2>
    {legend(waterfall)}
    {axis(waterfall)}
    <ol class="waterfall" aria-labelledby="spans">
      {waterfall.rows.map((row) => rowView(row, waterfall))}
    </ol>
  </>
)

const KINDS = {
  request: 'Request',
  statement: 'PostgreSQL',
  event: 'Event',
  delivery: 'Delivery',
  work: 'Work',
} as const
type Kind = keyof typeof KINDS

function kindOf({ kind, name, attributes }: PartSpan): Kind {
  if (kind === 'server') return 'request'
  if (attributes['db.system.name'] !== undefined) return 'statement'
  if (kind === 'producer' || kind === 'consumer') return 'event'
  return name === 'deliver webhook' ? 'delivery' : 'work'
}

function legend({ rows }: Waterfall): VNode {
  const present = new Set(rows.map(({ span }) => kindOf(span)))
  return (
    <ul class="legend">
      {(Object.keys(KINDS) as Kind[]).map((kind) => present.has(kind) && <li class={`of-${kind}`}>{KINDS[kind]}</li>)}
      {rows.some(({ span }) => span.failed) && <li class="of-failure">Failed</li>}
    </ul>
  )
}

const percent = (thousandths: number) => `${(thousandths / 10).toFixed(2)}%`

/** Ticks, the total duration, and the length of waits that are drawn shortened. */
const axis = (waterfall: Waterfall): VNode => (
  <div class="axis" aria-hidden="true">
    <svg height="16">
      {ticksOf(waterfall).map(({ us, x }) => (
        <text x={percent(x)} y="12" class={us > 0 ? 'tick' : undefined}>
          {duration(us / 1e6)}
        </text>
      ))}
      {waterfall.sections
        .filter(({ kind }) => kind === 'wait')
        .map((wait) => (
          <text class="pause" x={percent(wait.x + wait.width / 2)} y="12">
            {lengthOf(wait)}
          </text>
        ))}
      <text class="end" x="100%" y="12">
        {duration((waterfall.endUs - waterfall.startUs) / 1e6)}
      </text>
    </svg>
  </div>
)

const lengthOf = ({ startUs, endUs }: Section) => duration((endUs - startUs) / 1e6)

/** The status of a request or delivery. */
function outcomeOf({ attributes, failed }: PartSpan): VNode | false {
  const outcome = attributes['http.response.status_code'] ?? attributes['hearth.outcome']
  if (typeof outcome === 'number') return statusBadge(outcome, failed)
  return outcome !== undefined && <Badge tone="bad">{String(outcome)}</Badge>
}

/** When the span was, between what the trace waited for. */
const barOf = ({ span, x, width }: Row, waterfall: Waterfall): VNode => (
  <svg height="18" aria-hidden="true">
    {ticksOf(waterfall).map(({ x: at }) => (
      <line x1={percent(at)} x2={percent(at)} y1="-20" y2="38" />
    ))}
    {waterfall.sections
      .filter(({ kind }) => kind === 'wait')
      .map((wait) => (
        <rect class="pause" x={percent(wait.x)} width={percent(wait.width)} height="18" />
      ))}
    <rect
      class={`of-${span.failed ? 'failure' : kindOf(span)}`}
      x={percent(x)}
      y="3"
      width={percent(width)}
      height="12"
      rx="2"
    />
  </svg>
)

function rowView(row: Row, waterfall: Waterfall): VNode {
  const { span, service, depth } = row
  const { startUs } = waterfall
  const { name, durationUs, failed, attributes } = span
  const { 'hearth.event.type': event } = attributes
  const took = duration(durationUs / 1e6)
  return (
    <li class={`depth-${Math.min(depth, 6)}`}>
      <details>
        <summary>
          <span class="what">
            {' '}
            <span class="name">
              {name} {outcomeOf(span)}
              {event !== undefined && (
                <>
                  {' '}
                  <span class="quiet">{String(event)}</span>
                </>
              )}
            </span>{' '}
            <span class="where">{service}</span>{' '}
          </span>{' '}
          {barOf(row, waterfall)}{' '}
          <span class="took">
            {took}
            {failed && (
              <>
                {' '}
                <span class="badge bad">failed</span>
              </>
            )}
          </span>
        </summary>
        <DetailList
          pairs={[
            ['Started', <>{duration((span.startUs - startUs) / 1e6)} after the first span</>],
            ['Duration', took],
            ['Process', service],
            ...Object.entries(attributes).map(([key, value]) => [key, <code>{String(value)}</code>] as const),
          ]}
        />
      </details>
    </li>
  )
}
