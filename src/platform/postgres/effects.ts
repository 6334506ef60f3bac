// What a request has committed so far: its failure must not say that nothing was changed.
import { AsyncLocalStorage } from 'node:async_hooks'

interface Effects {
  hasCommitted: boolean
}

const effects = new AsyncLocalStorage<Effects>()

/** Runs `work`, and remembers whether a transaction or a writing statement of it was committed. */
export const rememberCommits = <T>(work: () => T): T => effects.run({ hasCommitted: false }, work)

export function noteCommit(): void {
  const current = effects.getStore()
  if (current) current.hasCommitted = true
}

/** Whether the current request has committed something. False outside of {@link rememberCommits}. */
export const hasCommitted = (): boolean => effects.getStore()?.hasCommitted ?? false

/** Whether a statement may have changed something: it does not begin with SELECT, or calls a function. */
export function mayWrite(query: object): boolean {
  const { string = '' } = ('statement' in query ? query.statement : {}) as { string?: string }
  return !/^\s*(--.*\n\s*)*select\b/i.test(string) || /\b(from|select|lateral|join)\s+\w+\(/i.test(string)
}
