// Jobs, quotes that wait for an answer, and how the business went.
import type { Analytics } from '../../../features/analytics/schemas.ts'
import type { CustomerMessage, JobSpec } from '../../../features/drafts/schemas.ts'
import { type Recipe, counted, listIn, use } from './recipe.ts'

const AT_ONCE = 4

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

export const tellJobs: Recipe = function* ({ report }) {
  for (const status of ['scheduled', 'in_progress']) {
    const seen = yield* use('list_jobs', { status, limit: 10 })
    if (seen.isError) report.push(`The jobs could not be read: ${seen.line}`)
    const jobs = listIn<Job>(seen, 'jobs')
    report.push(`${counted(jobs.length, `${status.replace('_', ' ')} job`)}.`)
    for (const job of jobs) report.push(`- ${nameOf(job)}`)
  }
}

export const specifyJobs: Recipe = function* ({ report }) {
  const seen = yield* use('list_jobs', { status: 'scheduled', limit: AT_ONCE })
  if (seen.isError) return void report.push(`The jobs could not be read: ${seen.line}`)
  const jobs = listIn<Job>(seen, 'jobs')
  if (jobs.length === 0) return void report.push('No job is scheduled.')
  for (const job of jobs) {
    const seen = yield* use('prepare_job_spec', { jobId: job.id })
    report.push(`${nameOf(job)}: ${seen.isError ? seen.line : specLine(seen.data['spec'] as JobSpec)}`)
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
  let found = 0
  for (const status of ['viewed', 'sent']) {
    const seen = yield* use('list_quotes', { status, limit: AT_ONCE })
    if (seen.isError) return void report.push(`The quotes could not be read: ${seen.line}`)
    for (const quote of listIn<Quote>(seen, 'quotes')) {
      found++
      const seen = yield* use('prepare_customer_message', { leadId: quote.leadId, purpose: 'follow_up' })
      report.push(
        `${nameOf(quote)}: ${seen.isError ? seen.line : messageLines(seen.data['message'] as CustomerMessage)}`,
      )
    }
  }
  report.push(found === 0 ? 'No quote waits for an answer.' : 'Nothing was sent: look through the messages first.')
}

const messageLines = ({ to, subject, body }: CustomerMessage) => `to ${to.name}, “${subject}”\n${body}\n`

export const tellFigures: Recipe = function* ({ goal, report }) {
  const seen = yield* use('view_analytics', { period: periodIn(goal) })
  if (seen.isError) return void report.push(`The figures could not be read: ${seen.line}`)
  const { from, to, bookings, jobs, revenue, rfqs, quotes } = seen.data['analytics'] as Analytics
  report.push(
    `${from} to ${to}: $${revenue.total} earned, ${counted(jobs.completed, 'completed job')}, ` +
      `${counted(bookings.total, 'booking')}, ${counted(rfqs.total, 'lead')} (${rfqs.unanswered} unanswered), ` +
      `${counted(quotes.sent, 'quote')} sent and ${quotes.accepted} accepted.`,
  )
}

function periodIn(goal: string): Analytics['period'] {
  if (/\bweek\b|\b7 days\b/i.test(goal)) return '7d'
  if (/\bquarter\b|\b90 days\b|\bthree months\b/i.test(goal)) return '90d'
  if (/\byear\b/i.test(goal)) return '1y'
  return /\b(ever|all time|in all)\b/i.test(goal) ? 'all' : '30d'
}

const nameOf = ({ service, amount }: { service: { name: string } | null; amount: number }) =>
  `${service?.name ?? 'Work'} for $${amount}`
