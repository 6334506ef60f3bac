/** @jsxImportSource preact */
// The reviews of a pro's page: how many have how many stars, and those that the reader asks for. All of it is in the address.
import type { CaptionedPhoto } from '../../../features/files/files/verbs/photos.ts'
import type { PublicProfile } from '../../../features/search/pros/schemas.ts'
import type { ReviewsPage } from '../../../features/reviews/reviews/schemas.ts'
import { day, plural } from '../../../platform/text/format.ts'
import type { VNode } from 'preact'
import { Section } from '../../ui/headings.tsx'
import { EmptyState, Pager } from '../../ui/lists.tsx'
import { Photos } from '../../ui/pictures.tsx'
import { Distribution, Stars } from '../../ui/ratings.tsx'

/** Published reviews: everyone sees their photos. */
export interface ShownReviews extends ReviewsPage {
  reviews: (ReviewsPage['reviews'][number] & { photos: readonly CaptionedPhoto[] })[]
  choice: ReviewsChoice
}

const ORDERS = [
  ['recent', 'Newest'],
  ['helpful', 'Most helpful'],
  ['rating_high', 'Highest rating'],
  ['rating_low', 'Lowest rating'],
] as const

/** Which reviews are shown. Those with so many stars are shown from the newest on. */
export interface ReviewsChoice {
  readonly stars?: number | undefined
  readonly sort: (typeof ORDERS)[number][0]
}

/** What the address asks for. What is wrong there asks for nothing. */
export function reviewsChoiceIn(query: URLSearchParams): ReviewsChoice {
  const stars = [1, 2, 3, 4, 5].find((it) => String(it) === query.get('stars'))
  const [sort] = ORDERS.find(([value]) => value === query.get('sort')) ?? ORDERS[0]
  return { stars, sort: stars === undefined ? sort : 'recent' }
}

interface ReviewedPro extends Pick<PublicProfile, 'counts' | 'ratingDistribution' | 'slug'> {
  readonly wantedServiceId: string | null
  readonly reviewsPage: ShownReviews
}

export const reviewsSection = (pro: ReviewedPro): VNode | false => {
  const { reviewsPage, ratingDistribution, counts } = pro
  const { choice, reviews, meta } = reviewsPage
  const { stars } = choice
  const href = (chosen: ReviewsChoice) => addressOf(pro, chosen)
  return (
    counts.reviews > 0 && (
      <Section title="Reviews" id="reviews">
        <Distribution counts={ratingDistribution} chosen={stars} linkOf={(it) => href({ stars: it, sort: 'recent' })} />
        {stars === undefined ? (
          counts.reviews > 1 && orders(choice, href)
        ) : (
          <p>
            {plural(meta.total, 'review')} with {plural(stars, 'star')}. <a href={href({ sort: 'recent' })}>Show all</a>
          </p>
        )}
        {reviews.map(oneReview)}
        {reviews.length === 0 && (
          <EmptyState title={stars === undefined ? 'There are no more reviews.' : 'No review has this rating.'}>
            <a href={href({ sort: 'recent' })}>Show all {plural(counts.reviews, 'review')}</a>
          </EmptyState>
        )}
        <Pager
          path={`/pros/${pro.slug}`}
          query={parametersOf(pro, choice)}
          anchor="reviews"
          meta={meta}
          words={
            choice.sort === 'recent' ? ['← Newer reviews', 'Older reviews →'] : ['← Previous reviews', 'Next reviews →']
          }
        />
      </Section>
    )
  )
}

const orders = (choice: ReviewsChoice, href: (chosen: ReviewsChoice) => string): VNode => (
  <nav class="tabs" aria-label="Order of the reviews">
    {ORDERS.map(([sort, label]) => (
      <>
        <a href={href({ sort })} aria-current={sort === choice.sort ? 'page' : undefined}>
          {label}
        </a>{' '}
      </>
    ))}
  </nav>
)

/** The offer that the reader looks at stays chosen. */
const parametersOf = (
  { wantedServiceId }: Pick<ReviewedPro, 'wantedServiceId'>,
  { stars, sort }: ReviewsChoice,
): Record<string, string> => ({
  ...(wantedServiceId !== null && { service: wantedServiceId }),
  ...(stars !== undefined && { stars: String(stars) }),
  ...(sort !== 'recent' && { sort }),
})

function addressOf(pro: ReviewedPro, choice: ReviewsChoice): string {
  const query = new URLSearchParams(parametersOf(pro, choice)).toString()
  return `/pros/${pro.slug}${query === '' ? '' : `?${query}`}#reviews`
}

const oneReview = (review: ShownReviews['reviews'][number]): VNode => (
  <article class="review">
    <h3>
      <Stars given={review.rating} /> {review.title}
    </h3>
    <p class="prose">{review.content}</p>
    <Photos photos={review.photos} owner={review.author} />
    <p class="hint">
      {review.author}, {day(review.createdAt)} {review.isVerified && <span class="badge good">Verified customer</span>}
    </p>
    {review.proResponse !== null && (
      <blockquote>
        <p class="prose">{review.proResponse.content}</p>
        <p class="hint">Reply from the pro, {day(review.proResponse.date)}</p>
      </blockquote>
    )}
  </article>
)
