// Leads: what there is, and a draft of a quote for each new one.
import type { Rfq } from '../../../features/quotes/rfq-model.ts'
import { type Recipe, type Seen, counted, listIn, use } from './recipe.ts'

/** With the list and a draft each, well within a run's steps. */
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
  for (const lead of leads) {
    const draft = yield* use('prepare_quote_draft', { leadId: lead.id })
    report.push(`${wordsOf(lead)}: ${draft.isError ? draft.line : drafted(draft)}`)
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

const drafted = ({ data }: Seen): string => {
  const { id = '', amount } = (data['quote'] ?? {}) as { id?: string; amount?: number }
  return `draft ${id}${amount === undefined ? '' : ` of $${amount}`}`
}

const totalIn = ({ data }: Seen): number => {
  const meta = data['meta'] as { total?: number } | undefined
  return meta?.total ?? 0
}
