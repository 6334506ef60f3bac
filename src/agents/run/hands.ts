// The hands of an agent in a run: the tools it may call, and nothing besides.
import type { Offer } from '../model/model.ts'

/** What a tool answered, as the model gets to see it. */
export interface Answered {
  text: string
  isError: boolean
  /** The result in a line, for people. */
  summary: string
}

export interface Hands {
  readonly offers: readonly Offer[]
  /** Whether a call of this tool leaves something behind. */
  writes(tool: string): boolean
  /**
   * Calls a tool on the pro's behalf. What is wrong with the call is an answer that says so. Under one idempotency key
   * the tool's effect comes about once, however often it is called.
   */
  call(tool: string, input: unknown, idempotencyKey: string): Promise<Answered>
}
