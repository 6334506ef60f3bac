// What the share picture of each kind of page says, and the address at which the page shows it.
import { createHash } from 'node:crypto'

import type { Package } from '../../features/business/packages/schemas.ts'
import type { PricingResult } from '../../features/catalog/pricing/schemas.ts'
import type { PublicPictures } from '../../features/files/pictures/schemas.ts'
import type { Marketplace } from '../../features/upkeep/marketplace/schemas.ts'
import type { PublicProfile } from '../../features/search/pros/schemas.ts'
import { SHARE_SIZE, type ShareCard } from '../../platform/pictures/share/card.ts'
import { capitalized, plural, priceOf } from '../../platform/text/format.ts'
import type { Page } from '../ui/layout.tsx'
import { usualPrice, visitPriceRange } from './price-words.ts'
import { prosOf } from './search/words.ts'

/** Below the path of the page. */
export const SHARE_FILE = 'share.jpg'

export interface ShownCard extends Omit<ShareCard, 'photo' | 'site'> {
  /** The address of a picture of ours. */
  readonly photoUrl: string | null
}

/** Changes with what the picture shows, so that sites which keep it ask again. */
export const versionOf = (card: ShownCard): string =>
  createHash('sha256').update(JSON.stringify(card)).digest('base64url').slice(0, 10)

/** The picture for the head of the page. */
export const shareImage = (pageUrl: string, card: ShownCard): NonNullable<Page['image']> => ({
  url: `${pageUrl}/${SHARE_FILE}?v=${versionOf(card)}`,
  ...SHARE_SIZE,
  alt: [card.heading, card.rating, ...card.lines, card.price].filter((part) => part !== null).join('. '),
})

/** Of every page that has no picture of its own. */
export const siteCard = ({ name, tagline }: Pick<Marketplace, 'name' | 'tagline'>): ShownCard => ({
  heading: name,
  rating: null,
  lines: [tagline ?? 'Find a pro for your home'],
  price: null,
  photoUrl: null,
})

const ratingText = (average: number | null, reviews: number): string | null =>
  average === null || reviews === 0 ? null : `${average.toFixed(1)} · ${plural(reviews, 'review')}`

export function proCard(pro: PublicProfile & { pictures: PublicPictures }): ShownCard {
  const { businessName, categories, location, reviews, verified } = pro
  const place = location && `${location.city}, ${location.state}`
  const range = visitPriceRange(pro)
  return {
    heading: businessName,
    rating: ratingText(reviews.stats.average, reviews.stats.count),
    lines: [
      [categories[0], place].filter(Boolean).join(' in '),
      ...(verified ? ['Verified'] : ['Prices and open times']),
    ].filter((line) => line !== ''),
    price: range === undefined ? null : `${range} per visit`,
    photoUrl: pro.pictures.cover?.url ?? null,
  }
}

export const packageCard = ({ name, pricing, professional, location }: Package): ShownCard => ({
  heading: name,
  rating: ratingText(professional.rating, professional.reviewCount),
  lines: [professional.businessName, `${location.city}, ${location.state}`],
  price: priceOf(pricing),
  photoUrl: null,
})

interface CityContent {
  readonly service: { readonly name: string }
  readonly city: { readonly name: string; readonly state: string }
  readonly pricing: PricingResult['pricing']
}

/** Says nothing that changes with each new pro: the picture is drawn anew only when the usual price changes. */
export const cityCard = ({ service, city, pricing }: CityContent): ShownCard => ({
  heading: `${capitalized(prosOf({ service: service.name }))}, ${city.name}, ${city.state}`,
  rating: null,
  lines: ['Prices, reviews and open times'],
  price: pricing && `usually ${usualPrice(pricing)}`,
  photoUrl: null,
})
