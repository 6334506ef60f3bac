// The apps that a person has connected.
import type { Ctx, TxCtx } from '../../../ctx.ts'
import { AppError } from '../../../errors/app-error.ts'
import { type GrantRow, selectGrants } from '../queries/connected-apps.ts'
import { revokeGrantsOfUser, revokeGrants } from '../queries/grants.ts'
import { wordsOf } from '../resources.ts'
import type { ConnectedApp, Person } from '../schemas.ts'
import { identityOfApp } from './clients.ts'
import { accountOf } from './consent.ts'

/** The apps with access, the latest used first; of a pro, those of all users of the business. */
export async function listConnectedApps(ctx: Ctx<Person>): Promise<ConnectedApp[]> {
  const grants = await selectGrants(ctx, { accountId: await accountOf(ctx), now: ctx.clock.now() })
  const byApp = Map.groupBy(grants, ({ clientId }) => clientId)
  return Array.from(byApp.values(), (ofApp) => toApp(ofApp, ctx.actor))
}

function toApp(grants: readonly GrantRow[], { side }: Person): ConnectedApp {
  const [latest] = grants
  if (!latest) throw new Error('An app without grants is not listed.')
  const words = new Map(
    grants.flatMap(({ resource, scopes }) => scopes.map((scope) => [wordsOf(resource, side, scope), scope] as const)),
  )
  return {
    grantId: latest.keyId,
    client: identityOfApp({ ...latest, id: latest.clientId }),
    scopes: Array.from(words, ([text, scope]) => ({ scope, words: text })),
    connections: grants.length,
    connectedAt: grants.reduce((first, { createdAt }) => (createdAt < first ? createdAt : first), latest.createdAt),
    lastUsedAt: latest.lastUsedAt,
  }
}

/** Ends all grants of the app that has this grant, within a second everywhere. Throws connected_app_not_found. */
export async function removeConnectedApp(ctx: Ctx<Person>, { grantId }: { grantId: string }): Promise<void> {
  const grants = await selectGrants(ctx, { accountId: await accountOf(ctx), now: ctx.clock.now() })
  const chosen = grants.find(({ keyId }) => keyId === grantId)
  if (!chosen) throw new AppError('connected_app_not_found', 'You have no connected app with this id.')
  const ofApp = grants.filter(({ clientId }) => clientId === chosen.clientId).map(({ keyId }) => keyId)
  await revokeGrants(ctx, { keyIds: ofApp, now: ctx.clock.now() })
}

/**
 * Ends all that a user has granted, for good and within a second everywhere: codes and grants. The caller has locked the user.
 */
export const revokeAppAccess = (ctx: TxCtx, { userId }: { userId: string }): Promise<void> =>
  revokeGrantsOfUser(ctx, { userId, now: ctx.clock.now() })
