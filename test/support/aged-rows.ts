// Rows of any age for every table whose rows are deleted by age, written past foreign keys and state transitions.
import { createHash, randomUUID } from 'node:crypto'

import type { Sql } from '../../src/platform/postgres/database.ts'

type Values = Record<string, unknown>

const hash = () => `\\x${createHash('sha256').update(randomUUID()).digest('hex')}`
const minutesAfter = (at: string, minutes: number) => new Date(Date.parse(at) + minutes * 60_000).toISOString()

/** What the defaults below do not fulfil, by table. */
const VALUES: Record<string, (at: string) => Values> = {
  agent_runs: (at) => ({
    kind: 'run_agent',
    status: 'succeeded',
    attempt: 1,
    model: 'm',
    answer: 'a',
    started_at: at,
    finished_at: at,
    deadline_at: minutesAfter(at, 1),
  }),
  api_keys: (at) => ({ mode: 'live', hash: hash(), last_four: 'abcd', scopes: ['pros:read'], revoked_at: at }),
  availability_blocks: (at) => ({ starts_at: minutesAfter(at, -60) }),
  customer_sessions: (at) => ({ token_hash: hash(), created_at: minutesAfter(at, -60), ends_at: minutesAfter(at, 60) }),
  idempotency_records: () => ({ request_hash: hash() }),
  network_bookings: () => ({ network_digest: createHash('sha256').update(randomUUID()).digest('base64url') }),
  messages: (at) => ({ status: 'sent', finished_at: at }),
  oauth_clients: () => ({ redirect_uris: ['https://app.example/callback'] }),
  oauth_requests: (at) => ({
    resource: 'rest',
    side: 'pro',
    scopes: ['pro:read'],
    code_challenge: 'x'.repeat(43),
    created_at: minutesAfter(at, -10),
  }),
  oauth_tokens: () => ({ hash: hash(), kind: 'access', scopes: ['pro:read'] }),
  outbox_events: (at) => ({ relayed_at: at }),
  pro_applications: (at) => ({ status: 'draft', expires_at: at, email: `${randomUUID()}@test.example` }),
  prepared_work: () => ({ kind: 'assessment_notes', rfq_id: randomUUID() }),
  brand_pictures: () => ({ id: randomUUID().replaceAll('-', ''), kind: 'logo' }),
  failed_requests: () => ({ status: 400 }),
  files: (at) => ({ status: 'uploading', purpose: 'review', unused_since: at }),
  pro_imports: () => ({ status: 'uploading' }),
  proposals: (at) => {
    const id = randomUUID()
    return {
      kind: 'business_profile',
      professional_id: id,
      target_id: id,
      differences: [1],
      status: 'dismissed',
      dismissed_at: at,
      expires_at: minutesAfter(at, 1),
    }
  },
  reviews: (at) => ({
    status: 'rejected',
    rejected_at: at,
    rejection_reason: 'spam',
    customer_email: `${randomUUID()}@test.example`,
  }),
  search_misses: () => ({ kind: 'service', times: 1 }),
  sessions: (at) => ({ token_hash: hash(), created_at: minutesAfter(at, -60) }),
  sign_in_codes: (at) => ({ browser_hash: hash(), code_digest: 'x'.repeat(43), created_at: minutesAfter(at, -10) }),
  trace_parts: () => ({ trace_id: randomUUID().replaceAll('-', ''), because: 'failed' }),
}

const DEFAULTS: Record<string, (at: string) => unknown> = {
  uuid: () => randomUUID(),
  text: () => `x${randomUUID().replaceAll(/\d|-/g, '')}`,
  timestamptz: (at) => at,
  date: (at) => at.slice(0, 10),
  json: () => ({}),
  jsonb: () => ({}),
}

/** Inserts one row per instant, each with its age counted from that instant, and returns nothing. */
export async function insertAged(sql: Sql, table: string, instants: readonly string[], values: Values = {}) {
  const columns = await sql<{ name: string; type: string }[]>`
    select column_name as name, udt_name as type from information_schema.columns
    where table_schema = 'public' and table_name = ${table} and is_nullable = 'NO' and column_default is null
      and is_identity = 'NO' and is_generated = 'NEVER'`
  const rows = instants.map((at) => ({
    ...Object.fromEntries(columns.map(({ name, type }) => [name, DEFAULTS[type]?.(at) ?? 1])),
    ...VALUES[table]?.(at),
    ...values,
  }))
  const names = sql(Object.keys(rows[0] ?? {}))
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`
      insert into ${tx(table)} (${names})
      select ${names} from jsonb_populate_recordset(null::${tx(table)}, ${JSON.stringify(rows)}::text::jsonb)`
  })
}
