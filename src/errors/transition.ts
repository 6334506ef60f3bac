// States and actions as data: one table per aggregate, from which code moves and tests are made.
import { AppError } from './app-error.ts'

/** From each state, where each action leads. What is not there is not allowed. */
export type Transitions<State extends string, Action extends string> = Record<State, { readonly [A in Action]?: State }>

/**
 * Where `action` leads from `state`. Throws invalid_transition, naming both. The database holds the same pairs
 * (`state_transitions`) and refuses any other.
 */
export function transition<State extends string, Action extends string>(
  table: Transitions<State, Action>,
  what: string,
  state: State,
  action: Action,
): State {
  const next = table[state][action]
  if (next === undefined)
    throw new AppError('invalid_transition', `A ${what} that is ${state} does not take the action ${action}.`, {
      extensions: { state, action },
    })
  return next
}
