// Structured data for search engines: schema.org in JSON-LD.
import type { Package } from '../../features/business/packages/schemas.ts'
import type { PublicPictures } from '../../features/files/pictures/schemas.ts'
import type { Professional, PublicProfile } from '../../features/search/pros/schemas.ts'
import type { PricingResult } from '../../features/catalog/pricing/schemas.ts'
import { type Trail, breadcrumbList } from '../ui/breadcrumbs.tsx'
import { visitPriceRange } from './price-words.ts'
import { SHARE_FILE } from './share-cards.ts'

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
const localBusiness = (
  pro: PublicProfile & { pictures: PublicPictures },
  { shareUrl, country }: { shareUrl: string; country: string },
) => ({
  '@type': 'HomeAndConstructionBusiness',
  '@id': pro.profileUrl,
  url: pro.profileUrl,
  name: pro.businessName,
  ...(pro.description === null ? {} : { description: pro.description }),
  ...picturesOf(pro.pictures, shareUrl),
  ...priceRangeOf(pro),
  ...areaServed(pro),
  ...(pro.contact.phone === null ? {} : { telephone: pro.contact.phone }),
  ...(pro.contact.website === null ? {} : { sameAs: [pro.contact.website] }),
  ...(pro.location && {
    address: {
      '@type': 'PostalAddress',
      addressLocality: pro.location.city,
      addressRegion: pro.location.state,
      addressCountry: country,
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
  ...(pro.bookingUrl !== null && { potentialAction: reserveAction(pro.bookingUrl) }),
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

/** The pro and the way to its page. */
export const profileData = (
  pro: PublicProfile & { pictures: PublicPictures },
  { shareUrl, trail, baseUrl, country }: { shareUrl: string; trail: Trail; baseUrl: string; country: string },
) => ({
  '@context': 'https://schema.org',
  '@graph': [localBusiness(pro, { shareUrl, country }), breadcrumbList(trail, { baseUrl, url: pro.profileUrl })],
})

/** Google's guide to LocalBusiness asks for `image`; a logo is one as well. */
function picturesOf({ logo, cover, gallery }: PublicPictures, shareUrl: string) {
  const images = [cover, ...gallery].flatMap((picture) => picture?.url ?? [])
  return { ...(logo && { logo: logo.url }), image: images.length > 0 ? images : [shareUrl] }
}

function priceRangeOf(pro: PublicProfile) {
  const range = visitPriceRange(pro)
  return range !== undefined && { priceRange: range }
}

const METERS_PER_MILE = 1609

/** A circle around the pro's place, as https://schema.org/GeoCircle. */
const areaServed = ({ location, serviceRadius }: PublicProfile) =>
  location && {
    areaServed: {
      '@type': 'GeoCircle',
      geoMidpoint: { '@type': 'GeoCoordinates', latitude: location.latitude, longitude: location.longitude },
      geoRadius: serviceRadius * METERS_PER_MILE,
    },
  }

/** Booking on a page: https://schema.org/ReserveAction. */
const reserveAction = (urlTemplate: string) => ({
  '@type': 'ReserveAction',
  target: {
    '@type': 'EntryPoint',
    urlTemplate,
    actionPlatform: ['https://schema.org/DesktopWebPlatform', 'https://schema.org/MobileWebPlatform'],
  },
  result: { '@type': 'Reservation', name: 'Appointment' },
})

/** A found pro as https://schema.org/LocalBusiness, with its booking page. */
const foundPro = (
  { profileUrl, businessName, location, rating, reviewCount, bookingUrl }: Professional,
  country: string,
) => ({
  '@type': 'HomeAndConstructionBusiness',
  '@id': profileUrl,
  url: profileUrl,
  name: businessName,
  image: `${profileUrl}/${SHARE_FILE}`,
  ...(location && {
    address: {
      '@type': 'PostalAddress',
      addressLocality: location.city,
      addressRegion: location.state,
      addressCountry: country,
    },
  }),
  ...(rating !== null &&
    reviewCount > 0 && { aggregateRating: { '@type': 'AggregateRating', ratingValue: rating, reviewCount } }),
  ...(bookingUrl !== null && { potentialAction: reserveAction(bookingUrl) }),
})

interface CityServiceContent {
  service: { name: string; slug: string }
  city: { name: string; state: string }
  category: string
  found: { professionals: readonly Professional[] }
  pricing: PricingResult['pricing']
}

/** A service in a city: https://schema.org/Service with its prices, the way to the page, and the list of pros. */
export const cityServiceData = (
  { service, city, category, found, pricing }: CityServiceContent,
  {
    canonical,
    baseUrl,
    title,
    trail,
    country,
  }: { canonical: string; baseUrl: string; title: string; trail: Trail; country: string },
) => ({
  '@context': 'https://schema.org',
  '@graph': [
    {
      '@type': 'Service',
      '@id': `${canonical}#service`,
      name: title,
      serviceType: service.name,
      category,
      areaServed: { '@type': 'City', name: `${city.name}, ${city.state}` },
      ...(pricing && {
        offers: {
          '@type': 'AggregateOffer',
          lowPrice: pricing.min,
          highPrice: pricing.max,
          offerCount: pricing.sampleSize,
          priceCurrency: pricing.currency,
        },
      }),
    },
    breadcrumbList(trail, { baseUrl, url: canonical }),
    {
      '@type': 'ItemList',
      name: title,
      itemListElement: found.professionals.map((pro, index) => ({
        '@type': 'ListItem',
        position: index + 1,
        item: foundPro(pro, country),
      })),
    },
  ],
})

interface PackageAddresses {
  url: string
  profileUrl: string
  shareUrl: string
  trail: Trail
  baseUrl: string
}

/** A package and the way to its page. */
export const packageData = (offer: Package, { trail, baseUrl, ...at }: PackageAddresses) => ({
  '@context': 'https://schema.org',
  '@graph': [packageOffer(offer, at), breadcrumbList(trail, { baseUrl, url: at.url })],
})

/** A package as https://schema.org/Service with one https://schema.org/Offer, the fixed price. */
const packageOffer = (
  offer: Package,
  { url, profileUrl, shareUrl }: Pick<PackageAddresses, 'url' | 'profileUrl' | 'shareUrl'>,
) => ({
  '@type': 'Service',
  '@id': url,
  url,
  name: offer.name,
  image: shareUrl,
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
