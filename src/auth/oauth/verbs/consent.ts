// A person's decision about an app's request for access.
import { randomBytes } from 'node:crypto'

import type { Ctx, TxCtx } from '../../../ctx.ts'
import { AppError } from '../../../errors/app-error.ts'
import { isUuid } from '../../../platform/schema/types.ts'
import { generateKey, hashKey } from '../../keys/format.ts'
import { hashToken } from '../../users/tokens.ts'
import {
  approveRequest,
  deleteRequest,
  findAccountOfUser,
  findPendingRequest,
  hasSession,
  lockPerson,
} from '../queries/requests.ts'
import { destinationOf } from '../redirect-uris.ts'
import { RESOURCES, wordsOf } from '../resources.ts'
import type { AuthorizationRequest, Person } from '../schemas.ts'
import { digestOfAddress } from './access-tokens.ts'
import { answerUrl } from './authorization.ts'
import { identityOfApp } from './clients.ts'

/** RFC 6749 §4.1.2 proposes at most ten minutes; apps exchange a code at once. */
const CODE_MS = 60_000

const notFound = () =>
  new AppError(
    'authorization_request_not_found',
    'The app’s request was answered or has expired. Start again in the app.',
  )

/** The request that waits for a decision. Throws authorization_request_not_found for an unknown, decided or expired one. */
export async function readAuthorizationRequest(ctx: Ctx, { id }: { id: string }): Promise<AuthorizationRequest> {
  const row = isUuid(id) ? await findPendingRequest(ctx, { id, now: ctx.clock.now() }) : undefined
  if (!row) throw notFound()
  const { client, side, resource, redirectUri, expiresAt } = row
  return {
    id,
    client: identityOfApp(client, redirectUri),
    side,
    scopes: row.scopes.map((scope) => ({ scope, words: wordsOf(resource, side, scope) })),
    resource,
    resourceName: RESOURCES[resource].name,
    returnsTo: destinationOf(redirectUri),
    expiresAt,
  }
}

/** A person whose browser has this session. */
export type SignedIn = Person & { readonly sessionToken: string }

/**
 * Grants the request. Returns the URL to which the browser goes next, with a one-time code. Throws
 * authorization_request_not_found, role_not_allowed for a person of the other side, and login_required or sign_in_required
 * when the session ended meanwhile.
 */
export async function approve(ctx: Ctx, { id, person }: { id: string; person: SignedIn }): Promise<string> {
  const request = await readAuthorizationRequest(ctx, { id })
  if (request.side !== person.side)
    throw new AppError('role_not_allowed', `The app asks for access as a ${request.side}.`)
  const code = generateKey('code', randomBytes(64))
  const now = ctx.clock.now()
  const expiresAt = new Date(now.getTime() + CODE_MS)
  const approved = await ctx.transaction('approveOAuthRequest', async (ctx) =>
    approveRequest(ctx, {
      id,
      it: {
        codeHash: hashKey(code),
        accountId: await lockSignedIn(ctx.as(person), now),
        userId: person.side === 'pro' ? person.userId : null,
        emailDigest: person.side === 'customer' ? digestOfAddress(ctx, { email: person.email }) : null,
        expiresAt,
        now,
      },
    }),
  )
  if (!approved) throw notFound()
  return answerUrl(ctx, { ...approved, answer: { code } })
}

/**
 * Returns the account of the person, who stays signed in until the transaction ends. Locks the person before reading the
 * session: whatever ends sessions also locks the person first, and then ends the codes that exist.
 */
async function lockSignedIn(ctx: TxCtx<SignedIn>, now: Date): Promise<string> {
  await lockPerson(ctx, ctx.actor)
  const tokenHash = hashToken(ctx.actor.sessionToken)
  if (await hasSession(ctx, { person: ctx.actor, tokenHash, now })) return await accountOf(ctx)
  throw ctx.actor.side === 'pro'
    ? new AppError('login_required', 'Log in to the console first.')
    : new AppError('sign_in_required', 'Sign in first.')
}

/** The account of the person. Throws role_not_allowed for a user who is no owner of the pro's business. */
export async function accountOf(ctx: Ctx<Person>): Promise<string> {
  if (ctx.actor.side === 'customer') return ctx.actor.accountId
  const accountId = await findAccountOfUser(ctx, ctx.actor)
  if (accountId === undefined) throw new AppError('role_not_allowed', 'Your account does not belong to the pro.')
  return accountId
}

/** Refuses the request. Returns the URL to which the browser goes next. Throws authorization_request_not_found. */
export async function deny(ctx: Ctx, { id }: { id: string }): Promise<string> {
  const denied = isUuid(id) ? await deleteRequest(ctx, { id, now: ctx.clock.now() }) : undefined
  if (!denied) throw notFound()
  return answerUrl(ctx, { ...denied, answer: { error: 'access_denied', error_description: 'The person refused.' } })
}
