// Slugs that a service cannot have: the pages of a service in cities are at /<slug>/<city>, beside the other pages.
import { nameKey, wordsOf } from '../../services/words.ts'

/** The first parts of other addresses. test/features/catalog/entries/reserved-slugs.test.ts compares them with the routes. */
const FIRST_PARTS = [
  'about',
  'api',
  'api-docs',
  'assets',
  'bookings',
  'calendars',
  'console',
  'files',
  'for-pros',
  'healthz',
  'imprint',
  'metrics',
  'my',
  'oauth',
  'ops',
  'packages',
  'pay',
  'privacy',
  'problems',
  'pros',
  'quotes',
  'readyz',
  'requests',
  'reviews',
  'sandbox',
  'sitemaps',
  'terms',
  'unsubscribe',
  'visits',
  'webhooks',
  'well-known',
  'widget',
]
const RESERVED = new Set(FIRST_PARTS.map((part) => nameKey(wordsOf(part))))

/** Whether the addresses of a service or category of this slug, or its plural, would be those of other pages. */
export const isReservedSlug = (slug: string): boolean => RESERVED.has(nameKey(wordsOf(slug)))
