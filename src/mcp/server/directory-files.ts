// What directories of agent servers ask for, made from the servers themselves: `server.json` of the MCP registry, and the
// submission of the servers that people connect.
import type { Config } from '../../config.ts'
import { customerServer } from '../customer/definition.ts'
import { publicServer } from '../customer/public.ts'
import { UNNAMED } from '../../features/upkeep/marketplace/schemas.ts'
import { AGENT_CARDS, type AgentCard, VERSION, appearanceOf, serverCard, titleOf } from './cards.ts'
import { isOn } from './definition.ts'
import { toListedTool } from './published-tools.ts'

type Host = Pick<Config, 'baseUrl' | 'features' | 'agentPayments'>

const cardOf = (name: AgentCard['server']['name']): AgentCard => {
  const card = AGENT_CARDS.find(({ server }) => server.name === name)
  if (!card) throw new Error(`No agent server is named ${name}.`)
  return card
}

/** The entry of one server in the MCP registry (server.schema.json of 2025-12-11). */
export function registryEntry(config: Host, name: AgentCard['server']['name']) {
  const {
    name: id,
    title,
    description,
    version,
    websiteUrl,
    icons,
    remotes,
  } = serverCard(config, UNNAMED, cardOf(name))
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: id,
    title,
    description,
    version,
    websiteUrl,
    icons,
    remotes: remotes.map(({ type, url, headers }) => ({ type, url, headers })),
  }
}

/** Requests of a person that a reviewer can try: five that the tool answers, three that no tool should be called for. */
const REVIEW_CASES = {
  positive: [
    { ask: 'Find a plumber in Austin, Texas', tools: ['search_pros'] },
    { ask: 'When can the first one come to unclog a drain, and what does it cost?', tools: ['query_availability'] },
    { ask: 'What do customers say about this plumber?', tools: ['get_reviews'] },
    { ask: 'Book Tuesday at 2 PM with them', tools: ['book_appointment'] },
    { ask: 'Ask the roofer in Dallas for a quote for a new roof', tools: ['request_quote'] },
  ],
  negative: [
    { ask: 'How do I unclog a drain myself?', reason: 'The person asks for advice, not for a pro.' },
    { ask: 'Book a table for two tonight', reason: 'Restaurants are no home service.' },
    { ask: 'Which plumber in Berlin is open now?', reason: 'Pros work in the United States.' },
  ],
} as const

/** What both directories of assistants ask for: addresses, sign-in, every tool with its four hints, payments, and review cases. */
export const directorySubmission = (config: Host) => ({
  version: VERSION,
  ...appearanceOf(config, UNNAMED),
  payments: config.agentPayments ? 'People pay for home services on pages of this host.' : 'None.',
  servers: [publicServer, customerServer].map((server) => ({
    title: titleOf(UNNAMED, server),
    description: cardOf(server.name).description,
    url: config.baseUrl + server.path,
    signIn: server.name === 'public' ? 'none' : 'OAuth 2.1 with dynamic registration or a client metadata document',
    tools: server.tools
      .filter((tool) => isOn(tool, { config }))
      .map((tool) => {
        const { name, title, annotations } = toListedTool(tool)
        const description = (!config.agentPayments && tool.freeDescription) || tool.description
        return { name, title, description, annotations }
      }),
  })),
  reviewCases: REVIEW_CASES,
})
