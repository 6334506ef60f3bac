// Requests for access, and their one-time codes, in the database.
import type { Scope } from '../../scopes.ts'
import type { ResourceName, Side } from '../resources.ts'
import type { Person } from '../schemas.ts'
import type { ClientRow } from './clients.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'
import * as statements from './requests.sql.ts'

export interface NewRequestRow {
  id: string
  clientId: string
  redirectUri: string
  state: string | null
  resource: ResourceName
  side: Side
  scopes: Scope[]
  codeChallenge: string
}

/** A request that waits for a decision, with its app. */
export interface PendingRequestRow extends NewRequestRow {
  expiresAt: string
  client: ClientRow
}

type FoundRequest = NewRequestRow & { expiresAt: string } & Pick<ClientRow, 'name' | 'redirectUris' | 'uri'>

export async function findPendingRequest(
  ctx: Ctx,
  { id, now }: { id: string; now: Date },
): Promise<PendingRequestRow | undefined> {
  const row = await statements.findOAuthRequest<Pick<FoundRequest, 'scopes'>>(ctx, { id, now })
  if (!row) return undefined
  const { name, redirectUris, uri, ...request } = row
  return { ...request, client: { id: request.clientId, name, redirectUris, uri } }
}

interface Approval {
  codeHash: Buffer
  accountId: string
  userId: string | null
  emailDigest: string | null
  expiresAt: Date
  now: Date
}

/** Gives the request its code, unless it was decided or has expired. */
export async function approveRequest(
  ctx: TxCtx,
  { id, it }: { id: string; it: Approval },
): Promise<NewRequestRow | undefined> {
  return await statements.approveOAuthRequest<Pick<NewRequestRow, 'scopes'>>(ctx, {
    codeHash: it.codeHash,
    accountId: it.accountId,
    userId: it.userId,
    emailDigest: it.emailDigest,
    expiresAt: it.expiresAt,
    id,
    now: it.now,
  })
}

/** Removes a request that waits for a decision. */
export async function deleteRequest(
  ctx: Ctx,
  { id, now }: { id: string; now: Date },
): Promise<NewRequestRow | undefined> {
  return await statements.deleteOAuthRequest<Pick<NewRequestRow, 'scopes'>>(ctx, { id, now })
}

/** A request with a code. */
export interface ApprovedRequestRow extends NewRequestRow {
  clientName: string
  accountId: string
  userId: string | null
  emailDigest: string | null
  /** Of the code. */
  expiresAt: string
  /** The grant that the code was exchanged for. */
  keyId: string | null
}

/** The request with this code, locked until the transaction ends. */
export async function lockRequestByCode(
  ctx: TxCtx,
  { codeHash }: { codeHash: Buffer },
): Promise<ApprovedRequestRow | undefined> {
  return await statements.lockOAuthCode<Pick<ApprovedRequestRow, 'scopes'>>(ctx, { codeHash })
}

/** Keeps the person as they are until the transaction ends. */
export async function lockPerson(ctx: TxCtx, person: Person): Promise<void> {
  if (person.side === 'pro') await statements.lockUser(ctx, person)
  else await statements.lockCustomer(ctx, person)
}

/** Whether the session is the person's and has not ended. */
export async function hasSession(
  ctx: TxCtx,
  { person, tokenHash, now }: { person: Person; tokenHash: Buffer; now: Date },
): Promise<boolean> {
  const rows =
    person.side === 'pro'
      ? await statements.findSessionOfUser(ctx, { tokenHash, now, userId: person.userId })
      : await statements.findSessionOfCustomer(ctx, { tokenHash, now, accountId: person.accountId })
  return rows.length > 0
}

/** The account of a pro and an owner who may log in; undefined when they do not belong together. */
export async function findAccountOfUser(
  ctx: Ctx,
  { professionalId, userId }: { professionalId: string; userId: string },
): Promise<string | undefined> {
  const row = await statements.findAccountOfUser(ctx, { userId, professionalId })
  return row?.accountId
}
