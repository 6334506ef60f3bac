// The recipe for an unrecognized goal: an overview, and examples of goals.
import { type Recipe, type ToolResult, count, listOf, callTool } from './recipe.ts'

export const summarizeBusiness: Recipe = function* ({ report }) {
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
