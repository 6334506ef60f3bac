// `hearth doctor --launch`: what a marketplace needs before it opens.
import type { Ctx } from '../../ctx.ts'
import { LEGAL_KINDS, type LegalKind, inForce } from '../../features/upkeep/legal-texts/schemas.ts'
import { getLaunchFacts, getMarketplace } from '../../features/upkeep/marketplace/verbs.ts'
import { missingContact } from '../../features/upkeep/marketplace/rules/contact.ts'
import { listServed } from '../../features/catalog/services/verbs/served.ts'
import { areaText } from '../../features/upkeep/marketplace/rules/area.ts'
import type { Marketplace } from '../../features/upkeep/marketplace/schemas.ts'
import { plural } from '../../platform/text/format.ts'
import { regionOf } from '../../platform/text/region.ts'
import type { PostgresStatus } from '../../platform/postgres/store-info.ts'
import { type Finding, fault, firstLineOf, ok } from './finding.ts'
import { connectionsOfServer } from './stores.ts'

/** Of PostgreSQL's connections, what the processes and the next server of an upgrade may use. */
const MAX_SHARE = 0.8
const DAY_SECONDS = 86_400

/** One finding for each thing that is missing or there. `connections` is what PostgreSQL says of them. */
export async function checkLaunch(
  ctx: Ctx,
  connections: Pick<PostgresStatus, 'connections' | 'maxConnections'>,
): Promise<Finding[]> {
  try {
    const [facts, site] = [await getLaunchFacts(ctx), await getMarketplace(ctx)]
    const here = (path: string) => `${ctx.config.baseUrl}${path}`
    const count = (subject: string, found: number, what: string, remedy: string) =>
      found > 0 ? ok(subject, plural(found, what)) : fault(subject, `no ${what}`, remedy)
    return [
      environment(ctx),
      tls(ctx),
      proxy(ctx),
      headroom(ctx, connections),
      archiveFinding(facts),
      contact(site, here('/console/marketplace')),
      legalTexts(site, here('/console/marketplace/texts')),
      count(
        'operator',
        facts.operators,
        'operator who has logged in',
        'run `hearth users invite <email> --role operator`, and open the link',
      ),
      count('catalog', facts.services, 'service', `add services at ${here('/console/catalog')}`),
      count('places', facts.cities, 'city', 'run `hearth migrate`, which adds the cities'),
      await areaFinding(ctx, site, here('/console/area')),
      count('pros', facts.pros, 'active pro with an offer', `add the first at ${here('/console/pros/new')}`),
      site.isOpen
        ? ok('opening', 'open')
        : ok('opening', `visitors see that it opens soon; “Open” is at ${here('/console/marketplace')}`),
    ]
  } catch (error) {
    return [fault('launch', `cannot be checked: ${firstLineOf(error)}`, 'see the log of PostgreSQL')]
  }
}

/** An area without a city is none that people can search in, such as one of another country. */
async function areaFinding(ctx: Ctx, { area, country }: Marketplace, page: string): Promise<Finding> {
  const region = regionOf({ country })
  if (area.length === 0) return ok('area', `everywhere in ${region.nameInSentence}; ${page} limits it`)
  const { cities } = await listServed(ctx, { area })
  const message = `${areaText(area, region)}: ${cities.length === 0 ? 'no city' : plural(cities.length, 'city', 'cities')}`
  return cities.length > 0 ? ok('area', message) : fault('area', message, `choose a place with cities at ${page}`)
}

const environment = ({ config }: Ctx): Finding =>
  config.environment === 'production'
    ? ok('environment', 'production')
    : fault('environment', 'development: payments are a sandbox, messages are kept', 'set HEARTH_ENV=production')

/** Whether its certificate is valid follows from the check of the server, which is asked at this address. */
const tls = ({ config }: Ctx): Finding =>
  config.baseUrl.startsWith('https://')
    ? ok('TLS', config.baseUrl)
    : fault('TLS', `BASE_URL is ${config.baseUrl}`, 'set it to the https:// address that visitors use')

/** Servers speak no TLS themselves: before them is a proxy. */
const proxy = ({ config }: Ctx): Finding =>
  config.trustedProxies.length > 0
    ? ok('proxy', `${plural(config.trustedProxies.length, 'range')} of addresses known`)
    : fault(
        'proxy',
        'TRUSTED_PROXIES is empty: all visitors behind a proxy count as one client, and share its limits',
        'set TRUSTED_PROXIES to the addresses of the proxy that ends TLS',
      )

function headroom(ctx: Ctx, { connections, maxConnections }: Pick<PostgresStatus, 'connections' | 'maxConnections'>) {
  const [needed, most] = [connections + connectionsOfServer(ctx.config), Math.floor(maxConnections * MAX_SHARE)]
  const message = `${needed} of ${maxConnections} connections with the next server of an upgrade`
  if (needed <= most) return ok('headroom', message)
  return fault('headroom', `${message}, more than ${most}`, 'raise max_connections, or lower DATABASE_CONNECTIONS')
}

interface Archive {
  isArchiving: boolean
  archivedSeconds: number | null
  isFailing: boolean
}

/** Whether PostgreSQL keeps the changes since the last base backup: what backups.md sets up. */
export function archiveFinding({ isArchiving, archivedSeconds, isFailing }: Archive): Finding {
  const remedy = 'follow docs/operators/backups.md'
  if (!isArchiving) return fault('backup', 'none: PostgreSQL archives no change', remedy)
  if (isFailing) return fault('backup', 'PostgreSQL cannot archive its changes', 'see its log')
  if (archivedSeconds === null) return fault('backup', 'PostgreSQL has not archived a change yet', remedy)
  if (archivedSeconds > DAY_SECONDS)
    return fault('backup', `last change archived ${Math.floor(archivedSeconds / DAY_SECONDS)} days ago`, 'see its log')
  return ok('backup', 'PostgreSQL archives its changes')
}

function contact(site: Marketplace, page: string): Finding {
  const missing = missingContact(site)
  return missing.length === 0
    ? ok('contact', `${site.name}, ${site.email ?? site.phone}`)
    : fault('contact', `the marketplace lacks ${missing.join(', ')}`, `fill them in at ${page}`)
}

const TEXTS: Readonly<Record<LegalKind, string>> = {
  terms: 'terms',
  privacy: 'a privacy policy',
  imprint: 'an imprint',
}

function legalTexts({ legal }: Pick<Marketplace, 'legal'>, page: string): Finding {
  const missing = LEGAL_KINDS.filter((kind) => !inForce(legal, kind))
  return missing.length === 0
    ? ok('legal texts', 'terms, privacy policy and imprint are published')
    : fault(
        'legal texts',
        `the marketplace lacks ${missing.map((kind) => TEXTS[kind]).join(', ')}`,
        `publish them at ${page}`,
      )
}
