// One request to an agent server: who asks which server, and what is learned while it is answered.
import type { Deps } from '../../deps.ts'
import type { AppError } from '../../errors/app-error.ts'
import type { Caller } from '../../auth/caller.ts'
import type { PaymentTalk } from '../payment/payment-session.ts'
import type { Side } from './definition.ts'
import type { Calling } from './calls.ts'

export interface Session<C extends Caller = Caller> extends Calling<C> {
  readonly request: Request
  readonly caller: Caller
  /** What made the last message come to nothing, where that was no matter of the message: its HTTP status is the answer's. */
  failure?: AppError
  /** What was said of a payment. */
  readonly payment: PaymentTalk
}

/** A session of a caller who passed the gate. Whether the server is usable for them is asked once. */
export function openSession<C extends Caller>(
  deps: Deps,
  side: Side<C>,
  { request, caller }: { request: Request; caller: Caller },
): Session<C> {
  let entered: Promise<C> | undefined
  const payment: PaymentTalk = {}
  return {
    deps,
    side,
    request,
    caller,
    payment,
    entered: () => (entered ??= Promise.resolve(side.enter(deps, caller))),
  }
}
