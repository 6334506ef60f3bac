// /console/reviews: an operator finds, publishes and rejects submitted reviews, one by one or several at once.
import { Elysia } from 'elysia'

import type { Ctx } from '../../../ctx.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors/app-error.ts'
import { ReviewParams } from '../../../features/reviews/reviews/schemas.ts'
import { keepReview } from '../../../features/reviews/reviews/verbs/reports.ts'
import { approveReview, rejectReview, takeDownReview } from '../../../features/reviews/reviews/verbs/reviews.ts'
import { ModerationQuery } from '../../../features/reviews/moderation/schemas.ts'
import { type Decided, moderateReviews, searchReviews } from '../../../features/reviews/moderation/verbs.ts'
import { showPhotosOf } from '../../../features/files/files/verbs/photos.ts'
import { guard } from '../../../http/guard.ts'
import type { AuthenticatedRequest } from '../../../http/session.ts'
import { plural } from '../../../platform/text/format.ts'
import type { Flash } from '../../ui/flash.tsx'
import { EMPTY_FORM, type FormState, formStatus } from '../../ui/form.tsx'
import { pictureSources } from '../../ui/pictures.tsx'
import { redirect, redirectWithFlash, renderConsolePage } from '../../ui/responses.tsx'
import { runAction, submitForm } from '../../ui/submit.ts'
import { REVIEWS_PATH as PATH } from './filters.tsx'
import { KeepForm } from './report.tsx'
import { BulkForm, type RefusedForm, RejectForm, TakeDownForm, pathOfList, reviewListView } from './view.tsx'

const session = ['operator'] as const
const params = ReviewParams

/** The list that sends a form is in the form's address, with its filters and page. */
const query = ModerationQuery

export const reviewPages = (deps: Deps) =>
  new Elysia({ name: 'review-pages' })
    .use(guard(deps))
    .get(
      PATH,
      async function getReviewsToModerate({ ctx, authenticated, query }) {
        return await renderReviews(ctx, authenticated, query)
      },
      { session, query },
    )
    .get(`${PATH}/bulk`, () => redirect(PATH), { session })
    .post(
      `${PATH}/bulk`,
      async function postDecision({ ctx, authenticated: by, query }) {
        return await submitForm(
          BulkForm,
          by.form,
          async ({ ids, decision, reason }) => {
            if (ids.length === 0) throw new AppError('validation_failed', 'Choose at least one review first.')
            const decided = await moderateReviews(ctx, { ids, decision, reason, by: by.session.userId })
            return redirectWithFlash(ctx, by.session, pathOfList(query), resultOf(decided, decision))
          },
          (bulkState) => renderReviews(ctx, by, query, { bulkState }),
        )
      },
      { session, query, form: BulkForm },
    )
    .post(
      `${PATH}/:id/approve`,
      async function postApproval({ ctx, authenticated: by, params: { id }, query }) {
        return await runAction(ctx, by, pathOfList(query), async () => {
          const { professional } = await approveReview(ctx, { id, by: by.session.userId })
          return `The review of ${professional.businessName} is published.`
        })
      },
      { session, params, query },
    )
    .get(`${PATH}/:id/reject`, () => redirect(PATH), { session, params })
    .post(
      `${PATH}/:id/reject`,
      async function postRejection({ ctx, authenticated: by, params: { id }, query }) {
        return await submitForm(
          RejectForm,
          by.form,
          async ({ reason }) => {
            await rejectReview(ctx, { id, reason, by: by.session.userId })
            const text = 'The review is rejected. The pro can read the reason.'
            return redirectWithFlash(ctx, by.session, pathOfList(query), { tone: 'good', text })
          },
          (formState) => renderReviews(ctx, by, query, { refused: { id, act: 'reject', formState } }),
        )
      },
      { session, params, query, form: RejectForm },
    )
    .get(`${PATH}/:id/remove`, () => redirect(PATH), { session, params })
    .post(
      `${PATH}/:id/remove`,
      async function postTakeDown({ ctx, authenticated: by, params: { id }, query }) {
        return await submitForm(
          TakeDownForm,
          by.form,
          async ({ reason, report: reportId }) => {
            await takeDownReview(ctx, { id, reason, reportId, by: by.session.userId })
            const text = 'The review is taken down. Its author and the pro can read the reason.'
            return redirectWithFlash(ctx, by.session, pathOfList(query), { tone: 'good', text })
          },
          (formState) => renderReviews(ctx, by, query, { refused: { id, act: 'remove', formState } }),
        )
      },
      { session, params, query, form: TakeDownForm },
    )
    .get(`${PATH}/:id/keep`, () => redirect(PATH), { session, params })
    .post(
      `${PATH}/:id/keep`,
      async function postKeeping({ ctx, authenticated: by, params: { id }, query }) {
        return await submitForm(
          KeepForm,
          by.form,
          async ({ words, report: reportId }) => {
            await keepReview(ctx, { id, words, reportId, by: by.session.userId })
            const text = 'The review stays. The pro gets your words by e-mail.'
            return redirectWithFlash(ctx, by.session, pathOfList(query), { tone: 'good', text })
          },
          (formState) => renderReviews(ctx, by, query, { refused: { id, act: 'keep', formState } }),
        )
      },
      { session, params, query, form: KeepForm },
    )

async function renderReviews(
  ctx: Ctx,
  by: AuthenticatedRequest,
  query: ModerationQuery,
  { bulkState = EMPTY_FORM, refused }: { bulkState?: FormState; refused?: RefusedForm } = {},
): Promise<Response> {
  const { reviews, total } = await searchReviews(ctx, query)
  const photos = await showPhotosOf(ctx, { records: reviews })
  const content = reviewListView(by.session, { reviews, total, photos, query, bulkState, refused })
  const status = formStatus(refused?.formState ?? bulkState)
  const page = { title: 'Reviews', content, styles: ['operator.css'] as const }
  return renderConsolePage(ctx, by, page, { ...status, sources: pictureSources(ctx.config) })
}

function resultOf({ done, failed }: Decided, decision: 'approve' | 'reject'): Flash {
  const verb = decision === 'approve' ? 'published' : 'rejected'
  const result = `${plural(done, 'review')} ${verb}.`
  if (failed.length === 0) return { tone: 'good', text: result }
  const left = `${plural(failed.length, 'review')} left as ${failed.length === 1 ? 'it is' : 'they are'}`
  const reasons = [...new Set(failed.map(({ why }) => why))].slice(0, 3).join(' ')
  return { tone: done === 0 ? 'bad' : 'good', text: `${result} ${left}: ${reasons}` }
}
