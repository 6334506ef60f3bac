// Transition tables: one per aggregate. Verbs move states with them, and tests are generated from them.
import { AppError } from './errors/app-error.ts'

/** From each state, the state that each action leads to. A missing action is not allowed. */
export type Transitions<State extends string, Action extends string> = Record<State, { readonly [A in Action]?: State }>

/**
 * The state that `action` leads to. Throws invalid_transition. The table state_transitions holds the same pairs, and the
 * database refuses any other. `what` names the aggregate in the message.
 */
export function transition<State extends string, Action extends string>(
  table: Transitions<State, Action>,
  what: string,
  state: State,
  action: Action,
): State {
  const next = table[state][action]
  if (next === undefined)
    throw new AppError('invalid_transition', `A ${what} that is ${state} does not allow the action ${action}.`, {
      extensions: { state, action },
    })
  return next
}
