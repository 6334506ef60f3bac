// update_quote_content: proposes what PATCH /pro/quotes/{id} does.
import { Type } from '@sinclair/typebox'

import { DraftChange } from '../../features/quotes/schemas.ts'
import { Uuid } from '../../platform/schema/types.ts'
import { defineEditingTool } from './brief-proposal.ts'

export const updateQuoteContent = defineEditingTool({
  name: 'update_quote_content',
  title: 'Edit a draft quote',
  description: 'Propose a change of a draft quote. Line items replace all there are; the amount follows from them.',
  input: Type.Object({ quoteId: Uuid(), ...DraftChange.properties }, { additionalProperties: false }),
  wish: ({ quoteId, ...change }) => ({ kind: 'quote_content', targetId: quoteId, change }),
})
