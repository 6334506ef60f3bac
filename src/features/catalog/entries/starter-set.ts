// The set of services to start from, which the seed uses whole: each file of trades/ holds one category, its services and the texts of
// its demo data.
import { createHash } from 'node:crypto'

import { PRICE_TYPES, type PriceType } from './schemas.ts'
import applianceRepair from './trades/appliance-repair.json' with { type: 'json' }
import cleaning from './trades/cleaning.json' with { type: 'json' }
import concreteMasonry from './trades/concrete-masonry.json' with { type: 'json' }
import electrical from './trades/electrical.json' with { type: 'json' }
import flooring from './trades/flooring.json' with { type: 'json' }
import handyman from './trades/handyman.json' with { type: 'json' }
import hvac from './trades/hvac.json' with { type: 'json' }
import landscaping from './trades/landscaping.json' with { type: 'json' }
import locksmithSecurity from './trades/locksmith-security.json' with { type: 'json' }
import moving from './trades/moving.json' with { type: 'json' }
import painting from './trades/painting.json' with { type: 'json' }
import pestControl from './trades/pest-control.json' with { type: 'json' }
import plumbing from './trades/plumbing.json' with { type: 'json' }
import poolsSpas from './trades/pools-spas.json' with { type: 'json' }
import remodeling from './trades/remodeling.json' with { type: 'json' }
import roofing from './trades/roofing.json' with { type: 'json' }
import treeCare from './trades/tree-care.json' with { type: 'json' }
import windowsDoors from './trades/windows-doors.json' with { type: 'json' }

export interface CatalogService {
  id: string
  ordinal: number
  categoryId: string
  name: string
  slug: string
  /** What people call it besides its name. */
  synonyms: readonly string[]
  description: string
  priceType: PriceType
  unit: string | null
  /** Typical US prices in dollars, low and high, for a flat job or per unit. */
  price: readonly [low: number, high: number]
  durationMinutes: number
  /** Whether the work is done where the customer is. */
  atCustomer: boolean
}

export interface Trade {
  id: string
  ordinal: number
  name: string
  slug: string
  synonyms: readonly string[]
  /** The trade's weight: its relative number of pros. */
  share: number
  services: readonly CatalogService[]
  /** The second part of company names, such as "Plumbing Co." */
  firms: readonly string[]
  /** Texts of customers: requests, praise and complaints. */
  requests: readonly string[]
  praise: readonly string[]
  complaints: readonly string[]
}

interface TradeFile extends Omit<Trade, 'id' | 'ordinal' | 'services'> {
  services: readonly {
    slug: string
    name: string
    synonyms: readonly string[]
    description: string
    priceType: string
    unit: string | null
    price: readonly number[]
    minutes: number
    /** True unless given. */
    atCustomer?: boolean
  }[]
}

/** The order here and in the files determines the ordinals: append, never insert. */
const files: readonly TradeFile[] = [
  plumbing,
  electrical,
  hvac,
  cleaning,
  handyman,
  landscaping,
  roofing,
  painting,
  flooring,
  pestControl,
  moving,
  applianceRepair,
  windowsDoors,
  remodeling,
  poolsSpas,
  treeCare,
  locksmithSecurity,
  concreteMasonry,
]

/** The UUID namespace of Hearth's catalog ids. */
const catalogNamespace = Buffer.from('6f0b6c1e4d5a4f0e9a3c7d21b8e4c590', 'hex')

/** A name-based UUID (version 5, RFC 9562 section 5.5), so that a catalog entry has the same id in every database. */
const catalogId = (name: string): string => {
  const bytes = createHash('sha1').update(catalogNamespace).update(name).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

const readTrade = (file: TradeFile, index: number): Trade => {
  const id = catalogId(`category:${file.slug}`)
  const ordinal = index + 1
  return {
    ...file,
    id,
    ordinal,
    services: file.services.map(({ minutes, price: [low, high], ...service }, position) => {
      const priceType = PRICE_TYPES.find((type) => type === service.priceType)
      if (!priceType || low === undefined || high === undefined) throw new TypeError(`${service.slug}: invalid price`)
      return {
        ...service,
        id: catalogId(`service:${service.slug}`),
        // Each category has a hundred ordinals, so that a new service does not shift those of other categories.
        ordinal: ordinal * 100 + position + 1,
        categoryId: id,
        priceType,
        price: [low, high],
        durationMinutes: minutes,
        atCustomer: service.atCustomer ?? true,
      }
    }),
  }
}

/** Every trade with its services. */
export const trades: readonly Trade[] = files.map(readTrade)

/** The slugs of categories and services of the set, by id. */
export const STARTER_SLUGS: ReadonlyMap<string, string> = new Map(
  trades.flatMap((trade) => [trade, ...trade.services]).map(({ id, slug }) => [id, slug]),
)

const tradeById = new Map(trades.map((trade) => [trade.id, trade]))

/** The trade of a service. */
export const tradeOf = (service: CatalogService): Trade => {
  const trade = tradeById.get(service.categoryId)
  if (!trade) throw new RangeError(`${service.slug} belongs to no trade`)
  return trade
}
