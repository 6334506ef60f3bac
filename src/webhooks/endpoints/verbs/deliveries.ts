// What an account does with deliveries: looks at them, sends a test, sends again, verifies a signature.
import type { Deps } from '../../../deps.ts'
import { AppError, invalidField } from '../../../errors/app-error.ts'
import type { IdempotencyContext } from '../../../idempotency/context.ts'
import { currentTraceparent } from '../../../platform/telemetry/trace-context.ts'
import { runIdempotently } from '../../../idempotency/verbs.ts'
import { pageMeta, pageOf } from '../../../platform/schema/paging.ts'
import { TEST_EVENT, eventIdOf, publicEventId } from '../events.ts'
import type {
  DeliveryDetail,
  DeliveryList,
  DeliveryQuery,
  Replay,
  Replayed,
  TestSent,
  ToVerify,
  Verification,
} from '../schemas.ts'
import { findDelivery, insertTestEvent, replayDelivery, replayRange, selectDeliveries } from '../queries/deliveries.ts'
import { type StoredWebhook, findEndpoint, lockEndpoint, selectEndpoints } from '../queries/endpoints.ts'
import { openSecret } from '../secrets.ts'
import { webhookNotFound } from './endpoints.ts'
import { DELIVERING_ACTOR } from '../../delivery/planning.ts'
import { TOLERANCE_SECONDS, type Verdict, verify } from '../../delivery/signature.ts'

/** A replay of more goes in several requests. */
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

/** Throws delivery_not_found. */
export async function getDelivery(
  { read }: Deps,
  accountId: string,
  id: string,
  eventId: string,
): Promise<DeliveryDetail> {
  const found = await findDelivery(read, accountId, id, internalId(eventId))
  if (!found) throw deliveryNotFound()
  return found
}

/** Sends an event that says only that it is a test. Throws webhook_not_found, and webhook_disabled. */
export async function sendTest(
  deps: Deps,
  accountId: string,
  id: string,
  once?: IdempotencyContext,
): Promise<TestSent> {
  const sent = await runIdempotently(deps, once, { accountId, operation: 'sendTest', request: { id } }, async (tx) => {
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
  await sendWord(deps, id, sent.eventId)
  return sent
}

/** Sends an event again, under the same id. One that still waits is left as it is. Throws delivery_not_found. */
export async function replayOne(deps: Deps, accountId: string, id: string, eventId: string): Promise<DeliveryDetail> {
  requireEnabled(await findEndpoint(deps.write, accountId, id))
  const internal = internalId(eventId)
  if (await replayDelivery(deps.write, id, internal, deps.clock.now()))
    await sendWord(deps, id, `${eventId}-${deps.clock.now().getTime()}`)
  const found = await findDelivery(deps.write, accountId, id, internal)
  if (!found) throw deliveryNotFound()
  return found
}

/** Sends the events of a time again, oldest first, up to {@link MAX_REPLAY}. Throws webhook_not_found. */
export async function replayMany(deps: Deps, accountId: string, id: string, wish: Replay): Promise<Replayed> {
  if (Date.parse(wish.from) >= Date.parse(wish.to)) throw invalidField('body.to', 'must be after `from`')
  requireEnabled(await findEndpoint(deps.write, accountId, id))
  const states = wish.state === 'all' ? ['delivered', 'failed'] : [wish.state ?? 'failed']
  const range = { from: wish.from, to: wish.to, states, limit: MAX_REPLAY }
  const { replayed, lastAt } = await replayRange(deps.write, id, range, deps.clock.now())
  if (replayed > 0) await sendWord(deps, id, `${id}-${deps.clock.now().getTime()}`)
  return { replayed, continueFrom: replayed === MAX_REPLAY ? lastAt : null }
}

/** Whether a header is the signature of a body by an endpoint of the account. Throws webhook_not_found. */
export async function verifySignature(deps: Deps, accountId: string, wish: ToVerify): Promise<Verification> {
  const endpoints = await endpointsOf(deps, accountId, wish.webhookId)
  const now = deps.clock.now()
  const secrets = endpoints.flatMap((endpoint) =>
    activeSecrets(endpoint, now).map((sealed) => ({ id: endpoint.id, secret: openSecret(deps, sealed) })),
  )
  const verdict = verify(
    wish.signature,
    wish.body,
    secrets.map(({ secret }) => secret),
    now,
  )
  if (!verdict.valid)
    return { valid: false, reason: verdict.reason, detail: WHY[verdict.reason], webhookId: null, timestamp: null }
  const webhookId = secrets[verdict.secretIndex]?.id ?? null
  const timestamp = new Date(verdict.timestamp * 1000).toISOString()
  return { valid: true, reason: null, detail: null, webhookId, timestamp }
}

const WHY: Record<Exclude<Verdict, { valid: true }>['reason'], string> = {
  malformed_header: 'The header must read `t=<unix seconds>,v1=<64 hex digits>`.',
  timestamp_out_of_tolerance: `It was signed with your secret, but more than ${TOLERANCE_SECONDS} seconds from now.`,
  signature_mismatch: 'No secret of yours makes this signature of this body. Compare the raw bytes, not parsed JSON.',
}

async function endpointsOf({ read }: Deps, accountId: string, id: string | undefined): Promise<StoredWebhook[]> {
  if (id === undefined) return (await selectEndpoints(read, accountId, { limit: MAX_ENDPOINTS, offset: 0 })).endpoints
  const found = await findEndpoint(read, accountId, id)
  if (!found) throw webhookNotFound()
  return [found]
}

/** Sealed: the present one, and the one before while it still signs. */
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

/** So that the worker need not find out by looking. It does look: losing the word loses a second. */
async function sendWord({ queues, log }: Deps, endpointId: string, id: string): Promise<void> {
  try {
    await queues.send(DELIVERING_ACTOR, [{ id, data: { endpointIds: [endpointId] } }])
  } catch (error) {
    log.debug({ error: String(error) }, 'no word of a delivery could be sent')
  }
}

function internalId(text: string): string {
  const id = eventIdOf(text)
  if (!id) throw deliveryNotFound()
  return id
}

const deliveryNotFound = () => new AppError('delivery_not_found', 'This endpoint has no delivery of such an event.')
