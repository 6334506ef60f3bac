// The webhook endpoints of an account: created, listed, changed and deleted by their owner.
import type { Ctx } from '../../../ctx.ts'
import { AppError, invalidField } from '../../../errors/app-error.ts'
import { runIdempotently } from '../../../idempotency/verbs.ts'
import { targetUrlFault } from '../../../platform/net/addresses.ts'
import { type PageQuery, pageMeta, pageOf } from '../../../platform/schema/paging.ts'
import { disableEndpoint } from '../../delivery/disabling.ts'
import { OVERLAP_MS, decryptSecret, encryptSecret, newSecret } from '../../delivery/secrets.ts'
import {
  type StoredWebhook,
  countEndpoints,
  deleteEndpoint,
  findEndpoint,
  findOwnerOfEndpoint,
  insertEndpoint,
  lockEndpoint,
  replaceSecret,
  selectEndpoints,
  updateEndpoint,
} from '../queries/endpoints.ts'
import { enableEndpoint } from '../queries/endpoints.sql.ts'
import type { NewWebhook, Webhook, WebhookChange, WebhookList, WebhookWithSecret } from '../schemas.ts'

/** Every event is sent to each of them. */
const MAX_ENDPOINTS = 100
const DEFAULT_MAX_RETRIES = 8

/**
 * Creates an endpoint; its secret is shown in this response only. Throws too_many_webhooks, and validation_failed for a
 * forbidden URL. The addresses of its host are checked before each delivery, because they can change.
 */
export async function createWebhook(ctx: Ctx<{ accountId: string }>, input: NewWebhook): Promise<WebhookWithSecret> {
  checkUrl(ctx, input.url)
  const operation = { accountId: ctx.actor.accountId, operation: 'createWebhook', request: input }
  // The result stored for the idempotency key has only the encrypted secret.
  const value = await runIdempotently(ctx, operation, async (ctx) => {
    if ((await countEndpoints(ctx, { accountId: ctx.actor.accountId })) >= MAX_ENDPOINTS)
      throw new AppError('too_many_webhooks', `An account may have up to ${MAX_ENDPOINTS} webhook endpoints.`)
    const identity = {
      id: ctx.ids.uuid(),
      secretSealed: encryptSecret(ctx.encryption, newSecret()),
      now: ctx.clock.now(),
    }
    return await insertEndpoint(ctx, {
      ...identity,
      accountId: ctx.actor.accountId,
      values: {
        name: input.name,
        url: input.url,
        events: input.events,
        ordered: input.ordered ?? false,
        maxRetries: input.maxRetries ?? DEFAULT_MAX_RETRIES,
      },
    })
  })
  return withSecret(ctx, value)
}

/** Newest first. */
export async function listWebhooks(ctx: Ctx<{ accountId: string }>, query: PageQuery): Promise<WebhookList> {
  const { endpoints, total } = await selectEndpoints(ctx, { ...pageOf(query), accountId: ctx.actor.accountId })
  return { webhooks: endpoints.map((stored) => withoutSecrets(ctx, stored)), meta: pageMeta(total, query) }
}

/** All endpoints of the account, newest first. */
export async function listAllWebhooks(ctx: Ctx<{ accountId: string }>): Promise<Webhook[]> {
  const { endpoints } = await selectEndpoints(ctx, { limit: MAX_ENDPOINTS, offset: 0, accountId: ctx.actor.accountId })
  return endpoints.map((stored) => withoutSecrets(ctx, stored))
}

/** Throws webhook_not_found. */
export async function getWebhook(ctx: Ctx<{ accountId: string }>, { id }: { id: string }): Promise<Webhook> {
  const stored = await findEndpoint(ctx, { accountId: ctx.actor.accountId, id })
  if (!stored) throw webhookNotFound()
  return withoutSecrets(ctx, stored)
}

/** The account that has the endpoint: this one, or its test account. Throws webhook_not_found. */
export async function getOwnerOfWebhook(ctx: Ctx<{ accountId: string }>, { id }: { id: string }): Promise<string> {
  const owner = await findOwnerOfEndpoint(ctx, { accountId: ctx.actor.accountId, id })
  if (owner === undefined) throw webhookNotFound()
  return owner
}

/** Changes the given fields. Throws webhook_not_found, and validation_failed like {@link createWebhook}. */
export async function changeWebhook(
  ctx: Ctx<{ accountId: string }>,
  { id, ...change }: { id: string } & WebhookChange,
): Promise<Webhook> {
  if (change.url !== undefined) checkUrl(ctx, change.url)
  const stored = await ctx.transaction('changeWebhook', async (ctx) => {
    const endpoint = await lockEndpoint(ctx, { accountId: ctx.actor.accountId, id })
    if (!endpoint) throw webhookNotFound()
    const now = ctx.clock.now()
    const { status, ...values } = change
    if (status === 'disabled') await disableEndpoint(ctx, { id, now })
    if (status === 'enabled' && endpoint.status === 'disabled') await enableEndpoint(ctx, { id, now })
    return await updateEndpoint(ctx, { id, values: { ...endpoint, ...values }, now })
  })
  if (!stored) throw webhookNotFound()
  return withoutSecrets(ctx, stored)
}

/** Creates another secret, shown in this response only; both sign for 24 hours. Throws webhook_not_found. */
export async function rotateSecret(
  ctx: Ctx<{ accountId: string }>,
  { id }: { id: string },
): Promise<WebhookWithSecret> {
  const operation = { accountId: ctx.actor.accountId, operation: 'rotateSecret', request: { id } }
  const value = await runIdempotently(ctx, operation, async (ctx) => {
    if (!(await lockEndpoint(ctx, { accountId: ctx.actor.accountId, id }))) throw webhookNotFound()
    const now = ctx.clock.now()
    const overlapUntil = new Date(now.getTime() + OVERLAP_MS)
    const changed = await replaceSecret(ctx, {
      now,
      overlapUntil,
      id,
      secretSealed: encryptSecret(ctx.encryption, newSecret()),
    })
    if (!changed) throw webhookNotFound()
    return changed
  })
  return withSecret(ctx, value)
}

/** Deletes its deliveries, too. Throws webhook_not_found. */
export async function deleteWebhook(ctx: Ctx<{ accountId: string }>, { id }: { id: string }): Promise<void> {
  if (!(await deleteEndpoint(ctx, { accountId: ctx.actor.accountId, id }))) throw webhookNotFound()
}

function checkUrl(ctx: Ctx, url: string): void {
  const fault = targetUrlFault(url, {
    allowPrivate: ctx.config.webhookAllowPrivate,
    httpsOnly: ctx.config.environment === 'production',
  })
  if (fault) throw invalidField('body.url', fault)
}

function withoutSecrets(ctx: Ctx, stored: StoredWebhook): Webhook {
  const { secretSealed: _, previousSecretSealed: __, previousSecretUntil, ...webhook } = stored
  const hasEnded = previousSecretUntil === null || Date.parse(previousSecretUntil) <= ctx.clock.now().getTime()
  return { ...webhook, previousSecretUntil: hasEnded ? null : previousSecretUntil }
}

const withSecret = (ctx: Ctx, stored: StoredWebhook): WebhookWithSecret => ({
  ...withoutSecrets(ctx, stored),
  secret: decryptSecret(ctx, stored.secretSealed),
})

/** Also the error for another account's endpoint, so that it does not reveal whether the endpoint exists. */
export const webhookNotFound = (): AppError =>
  new AppError('webhook_not_found', 'Your account has no webhook endpoint with this id.')
