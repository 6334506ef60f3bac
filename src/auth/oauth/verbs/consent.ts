// A person's decision about an app's request for access.
import { randomBytes } from 'node:crypto'

import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors/app-error.ts'
import type { Runner } from '../../../platform/postgres/database.ts'
import { isUuid } from '../../../platform/schema/types.ts'
import { generateKey, hashKey } from '../../keys/format.ts'
import { approveRequest, deleteRequest, findAccountOfUser, findPendingRequest } from '../queries/requests.ts'
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
export async function readAuthorizationRequest(deps: Deps, id: string): Promise<AuthorizationRequest> {
  const row = isUuid(id) ? await findPendingRequest(deps.write, id, deps.clock.now()) : undefined
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

/**
 * Grants the request. Returns the URL to which the browser goes next, with a one-time code. Throws
 * authorization_request_not_found, and role_not_allowed for a person of the other side.
 */
export async function approve(deps: Deps, id: string, person: Person): Promise<string> {
  const request = await readAuthorizationRequest(deps, id)
  if (request.side !== person.side)
    throw new AppError('role_not_allowed', `The app asks for access as a ${request.side}.`)
  const code = generateKey('code', randomBytes(64))
  const now = deps.clock.now()
  const expiresAt = new Date(now.getTime() + CODE_MS)
  const approved = await deps.write.begin('approveOAuthRequest', async (tx) =>
    approveRequest(tx, id, {
      codeHash: hashKey(code),
      accountId: await accountOf(tx, person),
      userId: person.side === 'pro' ? person.userId : null,
      emailDigest: person.side === 'customer' ? digestOfAddress(deps, person.email) : null,
      expiresAt,
      now,
    }),
  )
  if (!approved) throw notFound()
  return answerUrl(deps, approved, { code })
}

/** The account of the person. Throws role_not_allowed for a user who may not act for the pro. */
export async function accountOf(db: Runner, person: Person): Promise<string> {
  if (person.side === 'customer') return person.accountId
  const accountId = await findAccountOfUser(db, person)
  if (accountId === undefined) throw new AppError('role_not_allowed', 'Your account does not belong to the pro.')
  return accountId
}

/** Refuses the request. Returns the URL to which the browser goes next. Throws authorization_request_not_found. */
export async function deny(deps: Deps, id: string): Promise<string> {
  const denied = isUuid(id) ? await deleteRequest(deps.write, id, deps.clock.now()) : undefined
  if (!denied) throw notFound()
  return answerUrl(deps, denied, { error: 'access_denied', error_description: 'The person refused.' })
}
