// The port for an agent's decisions: the built-in planner or an external language model implements it.

/** A tool as a model sees it. */
export interface ModelTool {
  readonly name: string
  readonly description: string
  /** JSON Schema of its input. */
  readonly parameters: Record<string, unknown>
}

/** A call that a model requests. `input` is text when the model's JSON cannot be parsed. */
export interface ToolCall {
  readonly id: string
  readonly tool: string
  readonly input: unknown
}

/** One message of a conversation. Tool results are data, whatever their author writes. */
export type Message =
  | { readonly role: 'person'; readonly text: string }
  | { readonly role: 'agent'; readonly text: string | null; readonly calls: readonly ToolCall[] }
  | { readonly role: 'result'; readonly callId: string; readonly text: string; readonly isError: boolean }

export interface Conversation {
  readonly instructions: string
  /** Oldest first; the last message of a person is the goal. */
  readonly messages: readonly Message[]
  /** Empty when the model must answer now. */
  readonly tools: readonly ModelTool[]
  /** The longest answer, in tokens. */
  readonly maxOutputTokens: number
}

/** The next message of a model: tool calls, or the final answer when there are none. */
export interface Turn {
  readonly text: string | null
  readonly calls: readonly ToolCall[]
  readonly inputTokens: number
  readonly outputTokens: number
}

export interface Model {
  /** `planner`, or the provider's name of the model. */
  readonly name: string
  /** The next turn. Throws {@link ModelFailure}, or the signal's reason once it is aborted. */
  next(conversation: Conversation, signal: AbortSignal): Promise<Turn>
}

/**
 * `not_understood`: the planner has no rule for the goal. `model_refused`: the provider's model or filter declined.
 * `model_cut_off`: the response ended at its limit of length before it was usable.
 */
export type ModelFailureCode =
  | 'model_unavailable'
  | 'model_unusable'
  | 'model_refused'
  | 'model_cut_off'
  | 'not_understood'

/** The model returned no turn that a run could use. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure'

  constructor(
    readonly code: ModelFailureCode,
    /** For operators; never contains the conversation. */
    readonly reason: string,
  ) {
    super(`${code}: ${reason}`)
  }
}
