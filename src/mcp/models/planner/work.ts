// Jobs, unanswered quotes, and business figures.
import type { Analytics } from '../../../features/business/analytics/schemas.ts'
import type { CustomerMessage, JobSpec } from '../../../features/agents/drafts/schemas.ts'
import { type Recipe, count, listOf, callTool } from './recipe.ts'

/** Items per list, so that a run stays within its steps. */
const MAX_ITEMS = 4

interface Job {
  id: string
  status: string
  amount: number
  service: { name: string } | null
}
interface Quote {
  id: string
  leadId: string
  amount: number
  service: { name: string } | null
}

export const reportJobs: Recipe = function* ({ report }) {
  for (const status of ['scheduled', 'in_progress']) {
    const result = yield* callTool('list_jobs', { status, limit: 10 })
    if (result.isError) report.push(`The jobs could not be read: ${result.line}`)
    const jobs = listOf<Job>(result, 'jobs')
    report.push(`${count(jobs.length, `${status.replace('_', ' ')} job`)}.`)
    for (const job of jobs) report.push(`- ${nameOf(job)}`)
  }
}

export const specifyJobs: Recipe = function* ({ report }) {
  const result = yield* callTool('list_jobs', { status: 'scheduled', limit: MAX_ITEMS })
  if (result.isError) return void report.push(`The jobs could not be read: ${result.line}`)
  const jobs = listOf<Job>(result, 'jobs')
  if (jobs.length === 0) return void report.push('No jobs are scheduled.')
  for (const job of jobs) {
    const result = yield* callTool('prepare_job_spec', { jobId: job.id })
    report.push(`${nameOf(job)}: ${result.isError ? result.line : specLine(result.data['spec'] as JobSpec)}`)
  }
}

function specLine({ scope, address, doneWhen, open }: JobSpec): string {
  const parts = [
    ['Scope', scope.map(({ item, quantity }) => `${quantity} × ${item}`)],
    ['Where', address ? [address] : []],
    ['Done when', doneWhen],
    ['Open', open],
  ] as const
  return parts.flatMap(([name, texts]) => (texts.length > 0 ? [`${name}: ${texts.join('; ')}.`] : [])).join(' ')
}

export const followUp: Recipe = function* ({ report }) {
  let quotes = 0
  for (const status of ['viewed', 'sent']) {
    const result = yield* callTool('list_quotes', { status, limit: MAX_ITEMS })
    if (result.isError) return void report.push(`The quotes could not be read: ${result.line}`)
    for (const quote of listOf<Quote>(result, 'quotes')) {
      quotes++
      const result = yield* callTool('prepare_customer_message', { leadId: quote.leadId, purpose: 'follow_up' })
      report.push(
        `${nameOf(quote)}: ${result.isError ? result.line : messageLines(result.data['message'] as CustomerMessage)}`,
      )
    }
  }
  report.push(
    quotes === 0
      ? 'No quote is waiting for an answer.'
      : 'Nothing was sent: review the messages and send them yourself.',
  )
}

const messageLines = ({ to, subject, body }: CustomerMessage) => `to ${to.name}, “${subject}”\n${body}\n`

export const reportAnalytics: Recipe = function* ({ goal, report }) {
  const result = yield* callTool('view_analytics', { period: periodIn(goal) })
  if (result.isError) return void report.push(`The figures could not be read: ${result.line}`)
  const { from, to, bookings, jobs, visits, revenue, rfqs, quotes } = result.data['analytics'] as Analytics
  report.push(
    `${from} to ${to}: $${revenue.total} earned, ${count(jobs.completed, 'completed job')}, ` +
      `${count(visits.completed, 'completed visit')}${visits.unpriced > 0 ? ` (${visits.unpriced} without a known price)` : ''}, ` +
      `${count(bookings.total, 'booking')}, ${count(rfqs.total, 'lead')} (${rfqs.unanswered} unanswered), ` +
      `${count(quotes.sent, 'quote')} sent and ${quotes.accepted} accepted.`,
  )
}

/** The open work of the business in four lines. */
export const summarizeBusiness: Recipe = function* ({ report }) {
  for (const [tool, list, one, input] of [
    ['list_leads', 'leads', 'new lead', { status: 'new', limit: 10 }],
    ['list_bookings', 'bookings', 'pending booking', { status: 'pending', limit: 10 }],
    ['list_jobs', 'jobs', 'scheduled job', { status: 'scheduled', limit: 10 }],
    ['get_proposal_status', 'proposals', 'open proposal', {}],
  ] as const) {
    const result = yield* callTool(tool, input)
    report.push(result.isError ? result.line : `${count(listOf(result, list).length, one)}.`)
  }
}

function periodIn(goal: string): Analytics['period'] {
  if (/\bweek\b|\b7 days\b/i.test(goal)) return '7d'
  if (/\bquarter\b|\b90 days\b|\bthree months\b/i.test(goal)) return '90d'
  if (/\byear\b/i.test(goal)) return '1y'
  return /\b(ever|all time|in all)\b/i.test(goal) ? 'all' : '30d'
}

const nameOf = ({ service, amount }: { service: { name: string } | null; amount: number }) =>
  `${service?.name ?? 'Work'} for $${amount}`
