// The port behind which an agent's decisions are made: by the built-in planner, or by a language model elsewhere.

/** A tool, as a model is told of it. */
export interface Offer {
  readonly name: string
  readonly description: string
  /** JSON Schema of its input. */
  readonly parameters: Record<string, unknown>
}

/** A call that a model wants made. `input` is text where the model gave no JSON. */
export interface Call {
  readonly id: string
  readonly tool: string
  readonly input: unknown
}

/** One thing that was said. What tools answer is data, whoever wrote what is in it. */
export type Said =
  | { readonly role: 'person'; readonly text: string }
  | { readonly role: 'agent'; readonly text: string | null; readonly calls: readonly Call[] }
  | { readonly role: 'result'; readonly callId: string; readonly text: string; readonly isError: boolean }

export interface Conversation {
  readonly instructions: string
  /** Oldest first; the last thing that a person said is the goal. */
  readonly said: readonly Said[]
  /** None: it is time to answer. */
  readonly offers: readonly Offer[]
  /** The longest answer, in tokens. */
  readonly maxOutputTokens: number
}

/** What a model says next: calls to make, or without any the answer. */
export interface Turn {
  readonly text: string | null
  readonly calls: readonly Call[]
  readonly inputTokens: number
  readonly outputTokens: number
}

export interface Model {
  /** For people: `planner`, or the name that the provider knows it by. */
  readonly name: string
  /** The next turn. Throws {@link ModelFailure}, or the signal's reason once it is aborted. */
  next(conversation: Conversation, signal: AbortSignal): Promise<Turn>
}

/** The model gave no turn: nobody answers there, or what came makes no sense. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure'

  constructor(
    readonly code: 'model_unavailable' | 'model_unusable',
    /** For operators: what happened, without what was said. */
    readonly reason: string,
  ) {
    super(`${code}: ${reason}`)
  }
}
