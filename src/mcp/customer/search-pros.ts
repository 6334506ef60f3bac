// search_pros: GET /pros for a model, in shorter pages.
import { type Static, Type } from '@sinclair/typebox'

import { testAccountOf, type Viewer } from '../../auth/caller.ts'
import type { Ctx } from '../../ctx.ts'
import { invalidField } from '../../errors/app-error.ts'
import { type Professional, ProsQuery, SearchMeta } from '../../features/search/pros/schemas.ts'
import { readingNotes } from '../../features/search/pros/reading-notes.ts'
import { findNarrowedTestPros } from '../../features/search/pros/verbs/narrowed-test-pros.ts'
import { type FoundPros, findNarrowedPros, findPros } from '../../features/search/pros/verbs/search.ts'
import { isSearchServed } from '../../features/catalog/services/verbs/served.ts'
import { getCatalogNames } from '../../features/catalog/services/verbs/names.ts'
import { notServedText } from '../../features/upkeep/marketplace/rules/area.ts'
import { getDefaults, getMarketplace } from '../../features/upkeep/marketplace/verbs.ts'
import { Natural } from '../../platform/schema/numbers.ts'
import { CalendarDate, ClockTime, Nullable, OneOf } from '../../platform/schema/types.ts'
import { plural } from '../../platform/text/format.ts'
import { nextPage, page, withDefaultLimit } from '../server/results.ts'
import { defineOpenTool, described } from '../server/tool.ts'
import { BriefPrice, type HowBooked, howBooked, termsOf } from './brief-price.ts'

const { q, service, category, place, city, state, lat, lng, radius, verified, instantBook, inServiceArea } =
  ProsQuery.properties

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
  opens: Type.Optional(Type.Object({ startDateTime: Type.String(), localTime: Type.String() })),
  services: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), ...terms })),
})
type FoundPro = Static<typeof FoundPro>

const FoundMeta = Type.Object({
  ...SearchMeta.properties,
  comparedOnly: Type.Optional(Natural()),
  withOtherTimes: Type.Optional(Natural({ description: 'Where the page is empty: the matches with other open times' })),
  notServed: Type.Optional(
    Type.String({ description: 'The place is outside the area of the marketplace, which it names' }),
  ),
})

/** Sorts of {@link searchPros} by the orders of the search. */
const SORTS = { rating: 'rating', price: 'price', earliest: 'time' } as const

export const searchPros = defineOpenTool({
  name: 'search_pros',
  title: 'Find home service pros',
  description:
    'Find home service pros who come to a place. Give the person’s own words as q ("sink is leaking austin tx"), or a service and a place. Nearest first around a point or ZIP code, otherwise best rated. `professionals[].id` is a professionalId, `services[].id` a serviceId. Only a service that you named has its price (tell the person `text`; `total` includes `bookingFee`), minutes, deposit (paid with `bookingFee` when booking) and `bookable`. With date, after, before or earliest, each has its first such open time as `opens`. Next: query_availability where bookable, otherwise request_quote; get_pro for more, also its page.',
  freeDescription:
    'Find home service pros who come to a place. Give the person’s own words as q ("sink is leaking austin tx"), or a service and a place. Nearest first around a point or ZIP code, otherwise best rated. `professionals[].id` is a professionalId, `services[].id` a serviceId. Only a service that you named has its price (tell the person `text`), minutes and `bookable`: what takes a deposit is not bookable here. With date, after, before or earliest, each has its first such open time as `opens`. Next: query_availability where bookable, otherwise request_quote; get_pro for more, also its page.',
  access: 'read',
  quotes: 'names',
  input: Type.Object(
    {
      q: described(q, 'Service or problem, and place'),
      service: described(service, 'A service, trade or problem'),
      category: described(category),
      place: described(place, 'ZIP code, city, county or state'),
      city: described(city),
      state: described(state),
      lat: described(lat),
      lng: described(lng),
      radius: described(radius, 'Miles'),
      date: Type.Optional(CalendarDate({ description: 'Open on this day' })),
      after: Type.Optional(ClockTime({ description: 'Open from HH:MM on' })),
      before: Type.Optional(ClockTime()),
      sort: Type.Optional(OneOf(['rating', 'price', 'earliest'])),
      verified: described(verified),
      instantBook: described(instantBook, 'Only what can (or cannot) be booked at once'),
      inServiceArea: described(inServiceArea, 'false: also pros who do not come there, marked'),
      ...page,
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    professionals: Type.Array(FoundPro),
    bookingFee: Type.Number(),
    meta: FoundMeta,
  }),
  call: async (ctx, { inServiceArea = true, date, after, before, sort, ...query }) => {
    if (after !== undefined && before !== undefined && after >= before)
      throw invalidField('body.before', 'must be later than `after`')
    const found = await find(
      ctx,
      { ...withDefaultLimit(query), inServiceArea },
      { opensOn: date, opensFrom: after, opensUntil: before, order: sort && SORTS[sort] },
    )
    const [booked, notServed] = await Promise.all([howBooked(ctx), notServedNote(ctx, { query, found })])
    return {
      professionals: found.professionals.map((pro) => brief(pro, booked, found.openTimes[pro.id])),
      bookingFee: booked.bookingFee,
      meta: {
        ...found.meta,
        ...(found.comparedOnly === undefined ? {} : { comparedOnly: found.comparedOnly }),
        ...(found.withOtherTimes === undefined ? {} : { withOtherTimes: found.withOtherTimes }),
        ...(notServed === undefined ? {} : { notServed }),
      },
    }
  },
  next: ({ professionals, meta }) => {
    const outcome = professionals.length > 0 ? nextPage(meta) : emptyText(meta)
    const compared =
      meta.comparedOnly === undefined
        ? []
        : [`Only the ${meta.comparedOnly} nearest or best rated were compared: name a smaller place for all.`]
    const texts = [
      ...readingNotes(meta),
      ...(meta.notServed === undefined ? [] : [meta.notServed]),
      ...compared,
      ...(outcome === undefined ? [] : [outcome]),
    ]
    return texts.length === 0 ? undefined : texts.join(' ')
  },
})

/** What pages say as well of a place outside the area. */
async function notServedNote(
  ctx: Ctx,
  { query: { lat, lng }, found }: { query: ProsQuery; found: Pick<FoundPros, 'meta'> },
): Promise<string | undefined> {
  const [site, { allCities }] = await Promise.all([getMarketplace(ctx), getCatalogNames(ctx)])
  const place = found.meta.understood?.place
  return isSearchServed(site.area, { lat, lng, place }, allCities) ? undefined : notServedText(site, place?.displayName)
}

type Narrowing = Parameters<typeof findNarrowedPros>[1]['narrowing']

/** The plain search; with limits of time or a sort the one that compares candidates. */
async function find(
  ctx: Ctx<Viewer>,
  query: ProsQuery,
  narrowing: Narrowing,
): Promise<FoundPros & { withOtherTimes?: number }> {
  const { radiusMiles: usualRadius } = await getDefaults(ctx)
  const limit = Object.values(narrowing).find((value) => value !== undefined)
  if (limit === undefined) {
    // SQL builds the JSON after the schema of this type.
    const page = JSON.parse(await findPros(ctx, { ...query, usualRadius, countedAs: 'agents' })) as Pick<
      FoundPros,
      'professionals' | 'meta'
    >
    return { ...page, openTimes: {} }
  }
  // A pro who cannot be booked at once has no open times.
  const { order, opensOn, opensFrom, opensUntil } = narrowing
  const isTimed = [opensOn, opensFrom, opensUntil].some((limit) => limit !== undefined)
  const timed = isTimed || order === 'time' ? { ...query, instantBook: query.instantBook ?? true } : query
  const narrowed = testAccountOf(ctx.actor) === null ? findNarrowedPros : findNarrowedTestPros
  const found = await narrowed(ctx, { query: timed, narrowing, countedAs: 'agents' })
  if (!isTimed || found.meta.total > 0 || found.meta.suggestions) return found
  const { meta } = JSON.parse(await findPros(ctx, { ...timed, usualRadius, limit: 1, offset: 0 })) as Pick<
    FoundPros,
    'meta'
  >
  return { ...found, withOtherTimes: meta.total }
}

/** Why a page is empty. A service or place that was not understood is not one that has no pros. */
function emptyText({ understood, suggestions, offset, total, withOtherTimes = 0 }: Static<typeof FoundMeta>): string {
  if (suggestions) {
    const { service, category, place } = suggestions
    const nearest = [
      ...[...(service ?? []), ...(category ?? [])].map(({ name }) => name),
      ...(place ?? []).map((it) => it.displayName),
    ]
    if (nearest.length > 0) return `Did you mean: ${nearest.join('; ')}?`
    return place
      ? 'Give a city with its state or province, or a postal code.'
      : 'Ask the person which service they need; list_services has them all.'
  }
  if (offset > 0 && total > 0) return 'No more results.'
  const name = understood?.service?.name ?? understood?.category?.name
  const where = understood?.place ? ` in ${understood.place.displayName}` : ''
  if (withOtherTimes > 0)
    return `${plural(withOtherTimes, 'pro comes', 'pros come')} there${name === undefined ? '' : ` for ${name}`}, but without an open time then: try another day or time, or sort by earliest.`
  return `No pro${name === undefined ? '' : ` for ${name}`} who comes there was found${where}. Try a larger radius (such as 100), a category instead of the service, or fewer filters.`
}

/** Models pay for every word: of a named service only that one is shown, and nothing that is null. */
function brief(pro: Professional, booked: HowBooked, opens: FoundPro['opens']): FoundPro {
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
    ...(opens && { opens }),
    ...(service
      ? { services: [{ id: service.id, name: service.name, ...termsOf(service, booked) }] }
      : {
          bookable: booked.isPayable && pro.instantBookingEnabled,
          services: pro.services.map(({ id, name }) => ({ id, name })),
        }),
  }
}
