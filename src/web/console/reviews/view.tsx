/** @jsxImportSource preact */
// The view of moderation: search, filters, the list with checkboxes, and the form for all that are chosen.
import {
  MODERATION_SORTS,
  type ModerationQuery,
  type ReviewToModerate,
} from '../../../features/reviews/moderation/schemas.ts'
import type { ProReview } from '../../../features/reviews/reviews/schemas.ts'
import type { Session } from '../../../http/session.ts'
import { pageMeta, pageOf } from '../../../platform/schema/paging.ts'
import { Time } from '../../ui/time.tsx'
import { plural } from '../../../platform/text/format.ts'
import type { VNode } from 'preact'
import { type Choice, SelectField, TextArea, TextField } from '../../ui/fields.tsx'
import { ActionButton, CsrfField, Form } from '../../ui/form.tsx'
import { Disclosure, Button } from '../../ui/buttons.tsx'
import { type Tone, Badge } from '../../ui/badge.tsx'
import { ButtonRow } from '../../ui/buttons.tsx'
import { EmptyState, Pager, Tabs } from '../../ui/lists.tsx'
import { PageHeading } from '../../ui/headings.tsx'
import { Stars } from '../../ui/ratings.tsx'

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

export function reviewListView(session: Session, { reviews, total, query, isAllChosen }: ReviewList): VNode {
  const status = query.status ?? 'pending'
  const filter = filterOf(query)
  const canChoose = reviews.some((review) => review.status === 'pending')
  const { offset } = pageOf(query)
  const back = new URLSearchParams({ ...filter, ...(offset > 0 && { offset: String(offset) }) }).toString()
  return (
    <>
      <PageHeading>Reviews</PageHeading>
      <Tabs
        label="Reviews by status"
        path={REVIEWS_PATH}
        parameter="status"
        chosen={status === 'pending' ? '' : status}
        choices={[
          { value: '', label: 'To moderate' },
          { value: 'approved', label: 'Published' },
          { value: 'rejected', label: 'Rejected' },
          { value: 'all', label: 'All' },
        ]}
      />
      {searchForm(query)}
      {reviews.length === 0 ? (
        nothingFound(query, total)
      ) : (
        <>
          <p class="quiet">
            {plural(total, 'review')}
            {isFiltered(query) && ' found'}
          </p>
          {canChoose && bulkForm(session, { back, isAllChosen })}
          <ul class="entries">{reviews.map((review) => entryOf(session, review, { back, isAllChosen }))}</ul>
        </>
      )}
      <Pager path={REVIEWS_PATH} meta={pageMeta(total, query)} query={filter} words={['← Previous', 'Next →']} />
    </>
  )
}

const isFiltered = ({ q, rating, verified, pro, age }: ModerationQuery): boolean =>
  Boolean(q || rating || verified || pro || age)

/** The chosen filters, without those that are left at "any". */
const filterOf = (query: ModerationQuery): Record<string, string> =>
  Object.fromEntries(FILTERS.flatMap((name) => (query[name] ? [[name, query[name]]] : [])))

function nothingFound(query: ModerationQuery, total: number): VNode {
  const status = query.status ?? 'pending'
  if (total > 0)
    return (
      <EmptyState title="This page is empty now">
        <a href={pathOfList(new URLSearchParams(filterOf(query)))}>Show the first page</a>
      </EmptyState>
    )
  if (isFiltered(query))
    return (
      <EmptyState title="No reviews found">
        <a href={REVIEWS_PATH}>Remove the filters</a>
      </EmptyState>
    )
  return (
    <EmptyState title="No reviews">
      {status === 'pending' ? 'All reviews have been moderated.' : 'There are no reviews with this status.'}
    </EmptyState>
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

const searchForm = ({ q, status, rating, verified, pro, age, sort }: ModerationQuery): VNode => (
  <form method="get" action={REVIEWS_PATH} class="filters" role="search">
    {status && <input type="hidden" name="status" value={status} />}
    <TextField name="q" label="Text, pro or author" isOptional maxLength={200} value={q ?? ''} />
    <TextField name="pro" label="Pro, by id or slug" isOptional maxLength={200} value={pro ?? ''} />
    <SelectField name="rating" label="Rating" isOptional choices={RATINGS} value={rating ?? ''} />
    <SelectField name="verified" label="Verified" isOptional choices={VERIFIED} value={verified ?? ''} />
    <SelectField name="age" label="Sent" isOptional choices={AGES} value={age ?? ''} />
    <SelectField name="sort" label="Order" isOptional choices={SORTS} value={sort ?? 'newest'} />
    <button class="small plain">Search</button>
  </form>
)

interface Place {
  back: string
  isAllChosen: boolean
}

/** The boxes beside the reviews belong to this form. */
const bulkForm = (session: Session, { back, isAllChosen }: Place): VNode => (
  <form method="post" action={`${REVIEWS_PATH}/bulk`} id={BULK_FORM} class="bulk">
    <CsrfField session={session} /> <input type="hidden" name="back" value={back} />{' '}
    {isAllChosen ? (
      <a href={pathOfList(new URLSearchParams(back))}>Choose none</a>
    ) : (
      <a href={`${REVIEWS_PATH}?${new URLSearchParams([...new URLSearchParams(back), ['choose', 'all']]).toString()}`}>
        Choose all on this page
      </a>
    )}{' '}
    <Button isSmall name="decision" value="approve">
      Publish the chosen
    </Button>
    <Disclosure label="Reject the chosen">
      <TextArea
        id="bulk-reason"
        name="reason"
        label="One reason for all of them"
        hint="The pros can read it."
        maxLength={5000}
        isOptional
      />
      <Button look="danger" isSmall name="decision" value="reject">
        Reject them
      </Button>
    </Disclosure>
  </form>
)

const TONES: Record<ProReview['status'], Tone> = { pending: 'wait', approved: 'good', rejected: 'bad' }
const LABELS: Record<ProReview['status'], string> = {
  pending: 'To moderate',
  approved: 'Published',
  rejected: 'Rejected',
}

const entryOf = (session: Session, review: ReviewToModerate, place: Place): VNode => (
  <li class="entry">
    <p class="entry-line">
      {review.status === 'pending' && box(review, place.isAllChosen)} <Stars given={review.rating} /> for{' '}
      <a href={`/pros/${review.professional.slug}`}>
        <strong>{review.professional.businessName}</strong>
      </a>{' '}
      {review.isVerified && <Badge tone="good">Verified</Badge>}{' '}
      {review.isOfTeam && <Badge tone="wait">Address of a team member</Badge>}{' '}
      <Badge tone={TONES[review.status]}>{LABELS[review.status]}</Badge>
    </p>
    {review.title !== null && <h2>{review.title}</h2>}
    <p class="text">{review.content}</p>
    {review.photos.length > 0 && (
      <p>
        {plural(review.photos.length, 'photo')}:{' '}
        {review.photos.map(({ url, caption }) => (
          <>
            <a href={url} rel="noreferrer">
              {caption ?? url}
            </a>{' '}
          </>
        ))}
      </p>
    )}
    <p class="hint">
      {review.author}, <Time instant={review.createdAt} /> ·{' '}
      <a href={`${REVIEWS_PATH}?status=all&pro=${review.professional.slug}`}>All reviews of this pro</a>
    </p>
    {review.rejectionReason !== null && <p class="hint">Rejected: {review.rejectionReason}</p>}
    {review.status === 'pending' && moderation(session, review, place)}
  </li>
)

const box = ({ id, author, professional }: ReviewToModerate, isChosen: boolean): VNode => (
  <label class="tick">
    <input
      type="checkbox"
      form={BULK_FORM}
      name="ids"
      value={id}
      aria-label={`Choose ${author}’s review of ${professional.businessName}`}
      checked={isChosen}
    />
  </label>
)

const moderation = (session: Session, { id }: ReviewToModerate, { back }: Place): VNode => (
  <ButtonRow>
    <ActionButton session={session} action={`${REVIEWS_PATH}/${id}/approve`} label="Publish" fields={{ back }} />
    <Disclosure label="Reject">
      <Form action={`${REVIEWS_PATH}/${id}/reject`} session={session}>
        <input type="hidden" name="back" value={back} />
        <TextArea id={`reason-${id}`} name="reason" label="Reason" hint="The pro can read it." maxLength={5000} />
        <Button look="danger" isSmall>
          Reject review
        </Button>
      </Form>
    </Disclosure>
  </ButtonRow>
)
