// Leads: a list, and a draft quote for each new lead.
import type { QuoteBasis } from '../../../features/agents/drafts/schemas.ts'
import type { Quote } from '../../../features/quoting/quotes/schemas.ts'
import type { Rfq } from '../../../features/quoting/rfqs/schemas.ts'
import { firstCharacters } from '../../../platform/text/plain.ts'
import { type Recipe, type ToolResult, count, listOf, callTool } from './recipe.ts'

/** Leads per run; with two lists and a draft each they stay within a run's steps. */
const MAX_LEADS = 5
const PAGE = 10
const MAX_DESCRIPTION = 80

type Lead = Pick<Rfq, 'id' | 'description' | 'service' | 'budget'>

export const reportLeads: Recipe = function* ({ report }) {
  const result = yield* callTool('list_leads', { status: 'new', limit: 10 })
  if (result.isError) return void report.push(`The leads could not be read: ${result.line}`)
  report.push(...leadLines(listOf<Lead>(result, 'leads'), totalIn(result)))
}

export const answerLeads: Recipe = function* ({ report }) {
  const first = yield* callTool('list_leads', { status: 'new', limit: PAGE })
  if (first.isError) return void report.push(`The leads could not be read: ${first.line}`)
  if (listOf(first, 'leads').length === 0) return void report.push('There are no new leads.')
  const total = totalIn(first)
  const drafts = listOf<{ id: string; leadId: string }>(
    yield* callTool('list_quotes', { status: 'draft', limit: 20 }),
    'quotes',
  )
  let result = first
  let seen = 0
  let answered = 0
  while (!result.isError) {
    const leads = listOf<Lead>(result, 'leads')
    for (const lead of leads) {
      if (answered === MAX_LEADS) break
      seen++
      const existing = drafts.find(({ leadId }) => leadId === lead.id)
      if (existing) report.push(`${titleOf(lead)}: draft ${existing.id} exists already.`)
      else {
        answered++
        const draft = yield* callTool('prepare_quote_draft', { leadId: lead.id })
        report.push(`${titleOf(lead)}: ${draft.isError ? draft.line : draftLine(draft)}`)
      }
    }
    if (answered === MAX_LEADS || leads.length < PAGE) break
    result = yield* callTool('list_leads', { status: 'new', limit: PAGE, offset: seen })
  }
  if (total > seen) report.push(`${count(total - seen, 'new lead')} left: ask again for more.`)
  report.push('Nothing was sent: review the drafts and send them from your app.')
}

function leadLines(leads: readonly Lead[], total: number): string[] {
  if (leads.length === 0) return ['There are no new leads.']
  return [`${count(total, 'new lead')}:`, ...leads.map((lead) => `- ${titleOf(lead)}`)]
}

/** Quotes and shortens the text of strangers. */
const titleOf = ({ service, description }: Lead) =>
  `${service?.name ?? 'A request'} (“${firstCharacters(description.replaceAll(/\s+/g, ' '), MAX_DESCRIPTION)}”)`

function draftLine({ data }: ToolResult): string {
  const { draft, basis } = data as { draft: Pick<Quote, 'id' | 'amount'>; basis: QuoteBasis }
  const check = basis.assumptions.length > 0 ? ` Check: ${basis.assumptions.join(' ')}` : ''
  return `draft ${draft.id} of $${draft.amount}, ${basis.confidence} confidence.${check}`
}

const totalIn = ({ data }: ToolResult): number => {
  const meta = data['meta'] as { total?: number } | undefined
  return meta?.total ?? 0
}
