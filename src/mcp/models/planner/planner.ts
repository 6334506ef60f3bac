// The built-in planner: decides by rules, from the words of the goal and from what tools answer. It needs no provider.
import type { Call, Conversation, Model, Said, Turn } from '../model.ts'
import { recipeFor } from './goals.ts'
import type { Seen, Situation, Wanted } from './recipe.ts'

/** Its own bound, whatever the run's is. */
const MAX_STEPS = 30

export const planner: Model = {
  name: 'planner',
  next: (conversation, signal) => {
    signal.throwIfAborted()
    return Promise.resolve(nextOf(conversation))
  },
}

/** Goes through the recipe again, up to the first call that was not made yet. */
function nextOf({ said, offers }: Conversation): Turn {
  const at = said.findLastIndex(({ role }) => role === 'person')
  const goal = textOf(said[at])
  const results = said.slice(at + 1).flatMap((each) => (each.role === 'result' ? [seenIn(each)] : []))
  const situation: Situation = { goal, report: [] }
  const steps = recipeFor(goal)(situation)
  let next = steps.next()
  for (const seen of results) {
    if (next.done) break
    next = steps.next(seen)
  }
  if (next.done) return answer(situation.report)
  if (offers.length === 0 || results.length >= MAX_STEPS)
    return answer([...situation.report, 'There was no room for more steps: ask again for the rest.'])
  return wanting(next.value, results.length + 1)
}

const textOf = (said: Said | undefined) => (said?.role === 'person' ? said.text : '')

/** A result is JSON in one line, perhaps with a hint in the next; an error is words. */
function seenIn({ text, isError }: Extract<Said, { role: 'result' }>): Seen {
  const line = text.split('\n', 1)[0] ?? ''
  if (isError) return { isError, data: {}, line }
  try {
    const data: unknown = JSON.parse(line)
    if (typeof data === 'object' && data !== null) return { isError, data: data as Record<string, unknown>, line }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  return { isError: true, data: {}, line: 'The answer was too long to be read.' }
}

const answer = (report: readonly string[]): Turn => ({
  text: report.join('\n') || 'There is nothing to do.',
  calls: [],
  inputTokens: 0,
  outputTokens: 0,
})

function wanting({ tool, input }: Wanted, number: number): Turn {
  const call: Call = { id: `plan-${number}`, tool, input }
  return { text: null, calls: [call], inputTokens: 0, outputTokens: 0 }
}
