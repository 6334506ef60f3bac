// The built-in planner: decides by rules from the words of the goal and the tool results. It needs no provider.
import { type Conversation, type Message, type Model, ModelFailure, type ToolCall, type Turn } from '../model.ts'
import { partsOf } from './parts.ts'
import { type ToolRequest, type ToolResult, notUnderstood, quoted } from './recipe.ts'

/** Its own limit, besides that of the run. */
const MAX_STEPS = 30

export const planner: Model = {
  name: 'planner',
  next: (conversation, signal) => {
    signal.throwIfAborted()
    return Promise.try(nextTurn, conversation)
  },
}

/** Replays the recipes with the results so far, up to the first new call. */
function nextTurn({ messages, tools }: Conversation): Turn {
  const parts = partsOf(messages)
  const understood = parts.flatMap(({ recipe, ...part }) => (recipe ? [{ ...part, recipe }] : []))
  if (understood.length === 0) throw new ModelFailure('not_understood', 'no rule fits the goal')
  const at = messages.findLastIndex(({ role }) => role === 'person')
  const results = messages.slice(at + 1).flatMap((each) => (each.role === 'result' ? [readResult(each)] : []))
  const unknown = parts.flatMap(({ recipe, text }) => (recipe ? [] : [text]))
  const report = unknown.length > 0 ? [notUnderstood(unknown)] : []
  let used = 0
  for (const [n, { recipe, text: goal, before }] of understood.entries()) {
    const steps = recipe({ goal, before, report })
    for (let next = steps.next(); !next.done;) {
      const result = results[used++]
      if (result) next = steps.next(result)
      else if (tools.length > 0 && used <= MAX_STEPS) return request(next.value, used)
      else return answer([...report, stepLimit(understood.slice(n + 1))])
    }
  }
  return answer(report)
}

const stepLimit = (notBegun: readonly { text: string }[]) =>
  ['The step limit was reached: ask again for the rest', ...quoted(notBegun.map(({ text }) => text))].join(', also ') +
  '.'

/** A result is one line of JSON, with an optional hint after it; an error is text. */
function readResult({ text, isError }: Extract<Message, { role: 'result' }>): ToolResult {
  const line = text.split('\n', 1)[0] ?? ''
  if (isError) return { isError, data: {}, line }
  try {
    const data: unknown = JSON.parse(line)
    if (typeof data === 'object' && data !== null) return { isError, data: data as Record<string, unknown>, line }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  return { isError: true, data: {}, line: 'The result was too long to read.' }
}

const answer = (report: readonly string[]): Turn => ({
  text: report.join('\n') || 'Nothing to do.',
  calls: [],
  inputTokens: 0,
  outputTokens: 0,
})

function request({ tool, input }: ToolRequest, number: number): Turn {
  const call: ToolCall = { id: `plan-${number}`, tool, input }
  return { text: null, calls: [call], inputTokens: 0, outputTokens: 0 }
}
