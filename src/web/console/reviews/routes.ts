// /console/reviews: an operator finds, publishes and rejects submitted reviews, one by one or several at once.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Deps } from '../../../deps.ts'
import { ReviewParams } from '../../../features/reviews/reviews/schemas.ts'
import { approveReview, rejectReview } from '../../../features/reviews/reviews/verbs/reviews.ts'
import { ModerationQuery } from '../../../features/reviews/moderation/schemas.ts'
import { type Decided, moderateReviews, searchReviews } from '../../../features/reviews/moderation/verbs.ts'
import { guard } from '../../../http/guard.ts'
import { FreeText, OneOf, Text, Uuid } from '../../../platform/schema/types.ts'
import { plural } from '../../../platform/text/format.ts'
import type { Flash } from '../../ui/flash.tsx'
import { renderConsolePage } from '../../ui/responses.tsx'
import { runFormAction } from '../../ui/submit.ts'
import { REVIEWS_PATH as PATH, pathOfList, reviewListView } from './view.tsx'

const session = ['operator'] as const
const params = ReviewParams

/** `back` is the query of the list that sent the form. */
const back = Type.Optional(Text(1000))
const ApproveForm = Type.Object({ back })
const RejectForm = Type.Object({ reason: FreeText({ minLength: 1 }), back })
const BulkForm = Type.Object({
  ids: Type.Array(Uuid(), { maxItems: 50 }),
  decision: OneOf(['approve', 'reject']),
  reason: Type.Optional(FreeText()),
  back,
})

export const reviewPages = (deps: Deps) =>
  new Elysia({ name: 'review-pages' })
    .use(guard(deps))
    .get(
      PATH,
      async function getReviewsToModerate({ ctx, authenticated: by, query }) {
        const { reviews, total } = await searchReviews(ctx, query)
        const content = reviewListView(by.session, { reviews, total, query, isAllChosen: query.choose === 'all' })
        return renderConsolePage(ctx, by, { title: 'Reviews', content, styles: ['operator.css'] })
      },
      { session, query: ModerationQuery },
    )
    .post(
      `${PATH}/bulk`,
      async function postDecision({ ctx, authenticated: by }) {
        return await runFormAction(ctx, by, listOf(by.form), BulkForm, async ({ ids, decision, reason }) => {
          if (ids.length === 0) return { tone: 'bad', text: 'Choose at least one review first.' }
          return resultOf(await moderateReviews(ctx, { ids, decision, reason, by: by.session.userId }), decision)
        })
      },
      { session, form: BulkForm },
    )
    .post(
      `${PATH}/:id/approve`,
      async function postApproval({ ctx, authenticated: by, params: { id } }) {
        return await runFormAction(ctx, by, listOf(by.form), ApproveForm, async () => {
          const { professional } = await approveReview(ctx, { id, by: by.session.userId })
          return `The review of ${professional.businessName} is published.`
        })
      },
      { session, params, form: ApproveForm },
    )
    .post(
      `${PATH}/:id/reject`,
      async function postRejection({ ctx, authenticated: by, params: { id } }) {
        return await runFormAction(ctx, by, listOf(by.form), RejectForm, async ({ reason }) => {
          await rejectReview(ctx, { id, reason, by: by.session.userId })
          return 'The review is rejected. The pro can read the reason.'
        })
      },
      { session, params, form: RejectForm },
    )

/** The list that sent the form, with its filters and page. */
const listOf = (form: URLSearchParams): string => pathOfList(new URLSearchParams(form.get('back') ?? ''))

function resultOf({ done, failed }: Decided, decision: 'approve' | 'reject'): Flash {
  const verb = decision === 'approve' ? 'published' : 'rejected'
  const result = `${plural(done, 'review')} ${verb}.`
  if (failed.length === 0) return { tone: 'good', text: result }
  const left = `${plural(failed.length, 'review')} left as ${failed.length === 1 ? 'it is' : 'they are'}`
  const reasons = [...new Set(failed.map(({ why }) => why))].slice(0, 3).join(' ')
  return { tone: done === 0 ? 'bad' : 'good', text: `${result} ${left}: ${reasons}` }
}
