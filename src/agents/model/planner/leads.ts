// New leads: a draft of a quote for each.
import type { Lead } from '../../../features/quotes/rfq-model.ts'
import { type Recipe, counted, listIn, use } from './recipe.ts'

/** With the list and a draft each, well within a run's steps. */
const AT_ONCE = 5

export const answerLeads: Recipe = function* ({ report }) {
  const seen = yield* use('list_leads', { status: 'new', limit: AT_ONCE })
  if (seen.isError) return void report.push(`The leads could not be read: ${seen.line}`)
  const leads = listIn<Lead>(seen, 'rfqs')
  report.push(leads.length === 0 ? 'There are no new leads.' : `${counted(leads.length, 'new lead')}.`)
}
