// search_pros: GET /pros for a model, in shorter pages.
import { type Static, Type } from '@sinclair/typebox'

import { type MatchedService, type Professional, ProsQuery, SearchMeta } from '../../features/search/pros/schemas.ts'
import { readingNotes } from '../../features/search/pros/reading-notes.ts'
import { findPros } from '../../features/search/pros/verbs/search.ts'
import { testAccountOf } from '../../auth/caller.ts'
import { takesPayments } from '../../payments/open-provider.ts'
import { fromCents } from '../../platform/schema/money.ts'
import { Natural } from '../../platform/schema/numbers.ts'
import { Price, withFee } from '../../platform/schema/price.ts'
import { Nullable } from '../../platform/schema/types.ts'
import { priceOf } from '../../platform/text/format.ts'
import { nextPage, page, withDefaultLimit } from '../server/results.ts'
import { defineCustomerTool, described } from '../server/tool.ts'

const { q, service, category, place, city, state, lat, lng, radius, verified, instantBook, inServiceArea } =
  ProsQuery.properties

const { type, base, min, max, unit, total } = Price.properties
/** The price without what is null, and its sentence. */
const BriefPrice = Type.Object({
  type,
  ...Type.Partial(Type.Object({ base, min, max, unit, total })).properties,
  text: Type.String(),
})

/** With a service named: what booking it with this pro takes. */
const terms = {
  price: Type.Optional(BriefPrice),
  minutes: Type.Optional(Natural()),
  deposit: Type.Optional(Type.Number()),
  bookable: Type.Optional(Type.Boolean()),
}

const FoundPro = Type.Object({
  id: Type.String(),
  businessName: Type.String(),
  verified: Type.Boolean(),
  rating: Nullable(Type.Number()),
  reviewCount: Natural(),
  location: Type.Optional(Type.String()),
  distance: Type.Optional(Type.Number()),
  serviceRadius: Natural(),
  inServiceArea: Type.Optional(Type.Boolean()),
  bookable: Type.Optional(Type.Boolean()),
  services: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), ...terms })),
})
type FoundPro = Static<typeof FoundPro>

export const searchPros = defineCustomerTool({
  name: 'search_pros',
  title: 'Find home service pros',
  description:
    'Find home service pros who come to a place. Give the person’s own words as q ("sink is leaking austin tx"), or a service or category and a place or point. Nearest first around a point or ZIP code, otherwise best rated. `professionals[].id` is a professionalId, `services[].id` a serviceId. Only a service that you named has its price (`text` is what to tell the person; `total` includes `bookingFee`), minutes, deposit (paid with `bookingFee` when booking) and `bookable`. Next: query_availability where bookable, otherwise request_quote.',
  access: 'read',
  input: Type.Object(
    {
      q: described(q, 'Service or problem, and place, in the person’s words'),
      service: described(service, 'A service, trade or problem'),
      category: described(category, 'By name or synonym'),
      place: described(place, 'ZIP code, city, county or state'),
      city,
      state,
      lat: described(lat, 'With `lng`'),
      lng: described(lng),
      radius: described(radius, 'Miles; 25 by default'),
      verified: described(verified, 'Only verified or only others'),
      instantBook: described(instantBook, 'Only what can (true) or cannot (false) be booked at once'),
      inServiceArea: described(inServiceArea, 'false: also pros who do not come there, marked'),
      ...page,
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    professionals: Type.Array(FoundPro),
    bookingFee: Type.Number(),
    profileUrl: Type.String(),
    meta: SearchMeta,
  }),
  call: async (ctx, { inServiceArea = true, ...query }) => {
    const page = JSON.parse(await findPros(ctx, { ...withDefaultLimit(query), inServiceArea })) as {
      professionals: Professional[]
      meta: SearchMeta
    }
    const { instantBookingFeeCents, baseUrl } = ctx.config
    // Agents book with the fee, which needs a payment provider.
    const isPayable = instantBookingFeeCents === 0 || takesPayments(ctx.config, testAccountOf(ctx.actor))
    const bookingFee = fromCents(instantBookingFeeCents)
    return {
      professionals: page.professionals.map((pro) => brief(pro, { isPayable, bookingFee })),
      bookingFee,
      profileUrl: `${baseUrl}/pros/{id}`,
      meta: page.meta,
    }
  },
  next: ({ professionals, meta }) => {
    const outcome = professionals.length > 0 ? nextPage(meta) : emptyText(meta)
    const texts = [...readingNotes(meta), ...(outcome === undefined ? [] : [outcome])]
    return texts.length === 0 ? undefined : texts.join(' ')
  },
})

/** Why a page is empty. A service or place that was not understood is not one that has no pros. */
function emptyText({ understood, suggestions, offset, total }: SearchMeta): string {
  if (suggestions) {
    const { service, category, place } = suggestions
    const nearest = [
      ...[...(service ?? []), ...(category ?? [])].map(({ name }) => name),
      ...(place ?? []).map((it) => it.displayName),
    ]
    if (nearest.length > 0) return `Did you mean: ${nearest.join('; ')}?`
    return place
      ? 'Give a city with its state, or a ZIP code.'
      : 'Ask the person which service they need; list_services has them all.'
  }
  if (offset > 0 && total > 0) return 'No more results.'
  const name = understood?.service?.name ?? understood?.category?.name
  const where = understood?.place ? ` in ${understood.place.displayName}` : ''
  return `No pro${name === undefined ? '' : ` for ${name}`} who comes there was found${where}. Try a larger radius (such as 100), a category instead of the service, or fewer filters.`
}

/** How agents book here. */
interface HowBooked {
  isPayable: boolean
  bookingFee: number
}

/** Models pay for every word: of a named service only that one is shown, and nothing that is null. */
function brief(pro: Professional, booked: HowBooked): FoundPro {
  const {
    id,
    businessName,
    verified,
    rating,
    reviewCount,
    location,
    distance,
    serviceRadius,
    matchedService: service,
  } = pro
  return {
    id,
    businessName,
    verified,
    rating,
    reviewCount,
    ...(location && { location: `${location.city}, ${location.state}` }),
    ...(distance === null ? {} : { distance }),
    serviceRadius,
    ...(pro.inServiceArea === false && { inServiceArea: false }),
    ...(service
      ? { services: [{ id: service.id, name: service.name, ...termsOf(service, booked) }] }
      : {
          bookable: booked.isPayable && pro.instantBookingEnabled,
          services: pro.services.map(({ id, name }) => ({ id, name })),
        }),
  }
}

function termsOf(
  { pricing, booking }: MatchedService,
  { isPayable, bookingFee }: HowBooked,
): Partial<FoundPro['services'][number]> {
  const { durationMinutes: minutes, deposit } = booking
  const bookable = isPayable && booking.instantBookEnabled
  return known({ price: briefPrice(withFee(pricing, bookable ? bookingFee : 0)), minutes, deposit, bookable })
}

function briefPrice(price: Price): Static<typeof BriefPrice> {
  // `from` is the least of these.
  const { type, base, min, max, unit, total } = price
  return { type, ...known({ base, min, max, unit, total }), text: priceOf(price) }
}

/** A copy without what is null or undefined. */
const known = <T extends object>(value: T): { [Name in keyof T]?: NonNullable<T[Name]> } =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null && member !== undefined)) as {
    [Name in keyof T]?: NonNullable<T[Name]>
  }
