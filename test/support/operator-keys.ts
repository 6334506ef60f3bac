// Keys of operators, with rate limits too high for tests to reach.
import { PRESETS, type Scope } from '../../src/auth/scopes.ts'
import type { OperatorRole } from '../../src/auth/users/rules/operator-roles.ts'
import { ctxOf } from '../../src/ctx.ts'
import type { Deps } from '../../src/deps.ts'
import { createKeyInMode } from '../../src/features/upkeep/test-mode/verbs.ts'
import { createUser } from '../../src/auth/users/verbs/users.ts'
import { PASSWORD } from './visitor.ts'

export interface OperatorKey {
  readonly key: string
  readonly email: string
  readonly userId: string
}

/** Creates an operator, an administrator by default, with a key of the preset or of the scopes. */
export async function createOperatorWithKey(
  { deps }: { deps: Deps },
  {
    operatorRole = 'administrator',
    scopes = PRESETS.platform,
  }: { operatorRole?: OperatorRole; scopes?: readonly Scope[] } = {},
): Promise<OperatorKey> {
  const ctx = ctxOf(deps)
  const email = `operator-${crypto.randomUUID()}@test.example`
  const { id: userId } = await createUser(ctx, { email, role: 'operator', operatorRole, password: PASSWORD })
  const input = { ownerEmail: email, scopes, name: 'test', rateMultiplier: 10_000 }
  return { key: (await createKeyInMode(ctx, input)).secret, email, userId }
}
