// The customer server: for agents that act for someone who needs work done at home.
import type { Side } from '../server/definition.ts'
import { customerTools } from './tools.ts'

export const customerSide: Side = {
  name: 'customer',
  title: 'Hearth for customers',
  path: '/api/mcp/customer',
  instructions: `
Find home service pros, see their open times, book them or ask for a quote.

- Start with search_pros. Take ids from its results; never make one up.
- Instant booking: query_availability, then book_appointment. Anything else: request_quote.
- Dates and clock times are on the pro’s own clock. Money is in US dollars.
- Before you book or ask for a quote, show the person what you are about to send and let them agree. A booking with something to pay is confirmed only once they have paid on the page it names.
- Send an idempotencyKey with every write, and the same one with a retry.
`.trim(),
  tools: customerTools,
  scopes: { read: ['mcp:read', 'widget:public'], write: ['mcp:write', 'widget:book'] },
  enter: (_, caller) => caller,
}
