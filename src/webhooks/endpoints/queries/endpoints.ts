// Webhook endpoints in the database. Reads and deletes filter by the account.
import type { EventKind } from '../events.ts'
import type { Webhook } from '../schemas.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'

/** An endpoint with its secrets, encrypted. */
export type StoredWebhook = Webhook & { secretSealed: string; previousSecretSealed: string | null }

const COLUMNS = `id name url events ordered max_retries status disabled_reason disabled_at failing_since secret_sealed
  previous_secret_sealed previous_secret_until created_at updated_at`.split(/\s+/)

export interface EndpointValues {
  name: string
  url: string
  events: readonly EventKind[]
  ordered: boolean
  maxRetries: number
}

export async function insertEndpoint(
  ctx: TxCtx,
  {
    accountId,
    id,
    secretSealed,
    now,
    values,
  }: { accountId: string; values: EndpointValues; id: string; secretSealed: string; now: Date },
): Promise<StoredWebhook> {
  const [row] = await ctx.tx.run<StoredWebhook>(
    'insertEndpoint',
    (sql) => sql`
      insert into webhook_endpoints (id, account_id, name, url, events, ordered, max_retries, secret_sealed, created_at,
        updated_at)
      values (${id}, ${accountId}, ${values.name}, ${values.url}, ${[...values.events]}::text[], ${values.ordered},
        ${values.maxRetries}, ${secretSealed}, ${now.toISOString()}, ${now.toISOString()})
      returning ${sql(COLUMNS)}`,
  )
  if (!row) throw new Error('An insert returned nothing.')
  return row
}

export async function findEndpoint(
  ctx: Ctx,
  { accountId, id }: { accountId: string; id: string },
): Promise<StoredWebhook | undefined> {
  const [row] = await ctx.read.run<StoredWebhook>(
    'findEndpoint',
    (sql) => sql`select ${sql(COLUMNS)} from webhook_endpoints where id = ${id} and account_id = ${accountId}`,
  )
  return row
}

/** The account of the endpoint, if it is this one or its test account. */
export async function findOwnerOfEndpoint(
  ctx: Ctx,
  { accountId, id }: { accountId: string; id: string },
): Promise<string | undefined> {
  const [row] = await ctx.write.run<{ accountId: string }>(
    'findOwnerOfEndpoint',
    (sql) => sql`
      select account_id from webhook_endpoints
      where id = ${id} and account_id in (
        select id from accounts where id = ${accountId} or test_of = ${accountId} and kind <> 'pro')`,
  )
  return row?.accountId
}

/** Locks the endpoint until the end of the transaction. */
export async function lockEndpoint(
  ctx: TxCtx,
  { accountId, id }: { accountId: string; id: string },
): Promise<StoredWebhook | undefined> {
  const [row] = await ctx.tx.run<StoredWebhook>(
    'lockEndpoint',
    (sql) => sql`
      select ${sql(COLUMNS)} from webhook_endpoints where id = ${id} and account_id = ${accountId} for update`,
  )
  return row
}

/** The account's endpoints, newest first, and how many there are. */
export async function selectEndpoints(
  ctx: Ctx,
  { accountId, limit, offset }: { accountId: string; limit: number; offset: number },
): Promise<{ endpoints: StoredWebhook[]; total: number }> {
  const rows = await ctx.read.run<StoredWebhook>(
    'selectEndpoints',
    (sql) => sql`
      select ${sql(COLUMNS)} from webhook_endpoints where account_id = ${accountId}
      order by created_at desc, id desc limit ${limit} offset ${offset}`,
  )
  return { endpoints: rows, total: await countEndpoints(ctx, { accountId }) }
}

export async function countEndpoints(ctx: Ctx, { accountId }: { accountId: string }): Promise<number> {
  const [row] = await ctx.read.run<{ total: number }>(
    'countEndpoints',
    (sql) => sql`select count(*)::integer as total from webhook_endpoints where account_id = ${accountId}`,
  )
  return row?.total ?? 0
}

export async function updateEndpoint(
  ctx: TxCtx,
  { id, values, now }: { id: string; values: EndpointValues; now: Date },
): Promise<StoredWebhook | undefined> {
  const [row] = await ctx.tx.run<StoredWebhook>(
    'updateEndpoint',
    (sql) => sql`
      update webhook_endpoints set name = ${values.name}, url = ${values.url}, events = ${[...values.events]}::text[],
        ordered = ${values.ordered}, max_retries = ${values.maxRetries}, updated_at = ${now.toISOString()}
      where id = ${id} returning ${sql(COLUMNS)}`,
  )
  return row
}

/** Clears `failing_since`: the owner is assumed to have repaired the endpoint. */
export async function enableEndpoint(ctx: TxCtx, { id, now }: { id: string; now: Date }): Promise<void> {
  await ctx.tx.run(
    'enableEndpoint',
    (sql) => sql`
      update webhook_endpoints set status = 'enabled', disabled_reason = null, disabled_at = null, failing_since = null,
        updated_at = ${now.toISOString()}
      where id = ${id}`,
  )
}

/** The current secret becomes the previous one, which also signs until `overlapUntil`. */
export async function replaceSecret(
  ctx: TxCtx,
  { id, secretSealed, now, overlapUntil }: { id: string; secretSealed: string; now: Date; overlapUntil: Date },
): Promise<StoredWebhook | undefined> {
  const [row] = await ctx.tx.run<StoredWebhook>(
    'replaceSecret',
    (sql) => sql`
      update webhook_endpoints set previous_secret_sealed = secret_sealed,
        previous_secret_until = ${overlapUntil.toISOString()}, secret_sealed = ${secretSealed},
        updated_at = ${now.toISOString()}
      where id = ${id} returning ${sql(COLUMNS)}`,
  )
  return row
}

/** Deletes the endpoint with its deliveries. Returns whether the account had it. */
export async function deleteEndpoint(ctx: Ctx, { accountId, id }: { accountId: string; id: string }): Promise<boolean> {
  const rows = await ctx.write.run(
    'deleteEndpoint',
    (sql) => sql`delete from webhook_endpoints where id = ${id} and account_id = ${accountId} returning id`,
  )
  return rows.length > 0
}
