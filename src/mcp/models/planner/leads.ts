// Leads: what there is, and a draft of a quote for each new one.
import type { QuoteBasis } from '../../../features/drafts/schemas.ts'
import type { Quote } from '../../../features/quotes/schemas.ts'
import type { Rfq } from '../../../features/rfqs/schemas.ts'
import { type Recipe, type Seen, counted, listIn, use } from './recipe.ts'

/** With two lists and a draft each, well within a run's steps. */
const AT_ONCE = 5
const MAX_WORDS = 80

type Lead = Pick<Rfq, 'id' | 'description' | 'service' | 'budget'>

export const listLeads: Recipe = function* ({ report }) {
  const seen = yield* use('list_leads', { status: 'new', limit: 10 })
  if (seen.isError) return void report.push(`The leads could not be read: ${seen.line}`)
  report.push(...told(listIn<Lead>(seen, 'leads'), totalIn(seen)))
}

export const answerLeads: Recipe = function* ({ report }) {
  const seen = yield* use('list_leads', { status: 'new', limit: AT_ONCE })
  if (seen.isError) return void report.push(`The leads could not be read: ${seen.line}`)
  const leads = listIn<Lead>(seen, 'leads')
  if (leads.length === 0) return void report.push('There are no new leads.')
  const drafts = listIn<{ id: string; leadId: string }>(
    yield* use('list_quotes', { status: 'draft', limit: 20 }),
    'quotes',
  )
  for (const lead of leads) {
    const there = drafts.find(({ leadId }) => leadId === lead.id)
    if (there) report.push(`${wordsOf(lead)}: draft ${there.id} is there already.`)
    else {
      const made = yield* use('prepare_quote_draft', { leadId: lead.id })
      report.push(`${wordsOf(lead)}: ${made.isError ? made.line : drafted(made)}`)
    }
  }
  const left = totalIn(seen) - leads.length
  if (left > 0) report.push(`${counted(left, 'new lead')} left: ask again for more.`)
  report.push('Nothing was sent: look through the drafts and send them from your app.')
}

function told(leads: readonly Lead[], total: number): string[] {
  if (leads.length === 0) return ['There are no new leads.']
  return [`${counted(total, 'new lead')}:`, ...leads.map((lead) => `- ${wordsOf(lead)}`)]
}

/** What strangers wrote is quoted, and short. */
const wordsOf = ({ service, description }: Lead) =>
  `${service?.name ?? 'A request'} (“${description.replaceAll(/\s+/g, ' ').slice(0, MAX_WORDS)}”)`

function drafted({ data }: Seen): string {
  const { draft, basis } = data as { draft: Pick<Quote, 'id' | 'amount'>; basis: QuoteBasis }
  const check = basis.assumptions.length > 0 ? ` Check: ${basis.assumptions.join(' ')}` : ''
  return `draft ${draft.id} of $${draft.amount}, ${basis.confidence} confidence.${check}`
}

const totalIn = ({ data }: Seen): number => {
  const meta = data['meta'] as { total?: number } | undefined
  return meta?.total ?? 0
}
