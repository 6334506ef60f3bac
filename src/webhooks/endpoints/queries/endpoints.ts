// Webhook endpoints in the database. Reads and deletes filter by the account.
import type { EventKind } from '../events.ts'
import type { Webhook } from '../schemas.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'
import * as statements from './endpoints.sql.ts'

/** An endpoint with its secrets, encrypted. */
export type StoredWebhook = Webhook & { secretSealed: string; previousSecretSealed: string | null }

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
  const row = await statements.insertEndpoint<Pick<StoredWebhook, 'events'>>(ctx, {
    id,
    accountId,
    name: values.name,
    url: values.url,
    events: values.events,
    ordered: values.ordered,
    maxRetries: values.maxRetries,
    secretSealed,
    now,
  })
  if (!row) throw new Error('An insert returned nothing.')
  return row
}

export async function findEndpoint(
  ctx: Ctx,
  { accountId, id }: { accountId: string; id: string },
): Promise<StoredWebhook | undefined> {
  return await statements.findEndpoint<Pick<StoredWebhook, 'events'>>(ctx, { id, accountId })
}

/** The account of the endpoint, if it is this one or its test account. */
export async function findOwnerOfEndpoint(
  ctx: Ctx,
  { accountId, id }: { accountId: string; id: string },
): Promise<string | undefined> {
  const row = await statements.findOwnerOfEndpoint(ctx, { id, accountId })
  return row?.accountId
}

/** Locks the endpoint until the end of the transaction. */
export async function lockEndpoint(
  ctx: TxCtx,
  { accountId, id }: { accountId: string; id: string },
): Promise<StoredWebhook | undefined> {
  return await statements.lockEndpoint<Pick<StoredWebhook, 'events'>>(ctx, { id, accountId })
}

/** The account's endpoints, newest first, and how many there are. */
export async function selectEndpoints(
  ctx: Ctx,
  { accountId, limit, offset }: { accountId: string; limit: number; offset: number },
): Promise<{ endpoints: StoredWebhook[]; total: number }> {
  const rows = await statements.selectEndpoints<Pick<StoredWebhook, 'events'>>(ctx, { accountId, limit, offset })
  return { endpoints: rows, total: await countEndpoints(ctx, { accountId }) }
}

export async function countEndpoints(ctx: Ctx, { accountId }: { accountId: string }): Promise<number> {
  const row = await statements.countEndpoints(ctx, { accountId })
  return row?.total ?? 0
}

export async function updateEndpoint(
  ctx: TxCtx,
  { id, values, now }: { id: string; values: EndpointValues; now: Date },
): Promise<StoredWebhook | undefined> {
  return await statements.updateEndpoint<Pick<StoredWebhook, 'events'>>(ctx, {
    name: values.name,
    url: values.url,
    events: values.events,
    ordered: values.ordered,
    maxRetries: values.maxRetries,
    now,
    id,
  })
}

/** The current secret becomes the previous one, which also signs until `overlapUntil`. */
export async function replaceSecret(
  ctx: TxCtx,
  { id, secretSealed, now, overlapUntil }: { id: string; secretSealed: string; now: Date; overlapUntil: Date },
): Promise<StoredWebhook | undefined> {
  return await statements.replaceSecret<Pick<StoredWebhook, 'events'>>(ctx, { overlapUntil, secretSealed, now, id })
}

/** Deletes the endpoint with its deliveries. Returns whether the account had it. */
export async function deleteEndpoint(ctx: Ctx, { accountId, id }: { accountId: string; id: string }): Promise<boolean> {
  const rows = await statements.deleteEndpoint(ctx, { id, accountId })
  return rows.length > 0
}
