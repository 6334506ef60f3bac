// The webhook endpoints of an account: created, listed, changed and deleted by their owner.
import type { Deps } from '../../../deps.ts'
import { AppError, invalidField } from '../../../errors/app-error.ts'
import type { IdempotencyContext, IdempotentResult } from '../../../idempotency/context.ts'
import { runIdempotently } from '../../../idempotency/verbs.ts'
import { targetUrlFault } from '../../../platform/net/addresses.ts'
import { type PageQuery, pageMeta, pageOf } from '../../../platform/schema/paging.ts'
import { disableEndpoint } from '../../delivery/disabling.ts'
import { OVERLAP_MS, decryptSecret, encryptSecret, newSecret } from '../../delivery/secrets.ts'
import {
  type StoredWebhook,
  countEndpoints,
  deleteEndpoint,
  enableEndpoint,
  findEndpoint,
  findOwnerOfEndpoint,
  insertEndpoint,
  lockEndpoint,
  replaceSecret,
  selectEndpoints,
  updateEndpoint,
} from '../queries/endpoints.ts'
import type { NewWebhook, Webhook, WebhookChange, WebhookList, WebhookWithSecret } from '../schemas.ts'

/** Every event is sent to each of them. */
const MAX_ENDPOINTS = 100
const DEFAULT_MAX_RETRIES = 8

/**
 * Creates an endpoint; its secret is shown in this response only. Throws too_many_webhooks, and validation_failed for a
 * forbidden URL. The addresses of its host are checked before each delivery, because they can change.
 */
export async function createWebhook(
  deps: Deps,
  accountId: string,
  input: NewWebhook,
  idempotency?: IdempotencyContext,
): Promise<IdempotentResult<WebhookWithSecret>> {
  checkUrl(deps, input.url)
  const operation = { accountId, operation: 'createWebhook', request: input }
  // The result stored for the idempotency key has only the encrypted secret.
  const { value, replayed } = await runIdempotently(deps, idempotency, operation, async (tx) => {
    if ((await countEndpoints(tx, accountId)) >= MAX_ENDPOINTS)
      throw new AppError('too_many_webhooks', `An account may have up to ${MAX_ENDPOINTS} webhook endpoints.`)
    const identity = {
      id: deps.ids.uuid(),
      secretSealed: encryptSecret(deps.encryption, newSecret()),
      now: deps.clock.now(),
    }
    return await insertEndpoint(tx, accountId, identity, {
      name: input.name,
      url: input.url,
      events: input.events,
      ordered: input.ordered ?? false,
      maxRetries: input.maxRetries ?? DEFAULT_MAX_RETRIES,
    })
  })
  return { value: withSecret(deps, value), replayed }
}

/** Newest first. */
export async function listWebhooks(deps: Deps, accountId: string, query: PageQuery): Promise<WebhookList> {
  const { endpoints, total } = await selectEndpoints(deps.read, accountId, pageOf(query))
  return { webhooks: endpoints.map((stored) => withoutSecrets(deps, stored)), meta: pageMeta(total, query) }
}

/** All endpoints of the account, newest first. */
export async function listAllWebhooks(deps: Deps, accountId: string): Promise<Webhook[]> {
  const { endpoints } = await selectEndpoints(deps.read, accountId, { limit: MAX_ENDPOINTS, offset: 0 })
  return endpoints.map((stored) => withoutSecrets(deps, stored))
}

/** Throws webhook_not_found. */
export async function getWebhook(deps: Deps, accountId: string, id: string): Promise<Webhook> {
  const stored = await findEndpoint(deps.read, accountId, id)
  if (!stored) throw webhookNotFound()
  return withoutSecrets(deps, stored)
}

/** The account that has the endpoint: this one, or its test account. Throws webhook_not_found. */
export async function getOwnerOfWebhook(
  { write }: Pick<Deps, 'write'>,
  accountId: string,
  id: string,
): Promise<string> {
  const owner = await findOwnerOfEndpoint(write, accountId, id)
  if (owner === undefined) throw webhookNotFound()
  return owner
}

/** Changes the given fields. Throws webhook_not_found, and validation_failed like {@link createWebhook}. */
export async function updateWebhook(
  deps: Deps,
  accountId: string,
  id: string,
  change: WebhookChange,
): Promise<Webhook> {
  if (change.url !== undefined) checkUrl(deps, change.url)
  const stored = await deps.write.begin('updateWebhook', async (tx) => {
    const endpoint = await lockEndpoint(tx, accountId, id)
    if (!endpoint) throw webhookNotFound()
    const now = deps.clock.now()
    const { status, ...values } = change
    if (status === 'disabled') await disableEndpoint(tx, id, now)
    if (status === 'enabled' && endpoint.status === 'disabled') await enableEndpoint(tx, id, now)
    return await updateEndpoint(tx, id, { ...endpoint, ...values }, now)
  })
  if (!stored) throw webhookNotFound()
  return withoutSecrets(deps, stored)
}

/** Creates another secret, shown in this response only; both sign for 24 hours. Throws webhook_not_found. */
export async function rotateSecret(
  deps: Deps,
  accountId: string,
  id: string,
  idempotency?: IdempotencyContext,
): Promise<IdempotentResult<WebhookWithSecret>> {
  const operation = { accountId, operation: 'rotateSecret', request: { id } }
  const { value, replayed } = await runIdempotently(deps, idempotency, operation, async (tx) => {
    if (!(await lockEndpoint(tx, accountId, id))) throw webhookNotFound()
    const now = deps.clock.now()
    const overlapUntil = new Date(now.getTime() + OVERLAP_MS)
    const changed = await replaceSecret(tx, id, encryptSecret(deps.encryption, newSecret()), { now, overlapUntil })
    if (!changed) throw webhookNotFound()
    return changed
  })
  return { value: withSecret(deps, value), replayed }
}

/** Deletes its deliveries, too. Throws webhook_not_found. */
export async function deleteWebhook({ write }: Deps, accountId: string, id: string): Promise<void> {
  if (!(await deleteEndpoint(write, accountId, id))) throw webhookNotFound()
}

function checkUrl({ config }: Pick<Deps, 'config'>, url: string): void {
  const fault = targetUrlFault(url, {
    allowPrivate: config.webhookAllowPrivate,
    httpsOnly: config.environment === 'production',
  })
  if (fault) throw invalidField('body.url', fault)
}

function withoutSecrets({ clock }: Pick<Deps, 'clock'>, stored: StoredWebhook): Webhook {
  const { secretSealed: _, previousSecretSealed: __, previousSecretUntil, ...webhook } = stored
  const hasEnded = previousSecretUntil === null || Date.parse(previousSecretUntil) <= clock.now().getTime()
  return { ...webhook, previousSecretUntil: hasEnded ? null : previousSecretUntil }
}

const withSecret = (deps: Deps, stored: StoredWebhook): WebhookWithSecret => ({
  ...withoutSecrets(deps, stored),
  secret: decryptSecret(deps, stored.secretSealed),
})

/** Also the error for another account's endpoint, so that it does not reveal whether the endpoint exists. */
export const webhookNotFound = (): AppError =>
  new AppError('webhook_not_found', 'Your account has no webhook endpoint with this id.')
