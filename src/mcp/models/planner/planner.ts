// The built-in planner: decides by rules from the words of the goal and the tool results. It needs no provider.
import type { ToolCall, Conversation, Model, Message, Turn } from '../model.ts'
import { recipeFor } from './goals.ts'
import type { ToolResult, Situation, ToolRequest } from './recipe.ts'

/** Its own limit, besides that of the run. */
const MAX_STEPS = 30

export const planner: Model = {
  name: 'planner',
  next: (conversation, signal) => {
    signal.throwIfAborted()
    return Promise.resolve(nextTurn(conversation))
  },
}

/** Replays the recipe with the results so far, up to the first new call. */
function nextTurn({ messages, tools }: Conversation): Turn {
  const at = messages.findLastIndex(({ role }) => role === 'person')
  const goal = textOf(messages[at])
  const results = messages.slice(at + 1).flatMap((each) => (each.role === 'result' ? [readResult(each)] : []))
  const situation: Situation = { goal, report: [] }
  const steps = recipeFor(goal)(situation)
  let next = steps.next()
  for (const result of results) {
    if (next.done) break
    next = steps.next(result)
  }
  if (next.done) return answer(situation.report)
  if (tools.length === 0 || results.length >= MAX_STEPS)
    return answer([...situation.report, 'The step limit was reached: ask again for the rest.'])
  return request(next.value, results.length + 1)
}

const textOf = (message: Message | undefined) => (message?.role === 'person' ? message.text : '')

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
