// The keys that the console shows: in test mode, test keys only.
import type { Deps } from '../../../deps.ts'
import { listKeys } from '../../../auth/keys/verbs/keys.ts'
import { type AuthenticatedRequest, accountOf } from '../../../http/session.ts'

export async function listShownKeys(deps: Deps, by: AuthenticatedRequest): ReturnType<typeof listKeys> {
  const { accountEmail, testAccountId } = accountOf(by)
  const keys = await listKeys(deps, accountEmail)
  return testAccountId === null ? keys : keys.filter(({ mode }) => mode === 'test')
}
