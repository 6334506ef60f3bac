// Recipes: how the planner handles one kind of goal. A recipe is a generator that yields tool calls and fills a report.

export interface ToolResult {
  isError: boolean
  /** The parsed result; empty after an error. */
  data: Record<string, unknown>
  /** The first line of the result. */
  line: string
}

export interface ToolRequest {
  tool: string
  input: Record<string, unknown>
}

export interface Situation {
  /** The part of the goal that the recipe is for. */
  goal: string
  /** What the pro said before that this part continues; empty when it stands alone. */
  before: string
  /** Lines of the answer, in order. Recipes append to it, so that it is complete when the step limit interrupts them. */
  report: string[]
}

/** Runs again from its beginning at each turn, with the results so far, so it must be deterministic. */
export type Recipe = (situation: Situation) => Generator<ToolRequest, void, ToolResult>

export function* callTool(
  tool: string,
  input: Record<string, unknown> = {},
): Generator<ToolRequest, ToolResult, ToolResult> {
  return yield { tool, input }
}

/** A list in a result; empty when it is missing. */
export const listOf = <T>(result: ToolResult, name: string): T[] => {
  const list = result.data[name]
  return Array.isArray(list) ? (list as T[]) : []
}

/** `1 lead`, `2 leads`. */
export const count = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`

const MAX_QUOTED = 80
const MAX_QUOTES = 5

/** The first of a goal's parts, shortened, in quotation marks. */
export const quoted = (texts: readonly string[]): string[] =>
  texts.slice(0, MAX_QUOTES).map((text) => `“${text.slice(0, MAX_QUOTED).toWellFormed()}”`)

/** Says which parts of a goal were left out. */
export const notUnderstood = (texts: readonly string[]): string =>
  `I did not understand ${quoted(texts).join(', ')}, and did nothing about it.`

/** A text member of a value that may be missing. */
export const textIn = (parent: unknown, name: string): string | undefined => {
  const value: unknown = typeof parent === 'object' && parent !== null ? Reflect.get(parent, name) : undefined
  return typeof value === 'string' ? value : undefined
}

/** The summary and id of a new proposal. */
export const proposalLine = ({ data }: ToolResult): string =>
  `${textIn(data['proposal'], 'summary') ?? 'Proposed.'} (proposal ${textIn(data['proposal'], 'id') ?? ''})`
