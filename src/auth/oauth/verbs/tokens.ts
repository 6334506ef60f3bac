// The token endpoint: a code or a refresh token for new tokens (RFC 6749 §4.1.3 and §6), and revocation (RFC 7009).
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

import type { Ctx, TxCtx } from '../../../ctx.ts'
import { generateKey, hashKey, secretKindOf } from '../../keys/format.ts'
import { insertGrantKey } from '../../keys/verbs/keys.ts'
import type { Scope } from '../../scopes.ts'
import { endGrants, insertTokens, lockToken, revokeGrants, selectExcessGrants } from '../queries/grants.ts'
import { deleteToken, insertGrant, useRefreshToken } from '../queries/grants.sql.ts'
import { type ApprovedRequestRow, lockRequestByCode } from '../queries/requests.ts'
import { exchangeRequest } from '../queries/requests.sql.ts'
import { findResource } from '../resources.ts'
import { hasOtherAddress } from './access-tokens.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const ACCESS_MS = 60 * MINUTE_MS
/** A grant ends when its app has not asked for new tokens for this long. */
const REFRESH_MS = 90 * DAY_MS
/** For how long a second use of a code is recognized. */
const CODE_KEPT_MS = DAY_MS
/** Grants of one account; the one that was unused for longest ends first. */
export const MAX_GRANTS = 50

/** RFC 6749 §5.1. */
export interface IssuedTokens {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  refresh_token: string
  scope: string
}

/** RFC 6749 §5.2. `description` is for developers of the app. */
export interface TokenRefusal {
  error:
    | 'invalid_request'
    | 'invalid_client'
    | 'invalid_grant'
    | 'invalid_scope'
    | 'invalid_target'
    | 'unsupported_grant_type'
  description: string
}

export type TokenResult = { ok: true; tokens: IssuedTokens } | { ok: false; refusal: TokenRefusal }

const refuse = (error: TokenRefusal['error'], description: string): TokenResult => ({
  ok: false,
  refusal: { error, description },
})

/** Answers a request to the token endpoint. */
export async function issueTokens(ctx: Ctx, { form }: { form: URLSearchParams }): Promise<TokenResult> {
  const repeated = [...form.keys()].find((name) => form.getAll(name).length > 1)
  if (repeated !== undefined) return refuse('invalid_request', 'A parameter was sent more than once.')
  if (!form.get('client_id')) return refuse('invalid_client', 'Send client_id. Apps have no secret here.')
  const kind = form.get('grant_type')
  if (kind === 'authorization_code') return await exchangeCode(ctx, form)
  if (kind === 'refresh_token') return await refresh(ctx, form)
  return refuse('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token.')
}

/**
 * Exchanges a code for tokens. A code that is used twice may have been stolen: the tokens of its first use are revoked (RFC
 * 6749 §4.1.2).
 */
const exchangeCode = (ctx: Ctx, form: URLSearchParams): Promise<TokenResult> =>
  ctx.transaction('exchangeCode', async (ctx) => {
    const code = form.get('code') ?? ''
    const now = ctx.clock.now()
    const request =
      secretKindOf(code) === 'code' ? await lockRequestByCode(ctx, { codeHash: hashKey(code) }) : undefined
    if (request?.keyId) {
      await endStolen(ctx, request.keyId, 'a code was used twice')
      return refuse('invalid_grant', 'The code was used before. Its tokens have ended.')
    }
    if (!request || request.clientId !== form.get('client_id') || new Date(request.expiresAt) <= now)
      return refuse('invalid_grant', 'The code is unknown, has expired, or belongs to another app.')
    if ((form.get('redirect_uri') ?? request.redirectUri) !== request.redirectUri)
      return refuse('invalid_grant', 'redirect_uri is another one than that of the request.')
    if (!isForResource(ctx, form, request)) return refuse('invalid_target', 'The code is for another resource.')
    if (!isVerifier(form.get('code_verifier') ?? '', request.codeChallenge))
      return refuse('invalid_grant', 'code_verifier does not match code_challenge.')
    return { ok: true, tokens: await openGrant(ctx, request) }
  })

/** RFC 7636 §4.6, with S256. */
function isVerifier(verifier: string, challenge: string): boolean {
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false
  const digest = createHash('sha256').update(verifier).digest('base64url')
  return timingSafeEqual(Buffer.from(digest), Buffer.from(challenge))
}

/** Without `resource`, the tokens are for that of the request (RFC 8707 §2.2). */
function isForResource(ctx: Ctx, form: URLSearchParams, { resource }: Pick<ApprovedRequestRow, 'resource'>): boolean {
  const asked = form.get('resource')
  return asked === null || findResource(ctx.config, asked) === resource
}

async function openGrant(ctx: TxCtx, request: ApprovedRequestRow): Promise<IssuedTokens> {
  const now = ctx.clock.now()
  const { accountId, clientId, clientName: name, resource, scopes, userId, emailDigest } = request
  const keyId = ctx.ids.uuid()
  await insertGrantKey(ctx, { id: keyId, accountId, name, scopes, expiresAt: later(now, REFRESH_MS) })
  await insertGrant(ctx, { keyId, clientId, resource, userId, emailDigest })
  await exchangeRequest(ctx, { keyId, keptUntil: later(now, CODE_KEPT_MS), id: request.id })
  await revokeGrants(ctx, { keyIds: await selectExcessGrants(ctx, { accountId, kept: MAX_GRANTS }), now })
  return await newTokens(ctx, { keyId, now, scopes, granted: scopes })
}

/**
 * Exchanges a refresh token, which works once. A second use shows that two parties have it: the whole grant ends (RFC 9700
 * §4.14.2).
 */
const refresh = (ctx: Ctx, form: URLSearchParams): Promise<TokenResult> =>
  ctx.transaction('refreshTokens', async (ctx) => {
    const token = form.get('refresh_token') ?? ''
    const now = ctx.clock.now()
    const found = secretKindOf(token) === 'refresh' ? await lockToken(ctx, { hash: hashKey(token) }) : undefined
    if (found?.kind !== 'refresh' || found.clientId !== form.get('client_id'))
      return refuse('invalid_grant', 'The refresh token is unknown, or belongs to another app.')
    const isEnded = found.isEnded || hasOtherAddress(ctx, found)
    if (found.usedAt !== null && !isEnded) {
      await endStolen(ctx, found.keyId, 'a refresh token was used twice')
      return refuse('invalid_grant', 'The refresh token was used before. All tokens of its grant have ended.')
    }
    if (isEnded || found.usedAt !== null || new Date(found.expiresAt) <= now)
      return refuse('invalid_grant', 'The refresh token has expired, or the person has removed the app.')
    if (!isForResource(ctx, form, found)) return refuse('invalid_target', 'The refresh token is for another resource.')
    const scopes = scopesOf(form, found.scopes)
    if (!scopes)
      return refuse('invalid_scope', 'The person has not granted these scopes. Ask for them with a new request.')
    const { keyId } = found
    await useRefreshToken(ctx, { hash: hashKey(token), keyId, now, expiresAt: later(now, REFRESH_MS) })
    return { ok: true, tokens: await newTokens(ctx, { keyId, now, scopes, granted: found.scopes }) }
  })

/** All scopes of the grant, or those that the app asks for. */
function scopesOf(form: URLSearchParams, granted: readonly Scope[]): readonly Scope[] | undefined {
  const asked = (form.get('scope') ?? '').split(' ').filter(Boolean)
  if (asked.length === 0) return granted
  const scopes = granted.filter((scope) => asked.includes(scope))
  return scopes.length === new Set(asked).size ? scopes : undefined
}

interface NewTokens {
  keyId: string
  now: Date
  scopes: readonly Scope[]
  /** The refresh token keeps all scopes of the grant. */
  granted: readonly Scope[]
}

async function newTokens(ctx: TxCtx, { keyId, now, scopes, granted }: NewTokens): Promise<IssuedTokens> {
  const [access, renewal] = [generateKey('access', randomBytes(64)), generateKey('refresh', randomBytes(64))]
  await insertTokens(ctx, {
    keyId,
    now,
    tokens: [
      { hash: hashKey(access), kind: 'access', scopes, expiresAt: later(now, ACCESS_MS) },
      { hash: hashKey(renewal), kind: 'refresh', scopes: granted, expiresAt: later(now, REFRESH_MS) },
    ],
  })
  return {
    access_token: access,
    token_type: 'Bearer',
    expires_in: ACCESS_MS / 1000,
    refresh_token: renewal,
    scope: scopes.join(' '),
  }
}

const later = (instant: Date, ms: number): Date => new Date(instant.getTime() + ms)

async function endStolen(ctx: TxCtx, keyId: string, reason: string): Promise<void> {
  if ((await revokeGrants(ctx, { keyIds: [keyId], now: ctx.clock.now() })) > 0)
    ctx.log.warn({ grant: keyId, reason }, 'ended the grant of an app')
}

/**
 * Revokes a token (RFC 7009): an access token alone, and with a refresh token the whole grant. Unknown tokens, and those of other
 * apps, are left alone; the answer is the same.
 */
export async function revokeToken(ctx: Ctx, { token, clientId }: { token: string; clientId: string }): Promise<void> {
  const kind = secretKindOf(token)
  if (kind !== 'access' && kind !== 'refresh') return
  await ctx.transaction('revokeToken', async (ctx) => {
    const found = await lockToken(ctx, { hash: hashKey(token) })
    if (found?.clientId !== clientId) return
    if (found.kind === 'access') await deleteToken(ctx, { hash: hashKey(token) })
    else await revokeGrants(ctx, { keyIds: [found.keyId], now: ctx.clock.now() })
  })
}

/** Ends grants that have expired, so that they are deleted like revoked keys. Returns how many. */
export const endExpiredGrants = (ctx: Ctx, { limit }: { limit: number }): Promise<number> =>
  endGrants(ctx, { now: ctx.clock.now(), limit })
