/** @jsxImportSource preact */
// The state of a quote, as its customer reads it.
import type { VNode } from 'preact'

import type { ReceivedQuote } from '../../../features/quoting/rfqs/verbs/follow-link.ts'
import { type Tone, Badge } from '../../ui/badge.tsx'

export const QuoteBadge = ({ status }: Pick<ReceivedQuote, 'status'>): VNode => {
  const [label, tone] = QUOTE_STATUSES[status]
  return <Badge tone={tone}>{label}</Badge>
}

/** Whether the customer can answer it. */
export const isOpen = ({ status }: ReceivedQuote): boolean => status === 'sent' || status === 'viewed'

const QUOTE_STATUSES: Record<ReceivedQuote['status'], readonly [label: string, tone: Tone]> = {
  draft: ['Not sent', 'plain'],
  sent: ['New', 'wait'],
  viewed: ['Open', 'wait'],
  accepted: ['Accepted', 'good'],
  declined: ['Declined', 'plain'],
  expired: ['Expired', 'bad'],
  superseded: ['Replaced', 'plain'],
}
