// The parts of a goal: what each asks for, and which are not understood.
import type { Message } from '../model.ts'
import { AMOUNT, CHANGING, MAKING, recipeFor } from './goals.ts'
import { changePrices, changePricesToo } from './proposals.ts'
import type { Recipe } from './recipe.ts'

export interface Part {
  readonly text: string
  /** The earlier words that this part continues; empty when it stands alone. */
  readonly before: string
  /** Undefined when the part is not understood. */
  readonly recipe: Recipe | undefined
}

const QUOTED_OR_SEPARATOR =
  /["“”][^"“”]*["“”]|(?<=[.;!?])\s+|\s*\n\s*|,?\s+(?:and then|then|and also|and|also|plus)\s+|,\s+/gi
const COURTESY = /^\W*(hi|hello|hey|good (morning|evening)|please|thanks?|thank you( very much)?|ok|okay)?\W*$/i

/** A goal that refers to what was said before it. */
const CONTINUING =
  /^\W*(and|also|now|then|continue|go on|what about|how about)\b|\b(them|those|these|the rest|the others|again|more)\b/i
/** A decision about results, or a withdrawal: it repeats nothing. */
const DECIDING =
  /\b(confirm|apply|approve|accept|dismiss|reject|discard|send|pay|cancel|forget|never ?mind|no|don[’']?t)\b/i
const ASKING = /^(Say by how much|Which service do you mean|Put the new description)/m

/** The parts of the latest goal. A goal that is not understood alone may continue the thread. */
export function partsOf(messages: readonly Message[]): Part[] {
  const at = messages.findLastIndex(({ role }) => role === 'person')
  const goal = messages[at]
  if (goal?.role !== 'person') return []
  const parts = joined(split(goal.text))
  if (parts.some(({ recipe }) => recipe)) return parts
  const before = continuedBy(goal.text, messages.slice(0, at))
  const recipe = before === '' ? undefined : recipeFor(`${goal.text} ${before}`)
  return recipe ? [{ text: goal.text, before, recipe }] : parts
}

/** The earlier words that a goal continues, latest first; empty when it continues none. */
function continuedBy(goal: string, messages: readonly Message[]): string {
  const last = messages.findLast(({ role }) => role === 'agent')
  const wasAsked = last?.role === 'agent' && ASKING.test(last.text ?? '')
  if (DECIDING.test(goal) || !(wasAsked || CONTINUING.test(goal))) return ''
  const at = messages.findLastIndex(({ role }) => role === 'person')
  const earlier = messages[at]
  if (earlier?.role !== 'person') return ''
  if (split(earlier.text).some((text) => recipeFor(text))) return earlier.text
  return `${earlier.text} ${continuedBy(earlier.text, messages.slice(0, at))}`.trim()
}

/** Splits at the ends of sentences, commas and “and”, outside quotation marks. */
function split(goal: string): string[] {
  const parts: string[] = []
  let start = 0
  for (const { 0: match, index } of goal.matchAll(QUOTED_OR_SEPARATOR)) {
    if (/^["“”]/.test(match)) continue
    parts.push(goal.slice(start, index))
    start = index + match.length
  }
  return [...parts, goal.slice(start)].map((part) => part.trim()).filter((part) => !COURTESY.test(part))
}

/** Joins a verb or a price change with the words that complete it: “raise drain cleaning and leak repair by 5%”. */
function joined(texts: readonly string[]): Part[] {
  const parts: Part[] = []
  for (let at = 0; at < texts.length; at++) {
    const end = endOf(texts, at)
    const text = texts.slice(at, end + 1).join(' and ')
    const previous = parts.at(-1)
    const changesToo = !recipeFor(text) && (previous?.recipe === changePrices || previous?.recipe === changePricesToo)
    parts.push({
      text,
      before: changesToo ? `${previous.text} ${previous.before}`.trim() : '',
      recipe: changesToo ? changePricesToo : recipeFor(text),
    })
    at = end
  }
  return parts
}

/** The index of the last text that belongs to the one at `at`. */
function endOf(texts: readonly string[], at: number): number {
  const own = texts[at] ?? ''
  const recipe = recipeFor(own)
  const isOpen = recipe === changePrices ? !AMOUNT.test(own) && !/\d/.test(own) : !recipe && startsWithVerb(own)
  if (!isOpen) return at
  for (let end = at + 1; end < texts.length; end++) {
    const text = texts[end] ?? ''
    if (recipeFor(text)) return at
    const whole = texts.slice(at, end + 1).join(' and ')
    if (recipe ? /\d/.test(text) : recipeFor(whole)) return end
  }
  return at
}

const startsWithVerb = (text: string): boolean => {
  const first = text.replace(/^\W*(please\s+)?/i, '').split(/\s/, 1)[0] ?? ''
  return CHANGING.test(first) || MAKING.test(first)
}
