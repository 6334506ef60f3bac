/** @jsxImportSource preact */
// A review in the lists of the signed-in owner of its address.
import type { ForeignMaker } from '../../features/customers/customers/verbs/disown.ts'
import type { CustomerReview } from '../../features/reviews/reviews/verbs/reviews.ts'
import type { CustomerSession } from '../../http/customer-session.ts'
import { longDay, plural } from '../../platform/text/format.ts'
import type { VNode } from 'preact'
import { Badge } from '../ui/badge.tsx'
import { foreignMark } from './not-mine.tsx'

interface Row {
  customer: CustomerSession
  review: CustomerReview
  maker: ForeignMaker | undefined
}

const STATES = {
  pending: <Badge tone="wait">Being checked</Badge>,
  approved: <Badge tone="good">Published</Badge>,
  rejected: <Badge>Not published</Badge>,
} as const

export const reviewRow = ({ customer, review, maker }: Row): VNode => {
  const { id, businessName, slug, rating, title, content, status, createdAt } = review
  return (
    <li>
      <div>
        <h3>
          {plural(rating, 'star')} for <a href={`/pros/${slug}`}>{businessName}</a>
        </h3>
        <p class="quiet">Sent {longDay(createdAt)}</p>
        <p>{title ?? content.slice(0, 200)}</p>
        {foreignMark({ customer, kind: 'reviews', id, businessName, maker })}
      </div>
      <div class="price">{STATES[status]}</div>
    </li>
  )
}
