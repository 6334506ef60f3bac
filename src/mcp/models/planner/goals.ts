// Chooses the recipe for a part of a goal by its words. The first match wins, so narrower goals come first.
import { answerLeads, reportLeads } from './leads.ts'
import { changeDescriptions, changePrices } from './proposals.ts'
import type { Recipe } from './recipe.ts'
import { planDay, reportBookings, reportFreeTimes } from './time.ts'
import { followUp, specifyJobs, reportAnalytics, reportJobs, summarizeBusiness } from './work.ts'

interface Goal {
  readonly words: RegExp
  /** A second pattern that must match too. */
  readonly and?: RegExp
  readonly recipe: Recipe
  /** The recipe when the goal is a question, which must not change anything. */
  readonly ifQuestion?: Recipe
}

export const CHANGING =
  /\b(raise|increase|put up|lower|reduce|cut|decrease|drop|set|change|update|more expensive|cheaper|add|take)\b/i
export const MAKING =
  /\b(answer|respond|reply|draft|prepare|quote|quotes|write|make|handle|deal|take care|spec|specs|specify)\b/i

export const AMOUNT = /\d\s*(%|percent\b|dollars\b|usd\b|bucks\b)|\$\s?\d/i

const GOALS: readonly Goal[] = [
  { words: /\b(overview|summary|summarize)\b|\bwhat([’']s| is) new\b/i, recipe: summarizeBusiness },
  {
    words: /\b(prices?|pricing|rates?|charges?|costs?)\b/i,
    and: CHANGING,
    recipe: changePrices,
    ifQuestion: reportAnalytics,
  },
  { words: AMOUNT, and: CHANGING, recipe: changePrices },
  { words: /\bdescriptions?\b/i, and: CHANGING, recipe: changeDescriptions },
  { words: /\bfollow(ing)?[ -]?ups?\b|\bremind\b|\bchase\b|\bunanswered quotes?\b/i, recipe: followUp },
  { words: /\bmy day\b|\btoday\b|\btomorrow\b|\bbrief\b|\bagenda\b|\bday plan\b/i, recipe: planDay },
  { words: /\b(jobs?|specs?)\b/i, and: MAKING, recipe: specifyJobs, ifQuestion: reportJobs },
  {
    words: /\bleads?\b|\brfqs?\b|\brequests?\b|\b[ei]nquir(y|ies)\b|\bdraft quotes?\b/i,
    and: MAKING,
    recipe: answerLeads,
    ifQuestion: reportLeads,
  },
  { words: /\bleads?\b|\brfqs?\b|\brequests?\b|\b[ei]nquir(y|ies)\b/i, recipe: reportLeads },
  { words: /\bjobs?\b/i, recipe: reportJobs },
  { words: /\bfree\b|\bopen times?\b|\bavailab(le|ility)\b|\bslots?\b/i, recipe: reportFreeTimes },
  { words: /\bbookings?\b|\bappointments?\b/i, recipe: reportBookings },
  {
    words:
      /\bbusiness\b|\banalytics\b|\brevenue\b|\bearn(ed|ings)?\b|\bfigures\b|\bnumbers\b|\b(month|quarter|year)\b/i,
    recipe: reportAnalytics,
  },
]

const QUESTION = /^\W*(are|is|am|was|were|do|does|did|have|has|how|what|which|who|whose|whom|when|where|why|any)\b/i

/** “Do not raise my prices”, “Cancel my bookings tomorrow”: no recipe does that, whatever else the words name. */
const REFUSING =
  /^\W*(please\s+)?(do not|don[’']?t|never|stop|cancel|delete|remove|reschedule|move|refund|pay|confirm|approve|accept|reject|dismiss)\b/i

/** The recipe for a part of a goal; undefined when no rule fits. */
export function recipeFor(text: string): Recipe | undefined {
  if (REFUSING.test(text)) return undefined
  const match = GOALS.find(({ words, and }) => words.test(text) && (and?.test(text) ?? true))
  return QUESTION.test(text) ? (match?.ifQuestion ?? match?.recipe) : match?.recipe
}
