// Which recipe a goal is for, by its words. The first that fits is taken, so the narrower ones come first.
import { describeServices } from './descriptions.ts'
import { answerLeads, listLeads } from './leads.ts'
import { lookAround } from './overview.ts'
import { changePrices } from './prices.ts'
import type { Recipe } from './recipe.ts'
import { planDay, tellBookings, tellFreeTimes } from './time.ts'
import { followUp, specifyJobs, tellFigures, tellJobs } from './work.ts'

interface Goal {
  readonly words: RegExp
  /** Words that have to be there too. */
  readonly and?: RegExp
  readonly recipe: Recipe
  /** What to do instead when it is a question: asking for something makes nothing. */
  readonly asked?: Recipe
}

const CHANGING =
  /\b(raise|increase|put up|lower|reduce|cut|decrease|drop|set|change|update|more expensive|cheaper|add|take)\b/i
const MAKING =
  /\b(answer|respond|reply|draft|prepare|quote|quotes|write|make|handle|deal|take care|spec|specs|specify)\b/i

const GOALS: readonly Goal[] = [
  { words: /\b(prices?|pricing|rates?|charges?|costs?)\b/i, and: CHANGING, recipe: changePrices, asked: tellFigures },
  { words: /\bdescriptions?\b/i, and: CHANGING, recipe: describeServices },
  { words: /\bfollow(ing)?[ -]?ups?\b|\bremind\b|\bchase\b|\bunanswered quotes?\b/i, recipe: followUp },
  { words: /\bmy day\b|\btoday\b|\btomorrow\b|\bbrief\b|\bagenda\b|\bday plan\b/i, recipe: planDay },
  { words: /\bjobs?\b/i, and: MAKING, recipe: specifyJobs, asked: tellJobs },
  {
    words: /\bleads?\b|\brfqs?\b|\brequests?\b|\b[ei]nquir(y|ies)\b/i,
    and: MAKING,
    recipe: answerLeads,
    asked: listLeads,
  },
  { words: /\bleads?\b|\brfqs?\b|\brequests?\b|\b[ei]nquir(y|ies)\b/i, recipe: listLeads },
  { words: /\bjobs?\b/i, recipe: tellJobs },
  { words: /\bfree\b|\bopen times?\b|\bavailab(le|ility)\b|\bslots?\b/i, recipe: tellFreeTimes },
  { words: /\bbookings?\b|\bappointments?\b/i, recipe: tellBookings },
  {
    words:
      /\bbusiness\b|\banalytics\b|\brevenue\b|\bearn(ed|ings)?\b|\bfigures\b|\bnumbers\b|\b(month|quarter|year)\b/i,
    recipe: tellFigures,
  },
]

const QUESTION = /^\W*(are|is|am|was|were|do|does|did|have|has|how|what|which|who|whose|whom|when|where|why|any)\b/i

/** The recipe for a goal; a look around when none is meant. */
export function recipeFor(goal: string): Recipe {
  const found = GOALS.find(({ words, and }) => words.test(goal) && (and?.test(goal) ?? true))
  if (!found) return lookAround
  return QUESTION.test(goal) ? (found.asked ?? found.recipe) : found.recipe
}
