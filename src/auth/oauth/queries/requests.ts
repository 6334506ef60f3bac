// Requests for access, and their one-time codes, in the database.
import type { Scope } from '../../scopes.ts'
import type { ResourceName, Side } from '../resources.ts'
import type { Person } from '../schemas.ts'
import type { ClientRow } from './clients.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'

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

/** Records the request, and that the app is in use. */
export async function insertRequest(ctx: Ctx, row: NewRequestRow & { now: Date; expiresAt: Date }): Promise<void> {
  await ctx.write.run(
    'insertOAuthRequest',
    (sql) => sql`
      with used as (update oauth_clients set used_at = ${row.now.toISOString()} where id = ${row.clientId})
      insert into oauth_requests (
        id, client_id, redirect_uri, state, resource, side, scopes, code_challenge, created_at, expires_at)
      values (${row.id}, ${row.clientId}, ${row.redirectUri}, ${row.state}, ${row.resource}, ${row.side}, ${row.scopes},
        ${row.codeChallenge}, ${row.now.toISOString()}, ${row.expiresAt.toISOString()})`,
  )
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
  const [row] = await ctx.write.run<FoundRequest>(
    'findOAuthRequest',
    (sql) => sql`
      select r.id, r.client_id, r.redirect_uri, r.state, r.resource, r.side, r.scopes, r.code_challenge, r.expires_at,
        c.name, c.redirect_uris, c.uri
      from oauth_requests r join oauth_clients c on c.id = r.client_id
      where r.id = ${id} and r.code_hash is null and r.expires_at > ${now.toISOString()}`,
  )
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
  const [row] = await ctx.tx.run<NewRequestRow>(
    'approveOAuthRequest',
    (sql) => sql`
      update oauth_requests set code_hash = ${it.codeHash}, account_id = ${it.accountId}, user_id = ${it.userId},
        email_digest = ${it.emailDigest},
        expires_at = ${it.expiresAt.toISOString()}
      where id = ${id} and code_hash is null and expires_at > ${it.now.toISOString()}
      returning id, client_id, redirect_uri, state, resource, side, scopes, code_challenge`,
  )
  return row
}

/** Removes a request that waits for a decision. */
export async function deleteRequest(
  ctx: Ctx,
  { id, now }: { id: string; now: Date },
): Promise<NewRequestRow | undefined> {
  const [row] = await ctx.write.run<NewRequestRow>(
    'deleteOAuthRequest',
    (sql) => sql`
      delete from oauth_requests where id = ${id} and code_hash is null and expires_at > ${now.toISOString()}
      returning id, client_id, redirect_uri, state, resource, side, scopes, code_challenge`,
  )
  return row
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
  const [row] = await ctx.tx.run<ApprovedRequestRow>(
    'lockOAuthCode',
    (sql) => sql`
      select r.id, r.client_id, c.name as client_name, r.redirect_uri, r.state, r.resource, r.side, r.scopes,
        r.code_challenge, r.account_id, r.user_id, r.email_digest, r.expires_at, r.key_id
      from oauth_requests r join oauth_clients c on c.id = r.client_id
      where r.code_hash = ${codeHash}
      for update of r`,
  )
  return row
}

/** Records what the code was exchanged for. */
export async function exchangeRequest(
  ctx: TxCtx,
  { id, keyId, keptUntil }: { id: string; keyId: string; keptUntil: Date },
): Promise<void> {
  await ctx.tx.run(
    'exchangeOAuthCode',
    (sql) => sql`
      update oauth_requests set key_id = ${keyId}, expires_at = ${keptUntil.toISOString()} where id = ${id}`,
  )
}

/** Keeps the person as they are until the transaction ends. */
export async function lockPerson(ctx: TxCtx, person: Person): Promise<void> {
  await ctx.tx.run('lockPerson', (sql) =>
    person.side === 'pro'
      ? sql`select from users where id = ${person.userId} for share`
      : sql`select from customers where account_id = ${person.accountId} for share`,
  )
}

/** Whether the session is the person's and has not ended. */
export async function hasSession(
  ctx: TxCtx,
  { person, tokenHash, now }: { person: Person; tokenHash: Buffer; now: Date },
): Promise<boolean> {
  const at = now.toISOString()
  const rows = await ctx.tx.run('hasSessionOfPerson', (sql) =>
    person.side === 'pro'
      ? sql`
          select from sessions where token_hash = ${tokenHash} and user_id = ${person.userId} and expires_at > ${at}`
      : sql`
          select from customer_sessions s join customers c on c.account_id = s.account_id and c.email = s.email
          where s.token_hash = ${tokenHash} and s.account_id = ${person.accountId} and s.expires_at > ${at}`,
  )
  return rows.length > 0
}

/** The account of a pro and a user who may log in; undefined when they do not belong together. */
export async function findAccountOfUser(
  ctx: Ctx,
  { professionalId, userId }: { professionalId: string; userId: string },
): Promise<string | undefined> {
  const [row] = await ctx.write.run<{ accountId: string }>(
    'findAccountOfUser',
    (sql) => sql`
      select u.account_id from users u join professionals p on p.account_id = u.account_id
      where u.id = ${userId} and p.id = ${professionalId} and u.role = 'pro' and u.disabled_at is null`,
  )
  return row?.accountId
}
