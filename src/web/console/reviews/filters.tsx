/** @jsxImportSource preact */
// What moderators narrow the list of reviews by.
import type { VNode } from 'preact'

import { MODERATION_SORTS, ModerationQuery } from '../../../features/reviews/moderation/schemas.ts'
import { Fields, defineForm } from '../../ui/define-form.tsx'
import type { Choice } from '../../ui/fields.tsx'

export const REVIEWS_PATH = '/console/reviews'

/** All reviews of a pro. */
export const reviewsOfPath = (slug: string): string => `${REVIEWS_PATH}?status=all&pro=${slug}`

const any = (label: string): Choice => ({ value: '', label })
const RATINGS: readonly Choice[] = [
  any('Any'),
  ...['1', '2', '3', '4', '5'].map((value) => ({ value, label: value === '1' ? '1 star' : `${value} stars` })),
]
const VERIFIED: readonly Choice[] = [
  any('Any'),
  { value: 'yes', label: 'Verified' },
  { value: 'no', label: 'Not verified' },
]
const AGES: readonly Choice[] = [
  any('Any time'),
  { value: '1', label: 'The last day' },
  { value: '7', label: 'The last 7 days' },
  { value: '30', label: 'The last 30 days' },
  { value: 'older', label: 'More than 30 days ago' },
]
const SORT_LABELS = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  rating_low: 'Lowest rating first',
  rating_high: 'Highest rating first',
} as const
const SORTS: readonly Choice[] = MODERATION_SORTS.map((value) => ({ value, label: SORT_LABELS[value] }))

const filters = ModerationQuery.properties
const FilterForm = defineForm({
  q: { schema: filters.q, label: 'Text, pro or author' },
  pro: { schema: filters.pro, label: 'Pro, by id or slug' },
  rating: { schema: filters.rating, label: 'Rating', choices: RATINGS },
  verified: { schema: filters.verified, label: 'Verified', choices: VERIFIED },
  age: { schema: filters.age, label: 'Sent', choices: AGES },
  sort: { schema: filters.sort, label: 'Order', choices: SORTS },
})

export const searchForm = (query: ModerationQuery): VNode => (
  <form method="get" action={REVIEWS_PATH} class="filters" role="search">
    {query.status && <input type="hidden" name="status" value={query.status} />}
    <Fields of={FilterForm} values={{ sort: 'newest', ...query }} />
    <button class="small plain">Search</button>
  </form>
)
