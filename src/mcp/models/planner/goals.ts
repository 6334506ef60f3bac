// Chooses the recipe for a goal by its words. The first match wins, so narrower goals come first.
import { answerLeads, reportLeads } from './leads.ts'
import { changeDescriptions, changePrices } from './proposals.ts'
import { type Recipe, type ToolResult, callTool, count, listOf } from './recipe.ts'
import { planDay, reportBookings, reportFreeTimes } from './time.ts'
import { followUp, specifyJobs, reportAnalytics, reportJobs } from './work.ts'

interface Goal {
  readonly words: RegExp
  /** A second pattern that must match too. */
  readonly and?: RegExp
  readonly recipe: Recipe
  /** The recipe when the goal is a question, which must not change anything. */
  readonly ifQuestion?: Recipe
}

const CHANGING =
  /\b(raise|increase|put up|lower|reduce|cut|decrease|drop|set|change|update|more expensive|cheaper|add|take)\b/i
const MAKING =
  /\b(answer|respond|reply|draft|prepare|quote|quotes|write|make|handle|deal|take care|spec|specs|specify)\b/i

const GOALS: readonly Goal[] = [
  {
    words: /\b(prices?|pricing|rates?|charges?|costs?)\b/i,
    and: CHANGING,
    recipe: changePrices,
    ifQuestion: reportAnalytics,
  },
  { words: /\bdescriptions?\b/i, and: CHANGING, recipe: changeDescriptions },
  { words: /\bfollow(ing)?[ -]?ups?\b|\bremind\b|\bchase\b|\bunanswered quotes?\b/i, recipe: followUp },
  { words: /\bmy day\b|\btoday\b|\btomorrow\b|\bbrief\b|\bagenda\b|\bday plan\b/i, recipe: planDay },
  { words: /\bjobs?\b/i, and: MAKING, recipe: specifyJobs, ifQuestion: reportJobs },
  {
    words: /\bleads?\b|\brfqs?\b|\brequests?\b|\b[ei]nquir(y|ies)\b/i,
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

/** The recipe for a goal; an overview of the business when none matches. */
export function recipeFor(goal: string): Recipe {
  const match = GOALS.find(({ words, and }) => words.test(goal) && (and?.test(goal) ?? true))
  if (!match) return summarizeBusiness
  return QUESTION.test(goal) ? (match.ifQuestion ?? match.recipe) : match.recipe
}

/** For an unrecognized goal: an overview, and examples of goals. */
const summarizeBusiness: Recipe = function* ({ report }) {
  const addCount = (result: ToolResult, list: string, one: string) => {
    if (!result.isError) report.push(`${count(listOf(result, list).length, one)}.`)
  }
  addCount(yield* callTool('list_leads', { status: 'new', limit: 10 }), 'leads', 'new lead')
  addCount(yield* callTool('list_bookings', { status: 'pending', limit: 10 }), 'bookings', 'pending booking')
  addCount(yield* callTool('list_jobs', { status: 'scheduled', limit: 10 }), 'jobs', 'scheduled job')
  addCount(yield* callTool('get_proposal_status'), 'proposals', 'open proposal')
  report.push(
    'Try for example: "draft quotes for new leads", "plan my day", "raise the price of … by 5 %", "follow up on quotes", "prepare my jobs", "how was my month".',
  )
}
