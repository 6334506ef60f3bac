// The public server: the tools of the customer server that need no identity, without a key. Assistants decide about signing in
// per server, so it has a path of its own.
import type { McpServerDefinition } from '../server/definition.ts'
import type { Tool } from '../server/tool.ts'
import type { Viewer } from '../../auth/caller.ts'
import { customerServer } from './definition.ts'
import { openResources } from './prompts.ts'
import { customerRemedies, explainToCustomer } from './remedies.ts'

export const publicServer: McpServerDefinition<undefined> = {
  name: 'public',
  audience: null,
  path: '/api/mcp/public',
  instructions: `
Find home service pros and see their open times, prices and reviews, without signing in.

- Start with search_pros. Take ids from its results; never invent one.
- Dates and times are in the pro’s local time. Money is in US dollars.
- Tools that act for a person, such as book_appointment and request_quote, are on ${customerServer.path} of the same host, where the person signs in. Without it, give the person the profileUrl of search_pros with the pro’s id: they book and ask for a quote on that page.
`.trim(),
  tools: customerServer.tools.filter((tool): tool is Tool & Tool<Viewer> => tool.isOpen === true),
  whole: customerServer,
  prompts: [],
  resources: openResources,
  remedies: customerRemedies,
  explain: explainToCustomer,
  scopes: { read: [], write: [] },
  authorize: () => undefined,
}
