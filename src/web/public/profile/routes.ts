// /pros/{slug}: a pro's page, the profileUrl of the API.
import type { Viewer } from '../../../auth/caller.ts'
import { Elysia } from 'elysia'

import type { Ctx } from '../../../ctx.ts'
import type { Deps } from '../../../deps.ts'
import { getOpenSlots } from '../../../features/calendar/availability/verbs.ts'
import { getCatalogNames } from '../../../features/catalog/services/verbs/names.ts'
import { listPackagesOfPro } from '../../../features/business/packages/verbs/packages.ts'
import { publicThumbnail } from '../../../features/files/files/verbs/photos.ts'
import { getPublicPictures } from '../../../features/files/pictures/verbs.ts'
import type { PublicProfile } from '../../../features/search/pros/schemas.ts'
import { getPublicProfile } from '../../../features/search/pros/verbs/pros.ts'
import { viewerOfProLink } from '../../../features/upkeep/test-mode/verbs.ts'
import type { ReviewsPage } from '../../../features/reviews/reviews/schemas.ts'
import { listReviews } from '../../../features/reviews/reviews/verbs/reviews.ts'
import { publicPage } from '../../../auth/access.ts'
import { priceOf } from '../../../platform/text/format.ts'
import { guard } from '../../../http/guard.ts'
import { queryOf } from '../../../http/request-target.ts'
import { pictureSources } from '../../ui/pictures.tsx'
import { renderPageFor } from '../test-notice.tsx'
import { type ShownReviews, reviewsChoiceIn } from './reviews.tsx'
import type { OpenTimes } from './sections.tsx'
import { profilePage } from './view.tsx'

export const profilePages = (deps: Deps) =>
  new Elysia({ name: 'profile-pages' }).use(guard(deps)).get(
    '/pros/:id',
    async function getProfilePage({ ctx, request, params: { id } }) {
      const [viewer, query] = [await viewerOfProLink(ctx, { pro: id }), queryOf(request.url)]
      // SQL builds the JSON after the schema of this type.
      const pro = JSON.parse(await getPublicProfile(ctx.as(viewer), { pro: id })) as PublicProfile
      // Ids and upper-case slugs redirect to the one URL of a pro.
      if (id !== pro.slug) return new Response(null, { status: 308, headers: { location: `/pros/${pro.slug}` } })
      const [packages, openTimes, reviewsPage, pictures] = await Promise.all([
        listPackagesOfPro(ctx, { professionalId: pro.id }),
        findOpenTimes(ctx, viewer, { pro, wanted: query.get('service') }),
        findReviews(ctx, viewer, pro.id, query),
        getPublicPictures(ctx.as(viewer), { pro: pro.id }),
      ])
      const { allCities } = await getCatalogNames(ctx)
      const page = profilePage(
        {
          ...pro,
          wantedServiceId: query.get('service'),
          packages,
          openTimes,
          reviewsPage,
          pictures,
          cities: allCities,
        },
        ctx.config.baseUrl,
      )
      return renderPageFor(request, viewer, page, pictureSources(ctx.config))
    },
    { access: publicPage, caching: 'public' },
  )

const DAYS = 14
const SHOWN_DAYS = 3
const SHOWN_TIMES_OF_A_DAY = 3

/**
 * A few open times, over the first days that have any: of the service that was searched for, if it can be booked online, else of the
 * first one that can.
 */
async function findOpenTimes(
  ctx: Ctx,
  viewer: Viewer,
  { pro: { id, slug, services }, wanted }: { pro: PublicProfile; wanted: string | null },
): Promise<OpenTimes | undefined> {
  const bookable = services.filter(({ booking }) => booking.instantBookEnabled)
  const service = bookable.find((it) => it.id === wanted) ?? bookable[0]
  if (!service) return undefined
  const { availability } = await getOpenSlots(ctx.as(viewer), { days: DAYS, serviceId: service.id, pro: id })
  const days = availability
    .map(({ date, slots }) => ({ date, slots: slots.filter(({ available }) => available) }))
    .filter(({ slots }) => slots.length > 0)
  const path = `/pros/${slug}/book?service=${service.id}`
  return {
    service: service.name,
    price: priceOf(service.pricing),
    all: path,
    times: days
      .slice(0, SHOWN_DAYS)
      .flatMap(({ date, slots }) =>
        slots
          .slice(0, SHOWN_TIMES_OF_A_DAY)
          .map(({ start }) => ({ date, time: start, href: `${path}&date=${date}&time=${start}` })),
      ),
  }
}

const PAGE_SIZE = 10
const MAX_OFFSET = 10_000

/** One page of the reviews that the address asks for. */
async function findReviews(
  ctx: Ctx,
  viewer: Viewer,
  professionalId: string,
  query: URLSearchParams,
): Promise<ShownReviews> {
  const offset = Number(query.get('offset') ?? 0)
  const isOffset = Number.isInteger(offset) && offset > 0 && offset <= MAX_OFFSET
  const choice = reviewsChoiceIn(query)
  const page = JSON.parse(
    // SQL builds the JSON after the schema of this type.
    await listReviews(ctx.as(viewer), {
      professionalId,
      limit: PAGE_SIZE,
      offset: isOffset ? offset : 0,
      sort: choice.sort,
      rating: choice.stars,
    }),
  ) as ReviewsPage
  const shown = (photo: ReviewsPage['reviews'][number]['photos'][number]) =>
    ({ ...photo, thumbnail: publicThumbnail(ctx, photo), state: 'ready' }) as const
  return { ...page, choice, reviews: page.reviews.map((review) => ({ ...review, photos: review.photos.map(shown) })) }
}
