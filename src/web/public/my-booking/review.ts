// The page on which a customer reviews finished work: by the manage link of a booking, or signed in.
import { Type } from '@sinclair/typebox'

import type { Deps } from '../../../deps.ts'
import type { FinishedWork } from '../../../features/customers/schemas.ts'
import { getFinishedWork } from '../../../features/customers/verbs/finished-work.ts'
import { submitReview } from '../../../features/reviews/verbs.ts'
import { FreeText, Name } from '../../../platform/schema/types.ts'
import { longDay } from '../../../platform/text/format.ts'
import { type FormState, EMPTY_FORM, formStatus, problemBox, selectField, textArea, textField } from '../../ui/forms.ts'
import { type Html, html } from '../../../platform/text/html.ts'
import type { Page } from '../../ui/layout.ts'
import { backLink, emptyState } from '../../ui/parts.ts'
import { submitForm } from '../../ui/submit.ts'

export const ReviewForm = Type.Object({
  rating: Type.Integer({ minimum: 1, maximum: 5 }),
  title: Type.Optional(Name()),
  content: FreeText({ minLength: 1 }),
  name: Name(),
})

/** A customer in front of the page. */
export interface Reviewer {
  /** Owns the review. */
  accountId: string
  customerEmail: string
  /** Of the page. */
  path: string
  /** The page before. */
  back: { label: string; href: string }
  /** In the form. */
  csrf?: Html
  render: (page: Page, init?: { status: number }) => Response
  /** The response to a submitted review. */
  thank: (text: string) => Response
}

interface Work {
  kind: FinishedWork['kind']
  id: string
}

export async function renderReviewPage(
  deps: Deps,
  it: Reviewer,
  { kind, id }: Work,
  formState: FormState = EMPTY_FORM,
): Promise<Response> {
  const work = await getFinishedWork(deps, it, kind, id)
  return it.render(reviewPage(it, work, formState), formStatus(formState))
}

export async function postReview(deps: Deps, it: Reviewer, work: Work, form: URLSearchParams): Promise<Response> {
  const { professionalId, kind, id } = await getFinishedWork(deps, it, work.kind, work.id)
  return await submitForm(
    ReviewForm,
    form,
    async ({ rating, title, content, name }) => {
      const { value } = await submitReview(deps, it, {
        professionalId,
        ...(kind === 'booking' ? { bookingId: id } : { projectId: id }),
        rating,
        title: title ?? null,
        content,
        customer: { name, email: it.customerEmail },
        source: 'web',
      })
      return it.thank(value.message)
    },
    async (formState) => await renderReviewPage(deps, it, work, formState),
  )
}

const STARS = [
  { value: '', label: 'Choose' },
  { value: '5', label: '5 stars: excellent' },
  { value: '4', label: '4 stars: good' },
  { value: '3', label: '3 stars: okay' },
  { value: '2', label: '2 stars: poor' },
  { value: '1', label: '1 star: bad' },
]

const reviewPage = ({ path, back, csrf }: Reviewer, work: FinishedWork, formState: FormState): Page => ({
  title: `Review ${work.businessName}`,
  content: html`
    ${backLink(back.label, back.href)}
    <h1>Review ${work.businessName}</h1>
    <p class="lead">${work.serviceName ?? 'Your job'}, ${longDay(work.day)}</p>
    ${
      work.isReviewed
        ? emptyState('Thank you for your review', 'A moderator reads each review before it is published.')
        : html`${problemBox(formState)}
            <form method="post" action="${path}">
              ${csrf} ${selectField({ name: 'rating', label: 'Rating', choices: STARS, formState })}
              ${textField({ name: 'title', label: 'Title', isOptional: true, maxLength: 200, formState })}
              ${textArea({ name: 'content', label: 'Your review', rows: 6, maxLength: 5000, formState })}
              ${textField({
                name: 'name',
                label: 'Your name',
                value: work.customerName,
                hint: 'Published as first name and initial. Your e-mail address is never shown.',
                autocomplete: 'name',
                maxLength: 200,
                formState,
              })}
              <button>Send the review</button>
            </form>`
    }
  `,
})
