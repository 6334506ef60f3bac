// The deliveries of an account's endpoints: listed, tested, replayed; and the verification of signatures.
import type { Ctx } from '../../../ctx.ts'
import { AppError, invalidField } from '../../../errors/app-error.ts'
import { normalizeCode } from '../../../features/booking/bookings/rules/confirmation-codes.ts'
import { runIdempotently } from '../../../idempotency/verbs.ts'
import { type PageMeta, pageMeta, pageOf } from '../../../platform/schema/paging.ts'
import { isUuid } from '../../../platform/schema/types.ts'
import { currentTraceparent } from '../../../platform/telemetry/trace-context.ts'
import { notifyDispatcher } from '../../delivery/planning.ts'
import { decryptSecret } from '../../delivery/secrets.ts'
import { type SignatureCheck, TOLERANCE_SECONDS, verify, verifyStandard } from '../../delivery/signature.ts'
import { TEST_EVENT, eventIdOf, publicEventId } from '../events.ts'
import {
  type DeliverySubject,
  findDelivery,
  hastenDelivery,
  insertTestEvent,
  replayDelivery,
  replayRange,
  selectAccountDeliveries,
  selectDeliveries,
} from '../queries/deliveries.ts'
import { type StoredWebhook, findEndpoint, lockEndpoint, selectEndpoints } from '../queries/endpoints.ts'
import type {
  AccountDelivery,
  DeliveryDetail,
  DeliveryFilter,
  DeliveryList,
  DeliveryQuery,
  ReplayInput,
  ReplayResult,
  SignatureInput,
  TestSent,
  Verification,
} from '../schemas.ts'
import { webhookNotFound } from './endpoints.ts'

/** A larger replay takes several requests. */
const MAX_REPLAY = 5000
const MAX_ENDPOINTS = 100

/** Newest first. Throws webhook_not_found. */
export async function listDeliveries(
  ctx: Ctx<{ accountId: string }>,
  { id, ...query }: { id: string } & DeliveryQuery,
): Promise<DeliveryList> {
  if (!(await findEndpoint(ctx, { accountId: ctx.actor.accountId, id }))) throw webhookNotFound()
  const { deliveries, total } = await selectDeliveries(ctx, {
    state: query.state ?? null,
    ...pageOf(query),
    endpointId: id,
  })
  return { deliveries, meta: pageMeta(total, query) }
}

/** The deliveries of all endpoints of an account, newest first, by endpoint, type, state and day, and what they are about. */
export async function listAccountDeliveries(
  ctx: Ctx<{ accountId: string }>,
  { endpointId, type, state, about, day, limit, offset }: DeliveryFilter,
): Promise<{ deliveries: AccountDelivery[]; meta: PageMeta }> {
  const filter = {
    endpointId: endpointId ?? null,
    type: type ?? null,
    state: state ?? null,
    about: about === undefined ? null : subjectIn(about),
    day: day ?? null,
  }
  const page = pageOf({ limit, offset })
  const { deliveries, total } = await selectAccountDeliveries(ctx, {
    ...filter,
    ...page,
    accountId: ctx.actor.accountId,
  })
  return { deliveries, meta: pageMeta(total, page) }
}

/** What a text names: an event, what events are about, or a booking by its code. */
function subjectIn(text: string): DeliverySubject {
  const id = eventIdOf(text) ?? text
  return isUuid(id) ? { id, code: null } : { id: null, code: normalizeCode(text) }
}

/** Throws delivery_not_found. */
export async function getDelivery(
  ctx: Ctx<{ accountId: string }>,
  { id, eventId }: { id: string; eventId: string },
): Promise<DeliveryDetail> {
  const delivery = await findDelivery(ctx, {
    accountId: ctx.actor.accountId,
    endpointId: id,
    eventId: internalId(eventId),
  })
  if (!delivery) throw deliveryNotFound()
  return delivery
}

/** Sends a test event. Throws webhook_not_found and webhook_disabled. */
export async function sendTest(ctx: Ctx<{ accountId: string }>, { id }: { id: string }): Promise<TestSent> {
  const operation = { accountId: ctx.actor.accountId, operation: 'sendTest', request: { id } }
  const sent = await runIdempotently(ctx, operation, async (ctx) => {
    requireEnabled(await lockEndpoint(ctx, { accountId: ctx.actor.accountId, id }))
    const eventId = ctx.ids.uuid()
    await insertTestEvent(ctx, {
      endpointId: id,
      event: {
        id: eventId,
        type: TEST_EVENT,
        object: { webhookId: id, message: 'This is a test. Nothing has happened.' },
        traceparent: currentTraceparent() ?? null,
        now: ctx.clock.now(),
      },
    })
    return { eventId: publicEventId(eventId) }
  })
  await notifyDispatcher(ctx, id, sent.eventId)
  return sent
}

/** Sends an event again, under the same id. A pending delivery is not changed. Throws delivery_not_found. */
export async function replayOne(
  ctx: Ctx<{ accountId: string }>,
  { id, eventId }: { id: string; eventId: string },
): Promise<DeliveryDetail> {
  const internal = internalId(eventId)
  const operation = { accountId: ctx.actor.accountId, operation: 'replayOne', request: { id, eventId } }
  const value = await runIdempotently(ctx, operation, async (ctx) => {
    requireEnabled(await findEndpoint(ctx, { accountId: ctx.actor.accountId, id }))
    const isDue = await replayDelivery(ctx, { endpointId: id, eventId: internal, now: ctx.clock.now() })
    const delivery = await findDelivery(ctx, { accountId: ctx.actor.accountId, endpointId: id, eventId: internal })
    if (!delivery) throw deliveryNotFound()
    return { delivery, isDue }
  })
  if (value.isDue) await notifyDispatcher(ctx, id, `${eventId}-${ctx.clock.now().getTime()}`)
  return value.delivery
}

/**
 * Sends an event now: again if its delivery is finished, or the next attempt of one that waits for it. An attempt that is in
 * progress is not doubled. Throws like {@link replayOne}.
 */
export async function sendNow(
  ctx: Ctx<{ accountId: string }>,
  { id, eventId }: { id: string; eventId: string },
): Promise<DeliveryDetail> {
  const value = await replayOne(ctx, { id, eventId })
  if (await hastenDelivery(ctx, { endpointId: id, eventId: internalId(eventId), now: ctx.clock.now() }))
    await notifyDispatcher(ctx, id, `${eventId}-${ctx.clock.now().getTime()}`)
  return value
}

/** Sends the events of a period again, oldest first, up to {@link MAX_REPLAY}. Throws webhook_not_found. */
export async function replayMany(
  ctx: Ctx<{ accountId: string }>,
  { id, ...input }: { id: string } & ReplayInput,
): Promise<ReplayResult> {
  const { from, to, state = 'failed' } = input
  if (Date.parse(from) >= Date.parse(to)) throw invalidField('body.to', 'must be after `from`')
  const states = state === 'all' ? ['delivered', 'failed'] : [state]
  const range = { from, to, states, limit: MAX_REPLAY }
  const operation = { accountId: ctx.actor.accountId, operation: 'replayMany', request: { id, ...input } }
  const result = await runIdempotently(ctx, operation, async (ctx) => {
    requireEnabled(await findEndpoint(ctx, { accountId: ctx.actor.accountId, id }))
    const { replayed, lastAt } = await replayRange(ctx, { endpointId: id, range, now: ctx.clock.now() })
    return { replayed, continueFrom: replayed === MAX_REPLAY ? lastAt : null }
  })
  if (result.replayed > 0) await notifyDispatcher(ctx, id, `${id}-${ctx.clock.now().getTime()}`)
  return result
}

/** Checks a signature of a body against the secrets of the account's endpoints. Throws webhook_not_found. */
export async function verifySignature(ctx: Ctx<{ accountId: string }>, input: SignatureInput): Promise<Verification> {
  const endpoints = await listEndpoints(ctx, input.webhookId)
  const now = ctx.clock.now()
  const secrets = endpoints.flatMap((endpoint) =>
    activeSecrets(endpoint, now).map((encrypted) => ({ id: endpoint.id, secret: decryptSecret(ctx, encrypted) })),
  )
  const { signature, id, timestamp: at, body } = input
  const texts = secrets.map(({ secret }) => secret)
  const check =
    id === undefined && at === undefined
      ? verify(signature, body, texts, now)
      : verifyStandard({ signature, id: id ?? '', timestamp: at ?? '' }, body, texts, now)
  if (!check.valid)
    return { valid: false, reason: check.reason, detail: DETAILS[check.reason], webhookId: null, timestamp: null }
  const webhookId = secrets[check.secretIndex]?.id ?? null
  const timestamp = new Date(check.timestamp * 1000).toISOString()
  return { valid: true, reason: null, detail: null, webhookId, timestamp }
}

const DETAILS: Record<Exclude<SignatureCheck, { valid: true }>['reason'], string> = {
  malformed_header:
    'The header must read `t=<unix seconds>,v1=<64 hex digits>`. Of Standard Webhooks send `signature` (`v1,<base64>`), `id` and `timestamp`.',
  timestamp_out_of_tolerance: `The secret is yours, but the timestamp is more than ${TOLERANCE_SECONDS} seconds from now.`,
  signature_mismatch:
    'None of your secrets produces this signature. Compare the raw bytes of the body, not parsed JSON.',
}

async function listEndpoints(ctx: Ctx<{ accountId: string }>, id: string | undefined): Promise<StoredWebhook[]> {
  if (id === undefined)
    return (await selectEndpoints(ctx, { limit: MAX_ENDPOINTS, offset: 0, accountId: ctx.actor.accountId })).endpoints
  const endpoint = await findEndpoint(ctx, { accountId: ctx.actor.accountId, id })
  if (!endpoint) throw webhookNotFound()
  return [endpoint]
}

/** Encrypted: the current secret, and the previous one while it still signs. */
const activeSecrets = (endpoint: StoredWebhook, now: Date): string[] => [
  endpoint.secretSealed,
  ...(endpoint.previousSecretSealed && Date.parse(endpoint.previousSecretUntil ?? '') > now.getTime()
    ? [endpoint.previousSecretSealed]
    : []),
]

function requireEnabled(endpoint: StoredWebhook | undefined): void {
  if (!endpoint) throw webhookNotFound()
  if (endpoint.status === 'disabled')
    throw new AppError('webhook_disabled', 'The endpoint is disabled. Enable it first: `{ "status": "enabled" }`.')
}

function internalId(publicId: string): string {
  const id = eventIdOf(publicId)
  if (!id) throw deliveryNotFound()
  return id
}

const deliveryNotFound = () => new AppError('delivery_not_found', 'This endpoint has no delivery of this event.')
