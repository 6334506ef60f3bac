// The catalog: each trade-*.json holds one category, its services and the texts of its demo data.
import { catalogId } from './ids.ts'
import applianceRepair from './trade-appliance-repair.json' with { type: 'json' }
import cleaning from './trade-cleaning.json' with { type: 'json' }
import concreteMasonry from './trade-concrete-masonry.json' with { type: 'json' }
import electrical from './trade-electrical.json' with { type: 'json' }
import flooring from './trade-flooring.json' with { type: 'json' }
import handyman from './trade-handyman.json' with { type: 'json' }
import hvac from './trade-hvac.json' with { type: 'json' }
import landscaping from './trade-landscaping.json' with { type: 'json' }
import locksmithSecurity from './trade-locksmith-security.json' with { type: 'json' }
import moving from './trade-moving.json' with { type: 'json' }
import painting from './trade-painting.json' with { type: 'json' }
import pestControl from './trade-pest-control.json' with { type: 'json' }
import plumbing from './trade-plumbing.json' with { type: 'json' }
import poolsSpas from './trade-pools-spas.json' with { type: 'json' }
import remodeling from './trade-remodeling.json' with { type: 'json' }
import roofing from './trade-roofing.json' with { type: 'json' }
import treeCare from './trade-tree-care.json' with { type: 'json' }
import windowsDoors from './trade-windows-doors.json' with { type: 'json' }

export type PriceType = 'flat' | 'hourly' | 'per_unit'

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

const priceTypes: readonly PriceType[] = ['flat', 'hourly', 'per_unit']

const readTrade = (file: TradeFile, index: number): Trade => {
  const id = catalogId(`category:${file.slug}`)
  const ordinal = index + 1
  return {
    ...file,
    id,
    ordinal,
    services: file.services.map(({ minutes, price: [low, high], ...service }, position) => {
      const priceType = priceTypes.find((type) => type === service.priceType)
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

const tradeById = new Map(trades.map((trade) => [trade.id, trade]))

/** The trade of a service. */
export const tradeOf = (service: CatalogService): Trade => {
  const trade = tradeById.get(service.categoryId)
  if (!trade) throw new RangeError(`${service.slug} belongs to no trade`)
  return trade
}
