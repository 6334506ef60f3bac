/** @jsxImportSource preact */
// /console/my-reviews: the reviews of a pro, with the answers to the published ones.
import { Elysia } from 'elysia'

import type { Ctx } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import {
  NewResponse,
  type ProReview,
  ProReviewsQuery,
  ReviewParams,
  type ReviewReport,
} from '../../features/reviews/reviews/schemas.ts'
import { listLastReports, reportReview } from '../../features/reviews/reviews/verbs/reports.ts'
import { listProReviews, respondToReview } from '../../features/reviews/reviews/verbs/reviews.ts'
import { type CaptionedPhoto, showPhotosOf } from '../../features/files/files/verbs/photos.ts'
import { guard } from '../../http/guard.ts'
import { type AuthenticatedRequest, type Session, actingProOf } from '../../http/session.ts'
import { longDay } from '../../platform/text/format.ts'
import type { VNode } from 'preact'
import { Fields, defineForm } from '../ui/define-form.tsx'
import { EMPTY_FORM, type FormState, type RowForm, Form, ProblemBox, formOfRow, formStatus } from '../ui/form.tsx'
import { ButtonRow, Disclosure, Button } from '../ui/buttons.tsx'
import { type Tone, Badge } from '../ui/badge.tsx'
import { EmptyState, Pager, Tabs } from '../ui/lists.tsx'
import { Photos, pictureSources } from '../ui/pictures.tsx'
import { PageHeading } from '../ui/headings.tsx'
import { Stars } from '../ui/ratings.tsx'
import { redirect, redirectWithFlash, renderConsolePage } from '../ui/responses.tsx'
import { submitForm } from '../ui/submit.ts'
import { ReportForm, reportForm, reportResult } from './report-review.tsx'

const PATH = '/console/my-reviews'
const session = ['pro'] as const

const STATES: Record<ProReview['status'], { label: string; tone: Tone }> = {
  pending: { label: 'Being checked', tone: 'wait' },
  approved: { label: 'Published', tone: 'good' },
  rejected: { label: 'Not published', tone: 'plain' },
}

const AnswerForm = defineForm({
  content: { schema: NewResponse.properties.content, label: 'Your answer', hint: 'Everyone can read it.', rows: 3 },
})

export const proReviewPages = (deps: Deps) =>
  new Elysia({ name: 'pro-review-pages' })
    .use(guard(deps))
    .get(
      PATH,
      async function getOwnReviews({ ctx, authenticated, query }) {
        return await renderReviews(ctx, authenticated, query)
      },
      { session, query: ProReviewsQuery },
    )
    .get(`${PATH}/:id/answer`, () => redirect(PATH), { session, params: ReviewParams })
    .post(
      `${PATH}/:id/answer`,
      async function postAnswer({ ctx, authenticated: by, params: { id }, query }) {
        return await submitForm(
          AnswerForm,
          by.form,
          async ({ content }) => {
            await respondToReview(ctx.as(actingProOf(by)), { id, content })
            return redirectWithFlash(ctx, by.session, addressOf('', query), {
              tone: 'good',
              text: 'Your answer is published.',
            })
          },
          (formState) => renderReviews(ctx, by, query, { id, act: 'answer', formState }),
        )
      },
      { session, params: ReviewParams, query: ProReviewsQuery, form: AnswerForm },
    )
    .get(`${PATH}/:id/report`, () => redirect(PATH), { session, params: ReviewParams })
    .post(
      `${PATH}/:id/report`,
      async function postReport({ ctx, authenticated: by, params: { id }, query }) {
        return await submitForm(
          ReportForm,
          by.form,
          async (report) => {
            await reportReview(ctx.as(actingProOf(by)), { id, ...report, by: by.session.userId })
            return redirectWithFlash(ctx, by.session, addressOf('', query), {
              tone: 'good',
              text: 'Thank you. We look at the review, and write to you what we decide.',
            })
          },
          (formState) => renderReviews(ctx, by, query, { id, act: 'report', formState }),
        )
      },
      { session, params: ReviewParams, query: ProReviewsQuery, form: ReportForm },
    )

/** The address of the list, or of the form of one of its reviews, on the page of the list that the query names. */
function addressOf(path: string, query: ProReviewsQuery): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) search.set(name, String(value))
  return `${PATH}${path}${search.size === 0 ? '' : `?${search.toString()}`}`
}

/** A form of a review in the list. */
interface RefusedForm extends RowForm {
  readonly act: 'answer' | 'report'
}

async function renderReviews(
  ctx: Ctx,
  by: AuthenticatedRequest,
  query: ProReviewsQuery,
  refused?: RefusedForm,
): Promise<Response> {
  const { reviews, meta } = await listProReviews(ctx.as(actingProOf(by)), query)
  const photos = await showPhotosOf(ctx, { records: reviews })
  const reports = await listLastReports(ctx, { ids: reviews.map(({ id }) => id) })
  const chosen = query.status ?? ''
  const formOf = ({ id }: ProReview, act: RefusedForm['act']) => ({
    action: addressOf(`/${id}/${act}`, query),
    formState: refused?.act === act ? formOfRow(refused, id) : EMPTY_FORM,
  })
  const entry = (review: ProReview) => {
    const report = reports.get(review.id)
    const forms = (
      <ButtonRow>
        {answerForm(by.session, review, formOf(review, 'answer'))}
        {mayReport(report) &&
          reportForm(by.session, { id: review.id, isAgain: report !== undefined, ...formOf(review, 'report') })}
      </ButtonRow>
    )
    return entryOf(review, { forms, report, photos: photos.get(review.id) ?? [] })
  }
  const content = (
    <>
      <PageHeading>Reviews</PageHeading>
      {refused && <ProblemBox formState={refused.formState} />}
      <p class="lead">Customers read your answer under the review.</p>
      <Tabs
        label="Reviews by status"
        path={PATH}
        parameter="status"
        chosen={chosen}
        choices={[
          { value: '', label: 'All' },
          ...Object.entries(STATES).map(([value, { label }]) => ({ value, label })),
        ]}
      />
      {reviews.length === 0 ? (
        <EmptyState title="No reviews here">Customers are asked for a review after each completed visit.</EmptyState>
      ) : (
        <ul class="entries">{reviews.map(entry)}</ul>
      )}
      <Pager path={PATH} meta={meta} query={chosen === '' ? {} : { status: chosen }} />
    </>
  )
  const status = formStatus(refused?.formState ?? EMPTY_FORM)
  return renderConsolePage(ctx, by, { title: 'Reviews', content }, { ...status, sources: pictureSources(ctx.config) })
}

/** An open report waits, and there are two at most. */
const mayReport = (report: ReviewReport | undefined): boolean =>
  report === undefined || (report.decidedAt !== null && !report.isLast)

interface Entry {
  /** Of a published review. */
  forms: VNode
  report: ReviewReport | undefined
  photos: readonly CaptionedPhoto[]
}

const entryOf = (review: ProReview, { forms, report, photos }: Entry): VNode => (
  <li class="entry">
    <p>
      <Stars given={review.rating} /> {review.author}, {longDay(review.createdAt)}{' '}
      <Badge tone={STATES[review.status].tone}>{STATES[review.status].label}</Badge>{' '}
      {review.isVerified && <Badge tone="good">Verified visit</Badge>}
    </p>
    {review.title !== null && <h2>{review.title}</h2>}
    <p class="text">{review.content}</p>
    <Photos photos={photos} owner={review.author} />
    {review.proResponse && (
      <blockquote>
        <p class="text">{review.proResponse.content}</p>
        <p class="hint">Your answer, {longDay(review.proResponse.date)}</p>
      </blockquote>
    )}
    {review.rejectionReason !== null && <p class="hint">Not published: {review.rejectionReason}</p>}
    {report && reportResult(report)}
    {review.status === 'approved' && forms}
  </li>
)

const answerForm = (
  session: Session,
  { id, proResponse }: ProReview,
  { action, formState }: { action: string; formState: FormState },
): VNode => (
  <Disclosure label={proResponse ? 'Edit your answer' : 'Answer'} isOpen={formState !== EMPTY_FORM}>
    <Form of={AnswerForm} action={action} session={session} formState={formState} saysProblem={false}>
      <Fields of={AnswerForm} values={proResponse ?? {}} row={id} />
      <Button isSmall>Publish answer</Button>
    </Form>
  </Disclosure>
)
