/** @jsxImportSource preact */
// Ratings: an average, one review's stars, the distribution.
import { count, plural } from '../../platform/text/format.ts'
import type { VNode } from 'preact'

/** "★ 4.7 128 reviews" or "No reviews yet". */
export const Rating = ({ average, reviews }: { average: number | null; reviews: number }): VNode =>
  average === null || reviews === 0 ? (
    <span class="quiet">No reviews yet</span>
  ) : (
    <span class="rating">
      <span class="star" aria-hidden="true">
        ★
      </span>{' '}
      <strong>{average.toFixed(1)}</strong> <span class="quiet">{plural(reviews, 'review')}</span>
    </span>
  )

/** Five stars with a text for screen readers. */
export const Stars = ({ given }: { given: number }): VNode => (
  <span class="stars" role="img" aria-label={`${given} of 5 stars`}>
    {'★'.repeat(given)}
    <span class="quiet">{'★'.repeat(5 - given)}</span>
  </span>
)

const starsOf = (star: number): VNode => (
  <>
    {star} <span aria-hidden="true">★</span>
    <span class="unseen">stars</span>
  </>
)

interface DistributionProps {
  counts: Readonly<Record<string, number>>
  /** The page of the reviews with so many stars. */
  linkOf?: (stars: number) => string
  chosen?: number | undefined
}

/** A bar per number of stars. */
export const Distribution = ({ counts, linkOf, chosen }: DistributionProps): VNode => {
  const total = Object.values(counts).reduce((sum, value) => sum + value, 0)
  return (
    <ul class="distribution">
      {[5, 4, 3, 2, 1].map((star) => {
        const given = counts[star] ?? 0
        return (
          <li>
            {linkOf && given > 0 ? (
              <a href={linkOf(star)} aria-current={star === chosen ? 'true' : undefined}>
                {starsOf(star)}
              </a>
            ) : (
              <span>{starsOf(star)}</span>
            )}{' '}
            <meter min="0" max={Math.max(1, total)} value={given} aria-label={plural(given, 'review')}></meter>{' '}
            <span class="quiet">{count(given)}</span>
          </li>
        )
      })}
    </ul>
  )
}
