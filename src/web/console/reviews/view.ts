// The view of moderation: search, filters, the list with checkboxes, and the form for all that are chosen.
import {
  MODERATION_SORTS,
  type ModerationQuery,
  type ReviewToModerate,
} from '../../../features/reviews/moderation/schemas.ts'
import type { ProReview } from '../../../features/reviews/reviews/schemas.ts'
import type { Session } from '../../../http/session.ts'
import { pageMeta, pageOf } from '../../../platform/schema/paging.ts'
import { dateTime, plural } from '../../../platform/text/format.ts'
import { type Html, html } from '../../../platform/text/html.ts'
import { type Choice, actionButton, csrfField, disclosure, selectField, textArea, textField } from '../../ui/forms.ts'
import { type Tone, badge, buttonRow, emptyState, pageHeading, pager, tabs } from '../../ui/parts.ts'
import { stars } from '../../ui/ratings.ts'

export const REVIEWS_PATH = '/console/reviews'
const FILTERS = ['q', 'status', 'rating', 'verified', 'pro', 'age', 'sort'] as const
const BULK_FORM = 'decide'

/** The path of a list with the known parts of `query`. */
export function pathOfList(query: URLSearchParams): string {
  const known = [...FILTERS, 'offset'].flatMap((name) => {
    const value = query.get(name)
    return value ? [[name, value] as [string, string]] : []
  })
  return known.length === 0 ? REVIEWS_PATH : `${REVIEWS_PATH}?${new URLSearchParams(known).toString()}`
}

interface ReviewList {
  reviews: readonly ReviewToModerate[]
  total: number
  query: ModerationQuery
  /** Whether the boxes of the page are ticked. */
  isAllChosen: boolean
}

export function reviewListView(session: Session, { reviews, total, query, isAllChosen }: ReviewList): Html {
  const status = query.status ?? 'pending'
  const filter = filterOf(query)
  const canChoose = reviews.some((review) => review.status === 'pending')
  const { offset } = pageOf(query)
  const back = new URLSearchParams({ ...filter, ...(offset > 0 && { offset: String(offset) }) }).toString()
  return html`
    ${pageHeading('Reviews')}
    ${tabs(
      'Reviews by status',
      { path: REVIEWS_PATH, parameter: 'status', chosen: status === 'pending' ? '' : status },
      [
        { value: '', label: 'To moderate' },
        { value: 'approved', label: 'Published' },
        { value: 'rejected', label: 'Rejected' },
        { value: 'all', label: 'All' },
      ],
    )}
    ${searchForm(query)}
    ${
      reviews.length === 0
        ? nothingFound(query, total)
        : html`<p class="quiet">${plural(total, 'review')}${isFiltered(query) && ' found'}</p>
            ${canChoose && bulkForm(session, { back, isAllChosen })}
            <ul class="entries">
              ${reviews.map((review) => entryOf(session, review, { back, isAllChosen }))}
            </ul>`
    }
    ${pager(REVIEWS_PATH, pageMeta(total, query), filter, ['← Previous', 'Next →'])}
  `
}

const isFiltered = ({ q, rating, verified, pro, age }: ModerationQuery): boolean =>
  Boolean(q || rating || verified || pro || age)

/** The chosen filters, without those that are left at "any". */
const filterOf = (query: ModerationQuery): Record<string, string> =>
  Object.fromEntries(FILTERS.flatMap((name) => (query[name] ? [[name, query[name]]] : [])))

function nothingFound(query: ModerationQuery, total: number): Html {
  const status = query.status ?? 'pending'
  if (total > 0)
    return emptyState(
      'This page is empty now',
      html`<a href="${pathOfList(new URLSearchParams(filterOf(query)))}">Show the first page</a>`,
    )
  if (isFiltered(query)) return emptyState('No reviews found', html`<a href="${REVIEWS_PATH}">Remove the filters</a>`)
  return emptyState(
    'No reviews',
    status === 'pending' ? 'All reviews have been moderated.' : 'There are no reviews with this status.',
  )
}

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

const searchForm = ({ q, status, rating, verified, pro, age, sort }: ModerationQuery): Html => html`
  <form method="get" action="${REVIEWS_PATH}" class="filters" role="search">
    ${status && html`<input type="hidden" name="status" value="${status}" />`}
    ${textField({ name: 'q', label: 'Text, pro or author', isOptional: true, maxLength: 200, value: q ?? '' })}
    ${textField({ name: 'pro', label: 'Pro, by id or slug', isOptional: true, maxLength: 200, value: pro ?? '' })}
    ${selectField({ name: 'rating', label: 'Rating', isOptional: true, choices: RATINGS, value: rating ?? '' })}
    ${selectField({ name: 'verified', label: 'Verified', isOptional: true, choices: VERIFIED, value: verified ?? '' })}
    ${selectField({ name: 'age', label: 'Sent', isOptional: true, choices: AGES, value: age ?? '' })}
    ${selectField({ name: 'sort', label: 'Order', isOptional: true, choices: SORTS, value: sort ?? 'newest' })}
    <button class="small plain">Search</button>
  </form>
`

interface Place {
  back: string
  isAllChosen: boolean
}

/** The boxes beside the reviews belong to this form. */
const bulkForm = (session: Session, { back, isAllChosen }: Place): Html => html`
  <form method="post" action="${REVIEWS_PATH}/bulk" id="${BULK_FORM}" class="bulk">
    ${csrfField(session)}
    <input type="hidden" name="back" value="${back}" />
    ${
      isAllChosen
        ? html`<a href="${pathOfList(new URLSearchParams(back))}">Choose none</a>`
        : html`<a
            href="${REVIEWS_PATH}?${new URLSearchParams([...new URLSearchParams(back), ['choose', 'all']]).toString()}"
            >Choose all on this page</a
          >`
    }
    <button class="small" name="decision" value="approve">Publish the chosen</button>
    ${disclosure(
      'Reject the chosen',
      html`${textArea({
          id: 'bulk-reason',
          name: 'reason',
          label: 'One reason for all of them',
          hint: 'The pros can read it.',
          maxLength: 5000,
          isOptional: true,
        })} <button class="small danger" name="decision" value="reject">Reject them</button>`,
    )}
  </form>
`

const TONES: Record<ProReview['status'], Tone> = { pending: 'wait', approved: 'good', rejected: 'bad' }
const LABELS: Record<ProReview['status'], string> = {
  pending: 'To moderate',
  approved: 'Published',
  rejected: 'Rejected',
}

const entryOf = (session: Session, review: ReviewToModerate, place: Place): Html => html`
  <li class="entry">
    <p class="entry-line">
      ${review.status === 'pending' && box(review, place.isAllChosen)} ${stars(review.rating)} for
      <a href="/pros/${review.professional.slug}"><strong>${review.professional.businessName}</strong></a>
      ${review.isVerified && badge('Verified', 'good')} ${review.isOfTeam && badge('Address of a team member', 'wait')}
      ${badge(LABELS[review.status], TONES[review.status])}
    </p>
    ${review.title !== null && html`<h2>${review.title}</h2>`}
    <p class="text">${review.content}</p>
    ${
      review.photos.length > 0 &&
      html`<p>
        ${plural(review.photos.length, 'photo')}:
        ${review.photos.map(({ url, caption }) => html`<a href="${url}" rel="noreferrer">${caption ?? url}</a> `)}
      </p>`
    }
    <p class="hint">
      ${review.author}, ${dateTime(review.createdAt)} ·
      <a href="${REVIEWS_PATH}?status=all&pro=${review.professional.slug}">All reviews of this pro</a>
    </p>
    ${review.rejectionReason !== null && html`<p class="hint">Rejected: ${review.rejectionReason}</p>`}
    ${review.status === 'pending' && moderation(session, review, place)}
  </li>
`

const box = ({ id, author, professional }: ReviewToModerate, isChosen: boolean): Html =>
  html`<label class="tick"
    ><input
      type="checkbox"
      form="${BULK_FORM}"
      name="ids"
      value="${id}"
      aria-label="Choose ${author}’s review of ${professional.businessName}"
      ${isChosen && html`checked`}
  /></label>`

const moderation = (session: Session, { id }: ReviewToModerate, { back }: Place): Html =>
  buttonRow(html`
    ${actionButton(session, { action: `${REVIEWS_PATH}/${id}/approve`, label: 'Publish', fields: { back } })}
    ${disclosure(
      'Reject',
      html`<form method="post" action="${REVIEWS_PATH}/${id}/reject">
        ${csrfField(session)}
        <input type="hidden" name="back" value="${back}" />
        ${textArea({ id: `reason-${id}`, name: 'reason', label: 'Reason', hint: 'The pro can read it.', maxLength: 5000 })}
        <button class="small danger">Reject review</button>
      </form>`,
    )}
  `)
