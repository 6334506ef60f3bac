// Mutants of what bounds connections to PostgreSQL, and of what a request that failed leaves behind.
import type { Mutant } from './mutant.ts'

export const CONNECTIONS: readonly Mutant[] = [
  {
    guarantee: 'Each connection asks PostgreSQL to end an idle transaction.',
    file: 'src/platform/postgres/client.ts',
    from: '...(limitsByRole ? {} : CONNECTION_LIMITS), ...connection',
    to: '...connection',
    killedBy: 'test/platform/postgres/connection-limits.test.ts',
  },
  {
    guarantee: 'A frozen process holds its locks for 10 s at most.',
    file: 'src/platform/postgres/client.ts',
    from: "idle_in_transaction_session_timeout: '10000'",
    to: "idle_in_transaction_session_timeout: '60000'",
    killedBy: 'test/platform/postgres/connection-limits.test.ts',
  },
  {
    guarantee: 'The role of a pooler has the limits that its clients cannot ask for.',
    file: 'src/platform/postgres/role-settings.ts',
    from: '  ...CONNECTION_LIMITS,\n  ...sessionSettings',
    to: '  ...sessionSettings',
    killedBy: 'test/platform/postgres/pooler.test.ts',
  },
  {
    guarantee: 'A transaction whose caller was told that it failed is not committed.',
    file: 'src/platform/postgres/runner.ts',
    from: '          stopIfGivenUp(progress)\n          progress.isCommitting = true',
    to: '          progress.isCommitting = true',
    killedBy: 'test/platform/postgres/given-up.test.ts',
  },
  {
    guarantee: 'A transaction is given up when its caller stops waiting.',
    file: 'src/platform/postgres/runner.ts',
    from: '() => (progress.isGivenUp = true)',
    to: '() => (progress.isGivenUp = false)',
    killedBy: 'test/http/refused-changes.test.ts',
  },
  {
    guarantee: 'A commit that was not confirmed has an unknown outcome.',
    file: 'src/platform/postgres/runner.ts',
    from: 'throw progress.isCommitting ? asUnconfirmed(error) : error',
    to: 'throw error',
    killedBy: 'test/platform/postgres/given-up.test.ts',
  },
  {
    guarantee: 'A statement that was sent and not answered has an unknown outcome.',
    file: 'src/platform/postgres/runner.ts',
    from: 'throw query && wasSent(query) && mayWrite(textOf(query)) ? asUnconfirmed(error) : error',
    to: 'throw error',
    killedBy: 'test/platform/postgres/given-up.test.ts',
  },
  {
    guarantee: 'A request that failed after it had committed something does not say that nothing was changed.',
    file: 'src/http/problem.ts',
    from: 'if (cause.isOutcomeUnknown || hasCommitted())',
    to: 'if (cause.isOutcomeUnknown)',
    killedBy: 'test/http/refused-changes.test.ts',
  },
  {
    guarantee: 'A function that changes something is known as one.',
    file: 'src/platform/postgres/effects.ts',
    from: 'reserve_slot_for reserve_task',
    to: 'reserve_task',
    killedBy: 'test/platform/postgres/effects.test.ts',
  },
  {
    guarantee: 'A read before a change that failed does not make the outcome unknown.',
    file: 'src/platform/postgres/effects.ts',
    from: "some(([, name = '']) => CHANGING.has(name))",
    to: 'some(() => true)',
    killedBy: 'test/platform/postgres/effects.test.ts',
  },
  {
    guarantee: 'A read that was not answered has changed nothing.',
    file: 'src/platform/postgres/runner.ts',
    from: 'wasSent(query) && mayWrite(textOf(query))',
    to: 'wasSent(query)',
    killedBy: 'test/platform/postgres/given-up.test.ts',
  },
]
