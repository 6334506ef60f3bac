/** @jsxImportSource preact */
// The view of moderation: search, filters, the list with checkboxes, and the form for all that are chosen.
import { Type } from '@sinclair/typebox'

import type { ModerationQuery, ReviewToModerate } from '../../../features/reviews/moderation/schemas.ts'
import type { CaptionedPhoto } from '../../../features/files/files/verbs/photos.ts'
import type { ProReview } from '../../../features/reviews/reviews/schemas.ts'
import type { Session } from '../../../http/session.ts'
import { pageMeta, pageOf } from '../../../platform/schema/paging.ts'
import { Time } from '../../ui/time.tsx'
import { plural } from '../../../platform/text/format.ts'
import type { VNode } from 'preact'
import { FreeText, OneOf, Uuid } from '../../../platform/schema/types.ts'
import { Fields, defineForm } from '../../ui/define-form.tsx'
import { EMPTY_FORM, type FormState, type RowForm, ActionButton, Form, ProblemBox, formOfRow } from '../../ui/form.tsx'
import { Disclosure, Button } from '../../ui/buttons.tsx'
import { type Tone, Badge } from '../../ui/badge.tsx'
import { ButtonRow } from '../../ui/buttons.tsx'
import { EmptyState, Pager, Tabs } from '../../ui/lists.tsx'
import { Photos } from '../../ui/pictures.tsx'
import { PageHeading } from '../../ui/headings.tsx'
import { ForThoseWhoMay } from '../../ui/permitted.tsx'
import { mayPost } from '../../../auth/users/rules/permissions.ts'
import { Stars } from '../../ui/ratings.tsx'
import { customerPath } from '../customers/path.ts'
import { REVIEWS_PATH, reviewsOfPath, searchForm } from './filters.tsx'
import { keepForm, reportFacts } from './report.tsx'

const BULK_PATH = `${REVIEWS_PATH}/bulk`
const FILTERS = ['q', 'status', 'rating', 'verified', 'pro', 'age', 'sort'] as const
const BULK_FORM = 'decide'

/** The address of a list with its filters and page, or of a form that leads back to it. */
export function pathOfList(query: ModerationQuery, path = ''): string {
  const { offset } = pageOf(query)
  const search = new URLSearchParams({ ...filterOf(query), ...(offset > 0 && { offset: String(offset) }) })
  return `${REVIEWS_PATH}${path}${search.size === 0 ? '' : `?${search.toString()}`}`
}

const reason = { schema: FreeText({ minLength: 1 }), rows: 3 }
export const RejectForm = defineForm({ reason: { ...reason, label: 'Reason', hint: 'The pro can read it.' } })
export const TakeDownForm = defineForm({
  reason: { ...reason, label: 'Reason', hint: 'The author gets it by e-mail, and the pro can read it.' },
  /** The report that the list showed. */
  report: { schema: Type.Optional(Uuid()) },
})
export const BulkForm = defineForm(
  {
    /** The boxes beside the reviews. */
    ids: { schema: Type.Array(Uuid(), { maxItems: 50 }) },
    /** The button that was pressed. */
    decision: { schema: OneOf(['approve', 'reject']) },
    reason: {
      schema: Type.Optional(FreeText()),
      id: 'bulk-reason',
      label: 'One reason for all of them',
      hint: 'The pros can read it.',
      rows: 3,
    },
  },
  ({ decision, reason }) => ({
    reason: decision === 'reject' && reason === undefined ? 'must say why; the pros can read it' : undefined,
  }),
)

/** A form of a review in the list. */
export interface RefusedForm extends RowForm {
  readonly act: 'reject' | 'remove' | 'keep'
}

interface ReviewList {
  reviews: readonly ReviewToModerate[]
  total: number
  query: ModerationQuery
  bulkState: FormState
  /** The form of a review that was refused, and the act that it asks for. */
  refused: RefusedForm | undefined
  /** Of each review, by its id. */
  photos: ReadonlyMap<string, readonly CaptionedPhoto[]>
}

export function reviewListView(session: Session, list: ReviewList): VNode {
  const { reviews, total, query, bulkState } = list
  const status = query.status ?? 'pending'
  const canChoose = mayPost(session, BULK_PATH) && reviews.some((review) => review.status === 'pending')
  return (
    <>
      <PageHeading>Reviews</PageHeading>
      {list.refused && <ProblemBox formState={list.refused.formState} />}
      <Tabs
        label="Reviews by status"
        path={REVIEWS_PATH}
        parameter="status"
        chosen={status === 'pending' ? '' : status}
        choices={[
          { value: '', label: 'To moderate' },
          { value: 'reported', label: 'Reported' },
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
          {canChoose && bulkForm(session, query, bulkState)}
          <ul class="entries">{reviews.map((review) => entryOf(session, review, list))}</ul>
        </>
      )}
      <Pager
        path={REVIEWS_PATH}
        meta={pageMeta(total, query)}
        query={filterOf(query)}
        words={['← Previous', 'Next →']}
      />
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
        <a href={pathOfList({ ...query, offset: 0 })}>Show the first page</a>
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
      {status === 'pending'
        ? 'All reviews have been moderated.'
        : status === 'reported'
          ? 'No report waits for an answer.'
          : 'There are no reviews with this status.'}
    </EmptyState>
  )
}

/** The boxes beside the reviews belong to this form. */
function bulkForm(session: Session, query: ModerationQuery, formState: FormState): VNode {
  const list = pathOfList(query)
  return (
    <Form
      of={BulkForm}
      id={BULK_FORM}
      look="bulk"
      action={pathOfList(query, '/bulk')}
      session={session}
      formState={formState}
    >
      {query.choose === 'all' ? (
        <a href={list}>Choose none</a>
      ) : (
        <a href={`${list}${list.includes('?') ? '&' : '?'}choose=all`}>Choose all on this page</a>
      )}{' '}
      <Button isSmall name="decision" value="approve">
        Publish the chosen
      </Button>
      <Disclosure label="Reject the chosen" isOpen={formState.values.get('decision') === 'reject'}>
        <Fields of={BulkForm} names={['reason']} />
        <Button look="danger" isSmall name="decision" value="reject">
          Reject them
        </Button>
      </Disclosure>
    </Form>
  )
}

const TONES: Record<ProReview['status'], Tone> = { pending: 'wait', approved: 'good', rejected: 'bad' }
const LABELS: Record<ProReview['status'], string> = {
  pending: 'To moderate',
  approved: 'Published',
  rejected: 'Rejected',
}

const entryOf = (session: Session, review: ReviewToModerate, list: ReviewList): VNode => (
  <li class="entry">
    <p class="entry-line">
      {review.status === 'pending' && mayPost(session, BULK_PATH) && box(review, list)} <Stars given={review.rating} />{' '}
      for{' '}
      <a href={`/pros/${review.professional.slug}`}>
        <strong>{review.professional.businessName}</strong>
      </a>{' '}
      {review.isVerified && <Badge tone="good">Verified</Badge>}{' '}
      {review.isOfTeam && <Badge tone="wait">Address of a team member</Badge>}{' '}
      <Badge tone={TONES[review.status]}>{LABELS[review.status]}</Badge>{' '}
      {review.report && <Badge tone="bad">Reported</Badge>}
    </p>
    {review.title !== null && <h2>{review.title}</h2>}
    <p class="text">{review.content}</p>
    <Photos photos={list.photos.get(review.id) ?? []} owner={review.author} />
    <p class="hint">
      <a href={customerPath(review.id)}>{review.author}</a>, <Time instant={review.createdAt} /> ·{' '}
      <a href={reviewsOfPath(review.professional.slug)}>All reviews of this pro</a>
    </p>
    {review.report && reportFacts(review.report)}
    {review.rejectionReason !== null && <p class="hint">Rejected: {review.rejectionReason}</p>}
    {review.status === 'pending' && (
      <ForThoseWhoMay session={session} post={`${REVIEWS_PATH}/${review.id}/reject`}>
        {moderation(session, review, list)}
      </ForThoseWhoMay>
    )}
    {review.status === 'approved' && (
      <ForThoseWhoMay session={session} post={`${REVIEWS_PATH}/${review.id}/remove`}>
        {review.report ? (
          <ButtonRow>
            {keep(session, review, list)}
            {takeDown(session, review, list)}
          </ButtonRow>
        ) : (
          takeDown(session, review, list)
        )}
      </ForThoseWhoMay>
    )}
  </li>
)

const box = ({ id, author, professional }: ReviewToModerate, { query, bulkState }: ReviewList): VNode => (
  <label class="tick">
    <input
      type="checkbox"
      form={BULK_FORM}
      name="ids"
      value={id}
      aria-label={`Choose ${author}’s review of ${professional.businessName}`}
      checked={query.choose === 'all' || bulkState.values.getAll('ids').includes(id)}
    />
  </label>
)

const formOfAct = ({ refused }: ReviewList, act: RefusedForm['act'], id: string): FormState =>
  refused?.act === act ? formOfRow(refused, id) : EMPTY_FORM

function moderation(session: Session, { id }: ReviewToModerate, list: ReviewList): VNode {
  const { query } = list
  const formState = formOfAct(list, 'reject', id)
  return (
    <ButtonRow>
      <ActionButton session={session} action={pathOfList(query, `/${id}/approve`)} label="Publish" />
      <Disclosure label="Reject" isOpen={formState !== EMPTY_FORM}>
        <Form
          of={RejectForm}
          action={pathOfList(query, `/${id}/reject`)}
          session={session}
          formState={formState}
          saysProblem={false}
        >
          <Fields of={RejectForm} row={id} />
          <Button look="danger" isSmall>
            Reject review
          </Button>
        </Form>
      </Disclosure>
    </ButtonRow>
  )
}

const keep = (session: Session, { id, report }: ReviewToModerate, list: ReviewList): VNode =>
  keepForm(session, {
    id,
    reportId: report?.id,
    action: pathOfList(list.query, `/${id}/keep`),
    formState: formOfAct(list, 'keep', id),
  })

function takeDown(session: Session, { id, report }: ReviewToModerate, list: ReviewList): VNode {
  const formState = formOfAct(list, 'remove', id)
  const action = pathOfList(list.query, `/${id}/remove`)
  return (
    <Disclosure label="Take down" isOpen={formState !== EMPTY_FORM}>
      <Form of={TakeDownForm} action={action} session={session} formState={formState} saysProblem={false}>
        <Fields of={TakeDownForm} row={id} values={{ report: report?.id }} />
        <Button look="danger" isSmall>
          Take review down
        </Button>
      </Form>
    </Disclosure>
  )
}
