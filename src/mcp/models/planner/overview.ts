// A goal that names nothing the planner knows: what there is, and what it can be asked.
import { type Recipe, type Seen, counted, listIn, use } from './recipe.ts'

export const lookAround: Recipe = function* ({ report }) {
  const tell = (seen: Seen, list: string, one: string) => {
    if (!seen.isError) report.push(`${counted(listIn(seen, list).length, one)}.`)
  }
  tell(yield* use('list_leads', { status: 'new', limit: 10 }), 'leads', 'new lead')
  tell(yield* use('list_bookings', { status: 'pending', limit: 10 }), 'bookings', 'pending booking')
  tell(yield* use('list_jobs', { status: 'scheduled', limit: 10 }), 'jobs', 'scheduled job')
  tell(yield* use('get_proposal_status'), 'proposals', 'open proposal')
  report.push(
    'Ask for more: "draft quotes for new leads", "plan my day", "raise the price of … by 5 %", "follow up on quotes", "prepare my jobs", "how was my month".',
  )
}
