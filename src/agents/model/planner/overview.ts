// A goal that names nothing the planner knows: what there is, and what it can be asked.
import { type Recipe, counted, listIn, use } from './recipe.ts'

export const lookAround: Recipe = function* ({ report }) {
  const leads = yield* use('list_leads', { status: 'new', limit: 5 })
  if (!leads.isError) report.push(`${counted(listIn(leads, 'rfqs').length, 'new lead')}.`)
}
