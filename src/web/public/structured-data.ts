// Structured data for search engines: schema.org in JSON-LD.
import type { Package } from '../../features/packages/schemas.ts'
import type { PublicProfile } from '../../features/pros/schemas.ts'
import { Html } from '../../platform/text/html.ts'

type ServiceOffer = PublicProfile['services'][number]

/**
 * A service of a pro as https://schema.org/Offer, its price as https://schema.org/UnitPriceSpecification: per visit, per
 * hour or per another unit.
 */
function serviceOffer({ id, name, pricing, booking }: ServiceOffer, profileUrl: string) {
  const { basePrice, min, max, unit, currency } = pricing
  return {
    '@type': 'Offer',
    itemOffered: { '@type': 'Service', name },
    ...(booking.instantBookEnabled && { url: `${profileUrl}/book?service=${id}` }),
    ...((basePrice ?? min ?? max) !== null && {
      priceSpecification: {
        '@type': 'UnitPriceSpecification',
        ...(basePrice !== null && { price: basePrice }),
        ...(min !== null && { minPrice: min }),
        ...(max !== null && { maxPrice: max }),
        priceCurrency: currency,
        // HUR is the code of an hour in the list of units that schema.org names.
        ...(unit === 'hour' ? { unitCode: 'HUR' } : { unitText: unit?.replaceAll('_', ' ') ?? 'visit' }),
      },
    }),
  }
}

/**
 * A pro as https://schema.org/LocalBusiness with the services it offers, and with https://schema.org/AggregateRating if there
 * are reviews.
 */
export const localBusiness = (pro: PublicProfile) => ({
  '@context': 'https://schema.org',
  '@type': 'HomeAndConstructionBusiness',
  '@id': pro.profileUrl,
  url: pro.profileUrl,
  name: pro.businessName,
  ...(pro.description === null ? {} : { description: pro.description }),
  ...(pro.contact.phone === null ? {} : { telephone: pro.contact.phone }),
  ...(pro.contact.website === null ? {} : { sameAs: [pro.contact.website] }),
  ...(pro.location && {
    address: {
      '@type': 'PostalAddress',
      addressLocality: pro.location.city,
      addressRegion: pro.location.state,
      addressCountry: 'US',
    },
    geo: { '@type': 'GeoCoordinates', latitude: pro.location.latitude, longitude: pro.location.longitude },
  }),
  openingHoursSpecification: Object.entries(pro.businessHours).flatMap(([weekday, intervals]) =>
    intervals.map(({ start, end }) => ({
      '@type': 'OpeningHoursSpecification',
      dayOfWeek: `https://schema.org/${weekday.charAt(0).toUpperCase()}${weekday.slice(1)}`,
      opens: start,
      // schema.org's times end at 23:59.
      closes: end === '24:00' ? '23:59' : end,
    })),
  ),
  makesOffer: pro.services.map((service) => serviceOffer(service, pro.profileUrl)),
  ...(pro.reviews.stats.count > 0 && {
    aggregateRating: {
      '@type': 'AggregateRating',
      ratingValue: pro.reviews.stats.average,
      reviewCount: pro.reviews.stats.count,
      bestRating: 5,
      worstRating: 1,
    },
  }),
})

/** A package as https://schema.org/Service with one https://schema.org/Offer, the fixed price. */
export const packageOffer = (offer: Package, url: string, profileUrl: string) => ({
  '@context': 'https://schema.org',
  '@type': 'Service',
  '@id': url,
  url,
  name: offer.name,
  serviceType: offer.service.name,
  ...(offer.description === null ? {} : { description: offer.description }),
  areaServed: { '@type': 'City', name: `${offer.location.city}, ${offer.location.state}` },
  provider: {
    '@type': 'HomeAndConstructionBusiness',
    '@id': profileUrl,
    url: profileUrl,
    name: offer.professional.businessName,
  },
  offers: { '@type': 'Offer', sku: offer.sku, price: offer.price, priceCurrency: offer.currency, url },
})

/** A JSON-LD block. The Content-Security-Policy does not apply, because browsers do not execute it. */
export const dataBlock = (value: object): Html =>
  // Escaping `<` keeps the value from closing the element or opening a comment.
  new Html(`<script type="application/ld+json">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`)
