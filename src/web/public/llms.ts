// /llms.txt: what the marketplace is and where programs find it, for models that read a site.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { inForce } from '../../features/upkeep/legal-texts/schemas.ts'
import type { Marketplace } from '../../features/upkeep/marketplace/schemas.ts'
import { areaText } from '../../features/upkeep/marketplace/rules/area.ts'
import { localized, regionOf } from '../../platform/text/region.ts'
import { documentRoute } from '../../http/headers.ts'
import { siteDocument } from '../ui/site.tsx'

export const llmsText = (deps: Deps) => {
  const document = siteDocument(deps, { type: 'text/plain; charset=utf-8', make: (site) => said(deps, site) })
  return new Elysia({ name: 'llms-text' }).get('/llms.txt', ({ request }) => document(request), documentRoute())
}

/** In the words of the region, but for the name, which is the operator's. */
const said = (deps: Deps, site: Marketplace): string =>
  localized(regionOf(site), textOf(deps, { ...site, name: NAME })).replaceAll(NAME, () => site.name)

const NAME = '{name}'

const textOf = (
  { config: { baseUrl, features, agentPayments } }: Deps,
  { name, legal, area, country }: Marketplace,
): string => `# ${name}

> ${name} is a marketplace of home services in the United States. It finds pros near a place, says which of them its operators have verified and what was checked, shows prices and open times, takes bookings and requests for quotes, and publishes reviews.${area.length === 0 ? '' : ` It serves ${areaText(area, regionOf({ country }))}: a search elsewhere finds few pros or none.`}

Search, open times, prices and reviews need no key. To book or to ask for a quote, connect to the agent server for customers by OAuth: a person signs in and agrees. ${agentPayments ? 'Payments and accepted quotes are always a person’s decision.' : 'Agent tools take no payments: they book what takes no deposit, without a fee, and request quotes.'} \`verified\` and \`verificationDetails\` are what operators checked; descriptions, licenses and insurers are what pros say of themselves, checked only where \`licenseChecked\` or \`insuranceChecked\` is true.

## Agent servers (MCP, streamable HTTP)

- [For everyone](${baseUrl}/api/mcp/public): find pros, see open times, prices and reviews, without a key. [Server card](${baseUrl}/.well-known/mcp/public-server-card.json)
- [For customers](${baseUrl}/api/mcp/customer): find pros, see open times, book, move or cancel, ask for quotes, review. [Server card](${baseUrl}/.well-known/mcp/customer-server-card.json)
${
  features.has('FEATURE_PRO_MCP')
    ? `- [For pros](${baseUrl}/api/mcp): leads, quotes, jobs, bookings and content of one’s own business. [Server card](${baseUrl}/.well-known/mcp/server-card.json)\n`
    : ''
}
## REST API

- [OpenAPI 3.1 document](${baseUrl}/openapi.json): every path, parameter, response and error
- [Reference](${baseUrl}/api-docs): the same for people
- [API catalog](${baseUrl}/.well-known/api-catalog): all interfaces of this host
- [Services](${baseUrl}/api/v1/services) and [cities](${baseUrl}/api/v1/cities): the names and ids that searches take

## Pages

- [Search](${baseUrl}/): /?service=plumber&place=Austin, TX
- [Sitemap](${baseUrl}/sitemap.xml): the page of every pro
- [Terms](${baseUrl}/terms): what holds for every booking
- [Privacy](${baseUrl}/privacy): what is stored about people
${inForce(legal, 'imprint') ? `- [Imprint](${baseUrl}/imprint): who runs the site\n` : ''}`
