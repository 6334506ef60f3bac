/** @jsxImportSource preact */
// The page on which a customer reviews finished work: by the manage link of a booking, or signed in.
import { LinkButton, Button } from '../../ui/buttons.tsx'
import { Type } from '@sinclair/typebox'

import type { Ctx } from '../../../ctx.ts'
import { AppError } from '../../../errors/app-error.ts'
import type { FinishedWork } from '../../../features/customers/customers/schemas.ts'
import { getFinishedWork } from '../../../features/customers/customers/verbs/finished-work.ts'
import { submitReview } from '../../../features/reviews/reviews/verbs/reviews.ts'
import { Integer } from '../../../platform/schema/numbers.ts'
import { FreeText, Name } from '../../../platform/schema/types.ts'
import { longDay } from '../../../platform/text/format.ts'
import { type FormState, EMPTY_FORM, formStatus, Form } from '../../ui/form.tsx'
import { TextArea, TextField } from '../../ui/fields.tsx'
import type { VNode } from 'preact'
import type { Page } from '../../ui/layout.tsx'
import { BackLink } from '../../ui/headings.tsx'
import { EmptyState } from '../../ui/lists.tsx'
import { submitForm } from '../../ui/submit.ts'

export const ReviewForm = Type.Object({
  rating: Integer({ minimum: 1, maximum: 5 }),
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
  /** The link proves that the booking is theirs. */
  isLink: boolean
  /** Signed in, or by a link in their mail. */
  isProven: boolean
  /** The page before. */
  back: { label: string; href: string }
  /** In the form. */
  csrf?: VNode
  render: (page: Page, init?: { status: number }) => Response
  /** The response to a submitted review. */
  thank: (text: string) => Response
}

interface Work {
  kind: FinishedWork['kind']
  id: string
}

export async function renderReviewPage(
  ctx: Ctx,
  it: Reviewer,
  { kind, id }: Work,
  formState: FormState = EMPTY_FORM,
): Promise<Response> {
  try {
    const work = await getFinishedWork(ctx.as(it), { kind, id })
    // A review that is sent twice is written once.
    return it.render(reviewPage(it, work, formState), formStatus(work.isReviewed ? EMPTY_FORM : formState))
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'booking_not_found' && it.isLink)) throw error
    return it.render(tooEarlyPage(it))
  }
}

export async function postReview(ctx: Ctx, it: Reviewer, work: Work, form: URLSearchParams): Promise<Response> {
  const { professionalId, kind, id } = await getFinishedWork(ctx.as(it), { kind: work.kind, id: work.id })
  return await submitForm(
    ReviewForm,
    form,
    async ({ rating, title, content, name }) => {
      const value = await submitReview(ctx.as(it), {
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
    async (formState) => await renderReviewPage(ctx, it, work, formState),
  )
}

const STARS = ['1 star: bad', '2 stars: poor', '3 stars: okay', '4 stars: good', '5 stars: excellent']

/** Radio buttons, so that the arrow keys choose and screen readers say how many. */
function starsField({ values, errors: { rating: error } }: FormState): VNode {
  return (
    <fieldset class="field" aria-describedby={error !== undefined ? 'rating-error' : undefined}>
      <legend>Rating</legend>
      <div class="rate">
        {STARS.map((label, index) => {
          const value = String(index + 1)
          return (
            <>
              <input
                type="radio"
                name="rating"
                id={`rating-${value}`}
                value={value}
                required
                checked={values.get('rating') === value}
              />
              <label for={`rating-${value}`}>
                <span aria-hidden="true">★</span>
                <span class="unseen">{label}</span>
              </label>
            </>
          )
        })}
      </div>
      {error !== undefined && (
        <p class="fault" id="rating-error">
          Choose one to five stars.
        </p>
      )}
    </fieldset>
  )
}

/** What to do once the review is written. */
const thanks = ({ back, isProven }: Reviewer, { professionalId, businessName }: FinishedWork): VNode => (
  <>
    <EmptyState title="Thank you for your review">
      {isProven
        ? 'A moderator reads each review before it is published.'
        : 'We sent you an e-mail: confirm there that the review is yours. A moderator reads each review before it is published.'}
    </EmptyState>
    <p class="actions">
      <LinkButton href={`/pros/${professionalId}`} look="quiet">
        See the reviews of {businessName}
      </LinkButton>{' '}
      <LinkButton href={back.href} look="quiet">
        {back.label}
      </LinkButton>{' '}
      <LinkButton href="/" look="quiet">
        Find a pro
      </LinkButton>
    </p>
  </>
)

/** For an invitation that was opened before the visit is over. */
const tooEarlyPage = ({ back }: Reviewer): Page => ({
  title: 'Not yet',
  content: (
    <>
      <BackLink href={back.href}>{back.label}</BackLink>
      <h1>You can write the review after the visit</h1>
      <p class="lead">Come back to this page when the work is done.</p>
    </>
  ),
})

const reviewPage = (it: Reviewer, work: FinishedWork, formState: FormState): Page => ({
  title: `Review ${work.businessName}`,
  styles: ['booking.css'],
  content: (
    <>
      <BackLink href={it.back.href}>{it.back.label}</BackLink>
      <h1>Review {work.businessName}</h1>
      <p class="lead">
        {work.serviceName ?? 'Your job'}, {longDay(work.day)}
      </p>
      {work.isReviewed ? (
        thanks(it, work)
      ) : (
        <>
          <Form action={it.path} formState={formState}>
            {it.csrf}
            {starsField(formState)}
            <TextField name="title" label="Title" isOptional maxLength={200} />
            <TextArea name="content" id="review" label="Your review" rows={6} maxLength={5000} />
            <TextField
              name="name"
              label="Your name"
              value={work.customerName ?? ''}
              hint="Published as first name and initial. Your e-mail address is never shown."
              autocomplete="name"
              maxLength={200}
            />
            <Button>Send the review</Button>
          </Form>
        </>
      )}
    </>
  ),
})
