// Endpoints of an account: made, read, changed, deleted, by their owner alone; and what events are to be delivered there.
import type { Deps } from '../../../deps.ts'
import { AppError, invalidField } from '../../../errors/app-error.ts'
import { faultOfUrl } from '../../../platform/net/addresses.ts'
import type { Runner } from '../../../platform/postgres/database.ts'
import type { IdempotencyContext } from '../../../idempotency/context.ts'
import { runIdempotently } from '../../../idempotency/verbs.ts'
import { addNotice } from '../../../features/notices/verbs.ts'
import { type PageQuery, pageMeta, pageOf } from '../../../platform/schema/paging.ts'
import type { NewWebhook, Webhook, WebhookChange, WebhookList, WebhookWithSecret } from '../schemas.ts'
import {
  type StoredWebhook,
  countEndpoints,
  deleteEndpoint,
  disableEndpoint,
  enableEndpoint,
  findEndpoint,
  insertEndpoint,
  lockEndpoint,
  replaceSecret,
  selectEndpoints,
  updateEndpoint,
} from '../queries/endpoints.ts'
import { OVERLAP_MS, newSecret, openSecret, sealSecret } from '../secrets.ts'

/** Every event is sent to each of them. */
const MAX_ENDPOINTS = 100
const DEFAULT_MAX_RETRIES = 8

/**
 * Disables an endpoint because of what it answers, and tells its account. What waits for it has failed, and can be
 * replayed. Answers whether it was enabled.
 */
export const disableWebhook = (deps: Deps, id: string, reason: 'gone' | 'failing'): Promise<boolean> =>
  deps.write.begin('disableWebhook', async (tx) => {
    const disabled = await disableEndpoint(tx, id, reason, deps.clock.now())
    if (!disabled) return false
    const data = { webhookId: id, name: disabled.name, reason }
    await addNotice(deps, tx, disabled.accountId, { kind: 'webhook_disabled', data })
    return true
  })

/**
 * Makes an endpoint; its secret is shown in this answer only. Throws validation_failed for a URL that may not be called.
 * Where its name leads is looked at before each delivery, because it can change.
 */
export async function createWebhook(
  deps: Deps,
  accountId: string,
  wish: NewWebhook,
  once?: IdempotencyContext,
): Promise<WebhookWithSecret> {
  refuseBadUrl(deps, wish.url)
  // What is kept for the idempotency key is sealed, too.
  const stored = await runIdempotently(
    deps,
    once,
    { accountId, operation: 'createWebhook', request: wish },
    async (tx) => {
      if ((await countEndpoints(tx, accountId)) >= MAX_ENDPOINTS)
        throw new AppError('too_many_webhooks', `An account may have up to ${MAX_ENDPOINTS} webhook endpoints.`)
      const made = {
        id: deps.ids.uuid(),
        secretSealed: sealSecret(deps.encryption, newSecret()),
        now: deps.clock.now(),
      }
      return await insertEndpoint(tx, accountId, made, {
        name: wish.name,
        url: wish.url,
        events: wish.events,
        ordered: wish.ordered ?? false,
        maxRetries: wish.maxRetries ?? DEFAULT_MAX_RETRIES,
      })
    },
  )
  return withSecret(deps, stored)
}

/** Newest first. */
export async function listWebhooks(deps: Deps, accountId: string, query: PageQuery): Promise<WebhookList> {
  const { endpoints, total } = await selectEndpoints(deps.read, accountId, pageOf(query))
  return { webhooks: endpoints.map((stored) => shown(deps, stored)), meta: pageMeta(total, query) }
}

/** Throws webhook_not_found. */
export async function getWebhook(deps: Deps, accountId: string, id: string): Promise<Webhook> {
  return shown(deps, await getStored(deps.read, accountId, id))
}

/** Changes what is named. Throws webhook_not_found, and validation_failed like {@link createWebhook}. */
export async function changeWebhook(
  deps: Deps,
  accountId: string,
  id: string,
  change: WebhookChange,
): Promise<Webhook> {
  if (change.url !== undefined) refuseBadUrl(deps, change.url)
  const stored = await deps.write.begin('changeWebhook', async (tx) => {
    const found = await lockEndpoint(tx, accountId, id)
    if (!found) throw webhookNotFound()
    const now = deps.clock.now()
    const { status, ...values } = change
    if (status === 'disabled') await disableEndpoint(tx, id, 'by_owner', now)
    if (status === 'enabled' && found.status === 'disabled') await enableEndpoint(tx, id, now)
    return await updateEndpoint(tx, id, { ...found, ...values }, now)
  })
  if (!stored) throw webhookNotFound()
  return shown(deps, stored)
}

/** Makes another secret, shown in this answer only; both sign for 24 hours. Throws webhook_not_found. */
export async function rotateSecret(
  deps: Deps,
  accountId: string,
  id: string,
  once?: IdempotencyContext,
): Promise<WebhookWithSecret> {
  const stored = await runIdempotently(
    deps,
    once,
    { accountId, operation: 'rotateSecret', request: { id } },
    async (tx) => {
      if (!(await lockEndpoint(tx, accountId, id))) throw webhookNotFound()
      const now = deps.clock.now()
      const overlapUntil = new Date(now.getTime() + OVERLAP_MS)
      const changed = await replaceSecret(tx, id, sealSecret(deps.encryption, newSecret()), { now, overlapUntil })
      if (!changed) throw webhookNotFound()
      return changed
    },
  )
  return withSecret(deps, stored)
}

/** With its deliveries. Throws webhook_not_found. */
export async function deleteWebhook({ write }: Deps, accountId: string, id: string): Promise<void> {
  if (!(await deleteEndpoint(write, accountId, id))) throw webhookNotFound()
}

async function getStored(db: Runner, accountId: string, id: string): Promise<StoredWebhook> {
  const found = await findEndpoint(db, accountId, id)
  if (!found) throw webhookNotFound()
  return found
}

function refuseBadUrl({ config }: Pick<Deps, 'config'>, url: string): void {
  const fault = faultOfUrl(url, {
    allowPrivate: config.webhookAllowPrivate,
    httpsOnly: config.environment === 'production',
  })
  if (fault) throw invalidField('body.url', fault)
}

/** Without its secrets. */
function shown({ clock }: Pick<Deps, 'clock'>, stored: StoredWebhook): Webhook {
  const { secretSealed: _, previousSecretSealed: __, previousSecretUntil, ...webhook } = stored
  const isOver = previousSecretUntil === null || Date.parse(previousSecretUntil) <= clock.now().getTime()
  return { ...webhook, previousSecretUntil: isOver ? null : previousSecretUntil }
}

const withSecret = (deps: Deps, stored: StoredWebhook): WebhookWithSecret => ({
  ...shown(deps, stored),
  secret: openSecret(deps, stored.secretSealed),
})

/** Also the answer for another account's: whether that exists is not told. */
export const webhookNotFound = (): AppError =>
  new AppError('webhook_not_found', 'No webhook endpoint of yours has this id.')
