// Mutants of what operators' programs may do: by whose role, how often, and what the audit log says of it.
import type { Mutant } from './mutant.ts'

export const PLATFORM: readonly Mutant[] = [
  {
    guarantee: 'The key of an operator does only what the operator’s role allows.',
    file: 'src/http/permissions.ts',
    from: "  if (access.owner === 'operator')\n    checkRole(",
    to: "  if (access.owner === 'pro')\n    checkRole(",
    killedBy: 'test/auth/operator-key-roles.test.ts',
  },
  {
    guarantee: 'Routes of operators refuse the keys of everybody else, whatever their scopes are.',
    file: 'src/http/permissions.ts',
    from: "if (access.owner === 'operator' && caller.operator === null)",
    to: "if (access.owner === 'operator' && caller.ownerKind === 'client')",
    killedBy: 'test/auth/operator-key-roles.test.ts',
  },
  {
    guarantee: 'A program that repeats a request under its Idempotency-Key creates one pro.',
    file: 'src/idempotency/verbs.ts',
    from: '): Promise<T> => runIdempotently(ctx, { accountId: ctx.actor.accountId, ...asked }, work)',
    to: '): Promise<T> => ctx.transaction(asked.operation, work)',
    killedBy: 'test/features/business/operator-pros/operator-pros.test.ts',
  },
  {
    guarantee: 'A version of the marketplace is saved with its acts in the audit log.',
    file: 'src/features/upkeep/marketplace/verbs.ts',
    from: 'for (const act of savedActs(current, { ...merged, ...normal(says) }))',
    to: 'for (const act of savedActs(current, { ...merged, ...normal(says) }).slice(1))',
    killedBy: 'test/features/upkeep/operator-marketplace/founding.test.ts',
  },
  {
    guarantee: 'An invitation by a program is in the audit log in the name of its operator.',
    file: 'src/features/business/operator-pros/verbs.ts',
    from: "await recordAction(ctx, { action: 'member.invited', subjectId: id, professionalId: id, by, details })",
    to: "await recordAction(ctx, { action: 'member.invited', subjectId: id, professionalId: id, by: null, details })",
    killedBy: 'test/features/upkeep/operator-marketplace/founding.test.ts',
  },
]
