// What pros charge, in the words of pages: the range of a pro's own prices, and the usual price of a service.
import type { PricingResult } from '../../features/catalog/pricing/schemas.ts'
import type { PublicProfile } from '../../features/search/pros/schemas.ts'
import { capitalized, priceOf, shortMoney } from '../../platform/text/format.ts'
import { inSentence, isPerson, prosOf } from './search/words.ts'

type Prices = NonNullable<PricingResult['pricing']>

/** "$150 per visit". Half of all prices are lower. */
export const usualPrice = ({ median, unit, currency }: Prices): string =>
  priceOf({ basePrice: median, min: null, max: null, unit, currency })

/** "$80 to $300 per visit". */
export const usualRange = ({ min, max, unit, currency }: Prices): string =>
  priceOf({ basePrice: null, min, max, unit, currency })

/** "Plumbers in Austin, TX usually charge $95 per hour." "Drain cleaning in Austin, TX usually costs $150 per visit." */
export function usualPriceText(service: string, place: string | undefined, pricing: Prices): string {
  const where = place === undefined ? '' : ` in ${place}`
  const price = usualPrice(pricing)
  return isPerson(service)
    ? `${capitalized(prosOf({ service }))}${where} usually charge ${price}.`
    : `${capitalized(inSentence(service))}${where} usually costs ${price}.`
}

/** The lowest and highest price of a visit; undefined if the pro names none. Other units are not comparable with it. */
export function visitPriceRange({ services }: Pick<PublicProfile, 'services'>): string | undefined {
  const perVisit = services.map(({ pricing }) => pricing).filter(({ unit }) => unit === null)
  const amounts = perVisit.flatMap(({ basePrice, min, max }) => [min ?? basePrice ?? [], max ?? basePrice ?? []]).flat()
  if (amounts.length === 0) return undefined
  const [least, most] = [Math.min(...amounts), Math.max(...amounts)].map((it) => shortMoney(it))
  return least === most ? least : `${least} to ${most}`
}
