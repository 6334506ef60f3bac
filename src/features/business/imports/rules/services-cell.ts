// The services of a line: `plumber: 95/hour; drain cleaning: 120-250; painting: 3.50/square foot (120 min)`, or a list of JSON.
import { toCents } from '../../../../platform/schema/money.ts'
import type { PriceType } from '../../../catalog/entries/schemas.ts'
import { unitOf } from '../../../catalog/entries/rules/units.ts'
import type { ImportedOffer } from '../schemas.ts'

const MAX_PRICE = 1_000_000
const MAX_SERVICES = 100
/** An amount, or two of a range, and what it is for. */
const PRICE =
  /^\$?\s*(\d[\d,]*(?:\.\d{1,2})?)(?:\s*(?:-|–|to)\s*\$?\s*(\d[\d,]*(?:\.\d{1,2})?))?(?:\s*(?:\/|per )\s*(.{1,40}))?$/i
/** Units of a price for the whole visit. */
const FLAT = new Set(['visit', 'job', 'flat', 'fixed'])
const OBJECT_KEYS = new Set(['service', 'price', 'min', 'max', 'unit', 'minutes'])
const HOURLY = new Set(['hour', 'hr', 'h'])

interface CatalogService {
  readonly id: string
  readonly priceType: PriceType
  readonly unit: string | null
  readonly durationMinutes: number
}

/** Finds a service of the catalog by what people call it, or the name of the one that is most like it. */
export interface ServiceFinder {
  find(text: string): CatalogService | undefined
  nearest(text: string): string | undefined
}

/** The parts of a cell by service, as they are written: two cells with the same part say the same of that service. */
export function readServices(
  text: string,
  services: ServiceFinder,
): { offers: ReadonlyMap<string, { written: string; offer: ImportedOffer }>; faults: string[] } {
  const faults: string[] = []
  const offers = new Map<string, { written: string; offer: ImportedOffer }>()
  const parts = partsOf(text)
  if (typeof parts === 'string') return { offers, faults: [parts] }
  if (parts.length > MAX_SERVICES) return { offers, faults: [`has more than ${MAX_SERVICES} services`] }
  for (const written of parts) {
    const offer = readPart(written, services)
    if (typeof offer === 'string') faults.push(offer)
    else if (offers.has(offer.serviceId)) faults.push(`names “${written}” twice`)
    else offers.set(offer.serviceId, { written, offer })
  }
  return { offers, faults }
}

/** The parts of a cell, or what is wrong with it. */
function partsOf(text: string): string[] | string {
  if (!text.startsWith('[')) return text.split(/[;|\n]/).flatMap((part) => part.trim() || [])
  let list: unknown
  try {
    list = JSON.parse(text)
  } catch {
    return 'is not a list of JSON'
  }
  const parts = (list as unknown[]).map((one) => (typeof one === 'string' ? one.trim() : partOfObject(one)))
  return parts.every((part): part is string => part !== undefined)
    ? parts
    : 'must be a list of names, or of objects with service, price, min, max, unit and minutes'
}

/** Undefined for what is no such object. */
function partOfObject(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Object.keys(value).some((key) => !OBJECT_KEYS.has(key)))
    return undefined
  const of = value as Record<string, unknown>
  const said = (key: string) => {
    const one = of[key]
    return typeof one === 'string' || typeof one === 'number' ? String(one) : ''
  }
  if (said('service') === '') return undefined
  const amount = said('price') || [said('min'), said('max')].filter(Boolean).join('-')
  const priced = amount === '' ? '' : `: ${amount}${said('unit') && `/${said('unit')}`}`
  return `${said('service')}${priced}${said('minutes') && ` (${said('minutes')} min)`}`
}

/** The offer, or what is wrong with the part. */
function readPart(written: string, services: ServiceFinder): ImportedOffer | string {
  const [, withPrice = written, minutes] = /^(.*?)\s*\((\d{1,4}) ?min(?:utes)?\)$/i.exec(written) ?? []
  const [, named = withPrice, price = ''] = /^(.*?)\s*[:=]\s*(.*)$/.exec(withPrice) ?? []
  const service = services.find(named)
  if (!service) {
    const nearest = services.nearest(named)
    return `has the service “${named}”, which the catalog has not${nearest === undefined ? '' : `: do you mean “${nearest}”?`}`
  }
  const durationMinutes = minutes === undefined ? service.durationMinutes : Number(minutes)
  if (durationMinutes < 15 || durationMinutes > 720 || durationMinutes % 5 !== 0)
    return `says ${durationMinutes} minutes for “${named}”: write 15 to 720, in steps of 5`
  const priced = readPrice(price, service)
  return priced
    ? { serviceId: service.id, durationMinutes, ...priced }
    : `has the price “${price}” for “${named}”: write 95, 95/hour, 120-250 or 3.50/square foot`
}

function readPrice(
  text: string,
  service: CatalogService,
): Omit<ImportedOffer, 'serviceId' | 'durationMinutes'> | undefined {
  const { priceType, unit } = service
  if (text === '') return { priceType, unit, base: null, min: null, max: null }
  const [, from = '', to, per] = PRICE.exec(text) ?? []
  const cents = (amount: string) => toCents(Number(amount.replaceAll(',', '')))
  if (from === '' || cents(to ?? from) > MAX_PRICE * 100 || cents(to ?? from) < cents(from)) return undefined
  const amounts =
    to === undefined ? { base: cents(from), min: null, max: null } : { base: null, min: cents(from), max: cents(to) }
  return { ...amounts, ...unitWritten(per?.trim().toLowerCase(), { priceType, unit }) }
}

/** Without a unit, the price is of the kind that the service has in the catalog. */
function unitWritten(
  per: string | undefined,
  usual: Pick<CatalogService, 'priceType' | 'unit'>,
): Pick<ImportedOffer, 'priceType' | 'unit'> {
  if (per === undefined) return usual
  if (FLAT.has(per)) return { priceType: 'flat', unit: null }
  return HOURLY.has(per) ? { priceType: 'hourly', unit: unitOf('hourly') } : { priceType: 'per_unit', unit: per }
}
