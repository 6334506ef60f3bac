// A recipe: what the planner does about one kind of goal, as a generator that yields calls and returns the answer.

/** What came of a call. */
export interface Seen {
  isError: boolean
  /** The tool's answer; empty where it was an error, or is not to be read. */
  data: Record<string, unknown>
  /** The first line of what the tool said. */
  line: string
}

export interface Wanted {
  tool: string
  input: Record<string, unknown>
}

export interface Situation {
  goal: string
  /** What is worth telling, in the order in which it came up. The answer when there is no room for more steps. */
  report: string[]
}

/**
 * Run anew from its beginning at each turn, with what its calls came to so far: given the same it must do the same.
 */
export type Recipe = (situation: Situation) => Generator<Wanted, void, Seen>

/** Calls a tool. */
export function* use(tool: string, input: Record<string, unknown> = {}): Generator<Wanted, Seen, Seen> {
  return yield { tool, input }
}

/** A list in a tool's answer; empty where there is none. */
export const listIn = <T>(seen: Seen, name: string): T[] => {
  const list = seen.data[name]
  return Array.isArray(list) ? (list as T[]) : []
}

/** `1 lead`, `2 leads`. */
export const counted = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`

/** A text member of a thing that may not be there. */
export const textIn = (thing: unknown, name: string): string | undefined => {
  const value: unknown = typeof thing === 'object' && thing !== null ? Reflect.get(thing, name) : undefined
  return typeof value === 'string' ? value : undefined
}

/** A proposal that was just made, by its words and id. */
export const proposalLine = ({ data }: Seen): string =>
  `${textIn(data['proposal'], 'summary') ?? 'Proposed.'} (proposal ${textIn(data['proposal'], 'id') ?? ''})`
