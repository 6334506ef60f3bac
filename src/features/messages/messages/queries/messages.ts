// SQL of messages: planned, claimed, finished.
import type { MessageKind } from '../kinds.ts'
import type { Ctx, TxCtx } from '../../../../ctx.ts'
import * as statements from './messages.sql.ts'

export type MessageStatus = 'pending' | 'sent' | 'failed' | 'suppressed' | 'dropped' | 'joined'

export interface MessageRow {
  key: string
  kind: MessageKind
  to: string
  data?: unknown
  dataEncrypted?: string
  professionalId?: string
  bookingId?: string
  customerEmail?: string
  sendAt?: Date
  traceparent: string | null
}

/** Returns whether the message is new. */
export async function insertMessage(ctx: TxCtx, { row, now }: { row: MessageRow; now: Date }): Promise<boolean> {
  const at = (row.sendAt ?? now).toISOString()
  const rows = await statements.insertMessage(ctx, {
    key: row.key,
    kind: row.kind,
    to: row.to,
    data: row.data === undefined ? null : JSON.stringify(row.data),
    dataEncrypted: row.dataEncrypted,
    professionalId: row.professionalId,
    bookingId: row.bookingId,
    customerEmail: row.customerEmail,
    at,
    traceparent: row.traceparent,
    now,
  })
  return rows.length === 1
}

/** Plans the messages of events in the outbox, except those planned before. Returns how many are new. */
export async function callPlanMessages(
  ctx: TxCtx,
  { eventIds, now }: { eventIds: readonly string[]; now: Date },
): Promise<number> {
  const row = await statements.planMessages(ctx, { eventIds, now })
  return row?.planned ?? 0
}

/** A message claimed for an attempt. */
export interface ClaimedMessage {
  id: number
  kind: string
  recipient: string
  data: Readonly<Record<string, unknown>> | null
  dataEncrypted: string | null
  bookingId: string | null
  /** With this one: identifies a result that arrives after the lease ran out. */
  attempts: number
  /** Earlier answers to try later. */
  refusals: number
  traceparent: string | null
  sendAt: string
  createdAt: string
  isCurrent: boolean
  suppression: 'bounced' | 'unsubscribed' | null
  /** The recipient got as many messages in an hour as one gets. */
  isExcess: boolean
  /** It is about a test pro, so it stays in the embedded mailbox. */
  isTest: boolean
}

export interface ClaimOptions {
  limit: number
  optionalKinds: readonly MessageKind[]
  urgentKinds: readonly MessageKind[]
  /** They have an hourly number of their own. */
  reservedKinds: readonly MessageKind[]
  /** Messages that a recipient gets in an hour. */
  hourly: number
  now: Date
  leaseUntil: Date
}

export const claimMessages = (ctx: Ctx, options: ClaimOptions): Promise<ClaimedMessage[]> =>
  statements.claimMessages<Pick<ClaimedMessage, 'data'>>(ctx, {
    limit: options.limit,
    optionalKinds: options.optionalKinds,
    urgentKinds: options.urgentKinds,
    reservedKinds: options.reservedKinds,
    hourly: options.hourly,
    now: options.now,
    leaseUntil: options.leaseUntil,
  })

export interface MessageResult {
  status: MessageStatus
  /** What the server said, or why the message was not sent. */
  outcome: string
  /** Only of a pending message. */
  nextAttemptAt: Date | null
  /** Whether the server asked to try later. */
  isRefusal: boolean
}

/** Records the result of a claim, unless another worker claimed the message since. Deletes a secret that is done with. */
export async function finishMessage(
  ctx: TxCtx,
  {
    id,
    attempts,
    status,
    outcome,
    nextAttemptAt,
    isRefusal,
    now,
  }: { now: Date } & Pick<ClaimedMessage, 'id' | 'attempts'> & MessageResult,
): Promise<boolean> {
  const rows = await ctx.tx.run(
    'finishMessage',
    (sql) => sql`
      update messages set status = ${status}, outcome = ${outcome.slice(0, 1000)},
        refusals = refusals + ${isRefusal ? 1 : 0}, next_attempt_at = ${nextAttemptAt?.toISOString() ?? null},
        finished_at = ${status === 'pending' ? null : now.toISOString()},
        data_encrypted = ${status === 'pending' ? sql`data_encrypted` : null}
      where id = ${id} and attempts = ${attempts} and status = 'pending' returning id`,
  )
  return rows.length === 1
}

/** Joins the message, and those of `likeKinds` that wait behind it, into the recipient's next digest. */
export async function callJoinDigest(
  ctx: TxCtx,
  {
    id,
    attempts,
    likeKinds,
    now,
  }: { likeKinds: readonly MessageKind[]; now: Date } & Pick<ClaimedMessage, 'id' | 'attempts'>,
): Promise<boolean> {
  const row = await statements.joinDigest(ctx, { id, attempts, likeKinds, now })
  return row?.isJoined ?? false
}

/** A message that a digest tells. */
export interface DigestPart {
  id: number
  kind: string
  data: object
  bookingId: string | null
}

/** What a digest tells as of `now`, oldest first: without what is no longer so, and what its recipient does not want. */
export const selectDigestParts = (
  ctx: Ctx,
  { digestId, optionalKinds, now }: { digestId: number; optionalKinds: readonly MessageKind[]; now: Date },
): Promise<DigestPart[]> =>
  statements.selectDigestParts<Pick<DigestPart, 'data'>>(ctx, { now, digestId, optionalKinds })

export interface MessageBacklog {
  /** Messages that are due, and how long the first of them has been. */
  due: number
  oldestSeconds: number
  /** Messages that wait behind an earlier one to the same recipient, which the mail server put off. */
  held: number
  /** Messages whose last attempt failed: they wait for the next one. */
  retrying: number
}

export async function measureBacklog(
  ctx: Ctx,
  kinds: { now: Date; urgentKinds: readonly MessageKind[]; optionalKinds: readonly MessageKind[] },
): Promise<MessageBacklog> {
  const row = await statements.measureMessageBacklog(ctx, kinds)
  return row ?? { due: 0, oldestSeconds: 0, held: 0, retrying: 0 }
}

/** The business of the user with this address; null for an operator or developer. */
export async function findBusinessOfUser(ctx: TxCtx, { email }: { email: string }): Promise<string | null> {
  const row = await statements.findBusinessOfUser(ctx, { email })
  return row?.businessName ?? null
}
