// The deliveries of an account's endpoints: listed, tested, replayed; and the verification of signatures.
import type { Deps } from '../../../deps.ts'
import { AppError, invalidField } from '../../../errors/app-error.ts'
import { normalizeCode } from '../../../features/bookings/verbs/find-booking.ts'
import type { IdempotencyContext, IdempotentResult } from '../../../idempotency/context.ts'
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
  { read }: Deps,
  accountId: string,
  id: string,
  query: DeliveryQuery,
): Promise<DeliveryList> {
  if (!(await findEndpoint(read, accountId, id))) throw webhookNotFound()
  const { deliveries, total } = await selectDeliveries(read, id, { state: query.state ?? null, ...pageOf(query) })
  return { deliveries, meta: pageMeta(total, query) }
}

/** The deliveries of all endpoints of an account, newest first, by endpoint, type, state and day, and what they are about. */
export async function listAccountDeliveries(
  { read }: Deps,
  accountId: string,
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
  const { deliveries, total } = await selectAccountDeliveries(read, accountId, { ...filter, ...page })
  return { deliveries, meta: pageMeta(total, page) }
}

/** What a text names: an event, what events are about, or a booking by its code. */
function subjectIn(text: string): DeliverySubject {
  const id = eventIdOf(text) ?? text
  return isUuid(id) ? { id, code: null } : { id: null, code: normalizeCode(text) }
}

/** Throws delivery_not_found. */
export async function getDelivery(
  { read }: Deps,
  accountId: string,
  id: string,
  eventId: string,
): Promise<DeliveryDetail> {
  const delivery = await findDelivery(read, accountId, id, internalId(eventId))
  if (!delivery) throw deliveryNotFound()
  return delivery
}

/** Sends a test event. Throws webhook_not_found and webhook_disabled. */
export async function sendTest(
  deps: Deps,
  accountId: string,
  id: string,
  idempotency?: IdempotencyContext,
): Promise<IdempotentResult<TestSent>> {
  const operation = { accountId, operation: 'sendTest', request: { id } }
  const sent = await runIdempotently(deps, idempotency, operation, async (tx) => {
    requireEnabled(await lockEndpoint(tx, accountId, id))
    const eventId = deps.ids.uuid()
    await insertTestEvent(tx, id, {
      id: eventId,
      type: TEST_EVENT,
      object: { webhookId: id, message: 'This is a test. Nothing has happened.' },
      traceparent: currentTraceparent() ?? null,
      now: deps.clock.now(),
    })
    return { eventId: publicEventId(eventId) }
  })
  await notifyDispatcher(deps, id, sent.value.eventId)
  return sent
}

/** Sends an event again, under the same id. A pending delivery is not changed. Throws delivery_not_found. */
export async function replayOne(
  deps: Deps,
  accountId: string,
  id: string,
  eventId: string,
  idempotency?: IdempotencyContext,
): Promise<IdempotentResult<DeliveryDetail>> {
  const internal = internalId(eventId)
  const operation = { accountId, operation: 'replayOne', request: { id, eventId } }
  const { value, replayed } = await runIdempotently(deps, idempotency, operation, async (tx) => {
    requireEnabled(await findEndpoint(tx, accountId, id))
    const isDue = await replayDelivery(tx, id, internal, deps.clock.now())
    const delivery = await findDelivery(tx, accountId, id, internal)
    if (!delivery) throw deliveryNotFound()
    return { delivery, isDue }
  })
  if (value.isDue) await notifyDispatcher(deps, id, `${eventId}-${deps.clock.now().getTime()}`)
  return { value: value.delivery, replayed }
}

/**
 * Sends an event now: again if its delivery is finished, or the next attempt of one that waits for it. An attempt that is in
 * progress is not doubled. Throws like {@link replayOne}.
 */
export async function sendNow(deps: Deps, accountId: string, id: string, eventId: string): Promise<DeliveryDetail> {
  const { value } = await replayOne(deps, accountId, id, eventId)
  if (await hastenDelivery(deps.write, id, internalId(eventId), deps.clock.now()))
    await notifyDispatcher(deps, id, `${eventId}-${deps.clock.now().getTime()}`)
  return value
}

/** Sends the events of a period again, oldest first, up to {@link MAX_REPLAY}. Throws webhook_not_found. */
export async function replayMany(
  deps: Deps,
  accountId: string,
  id: string,
  input: ReplayInput,
  idempotency?: IdempotencyContext,
): Promise<IdempotentResult<ReplayResult>> {
  const { from, to, state = 'failed' } = input
  if (Date.parse(from) >= Date.parse(to)) throw invalidField('body.to', 'must be after `from`')
  const states = state === 'all' ? ['delivered', 'failed'] : [state]
  const range = { from, to, states, limit: MAX_REPLAY }
  const operation = { accountId, operation: 'replayMany', request: { id, ...input } }
  const result = await runIdempotently(deps, idempotency, operation, async (tx) => {
    requireEnabled(await findEndpoint(tx, accountId, id))
    const { replayed, lastAt } = await replayRange(tx, id, range, deps.clock.now())
    return { replayed, continueFrom: replayed === MAX_REPLAY ? lastAt : null }
  })
  if (result.value.replayed > 0) await notifyDispatcher(deps, id, `${id}-${deps.clock.now().getTime()}`)
  return result
}

/** Checks a signature of a body against the secrets of the account's endpoints. Throws webhook_not_found. */
export async function verifySignature(deps: Deps, accountId: string, input: SignatureInput): Promise<Verification> {
  const endpoints = await listEndpoints(deps, accountId, input.webhookId)
  const now = deps.clock.now()
  const secrets = endpoints.flatMap((endpoint) =>
    activeSecrets(endpoint, now).map((encrypted) => ({ id: endpoint.id, secret: decryptSecret(deps, encrypted) })),
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

async function listEndpoints({ read }: Deps, accountId: string, id: string | undefined): Promise<StoredWebhook[]> {
  if (id === undefined) return (await selectEndpoints(read, accountId, { limit: MAX_ENDPOINTS, offset: 0 })).endpoints
  const endpoint = await findEndpoint(read, accountId, id)
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
