/** @jsxImportSource preact */
// The page on which a customer reviews finished work: by the manage link of a booking, or signed in.
import { type Defaults, reviewPolicyText } from '../../../features/upkeep/marketplace/rules/defaults.ts'
import { getDefaults } from '../../../features/upkeep/marketplace/verbs.ts'
import { LinkButton, Button } from '../../ui/buttons.tsx'
import { Type } from '@sinclair/typebox'

import type { Ctx } from '../../../ctx.ts'
import { AppError } from '../../../errors/app-error.ts'
import type { FinishedWork } from '../../../features/customers/customers/schemas.ts'
import { getFinishedWork } from '../../../features/customers/customers/verbs/finished-work.ts'
import { submitReview } from '../../../features/reviews/reviews/verbs/reviews.ts'
import type { CustomerSession } from '../../../http/customer-session.ts'
import { Integer } from '../../../platform/schema/numbers.ts'
import { FreeText, Name } from '../../../platform/schema/types.ts'
import { longDay } from '../../../platform/text/format.ts'
import { type FormState, EMPTY_FORM, FormContext, formStatus, Form } from '../../ui/form.tsx'
import type { VNode } from 'preact'
import { useContext } from 'preact/hooks'
import type { Page } from '../../ui/layout.tsx'
import { BackLink } from '../../ui/headings.tsx'
import { Fields, defineForm } from '../../ui/define-form.tsx'
import { EmptyState } from '../../ui/lists.tsx'
import { PhotoIds, type Sender, receiveVisitorForm, submitFormWithPhotos } from '../photo-uploads.ts'
import { PhotosField } from '../photos-field.tsx'

export const ReviewForm = defineForm({
  rating: { schema: Integer({ minimum: 1, maximum: 5 }) },
  title: { schema: Type.Optional(Name()), label: 'Title' },
  content: { schema: FreeText({ minLength: 1 }), id: 'review', label: 'Your review', rows: 6 },
  name: {
    schema: Name(),
    label: 'Your name',
    hint: 'Published as first name and initial. Your e-mail address is never shown.',
    autocomplete: 'name',
  },
  /** Last, so that all above is read before a photo is stored. */
  photos: { schema: PhotoIds() },
})

/** A customer in front of the page. */
export interface Reviewer {
  /** Owns the review. */
  accountId: string
  /** Of a signed-in customer. */
  session?: CustomerSession
  customerEmail: string
  /** Of the page. */
  path: string
  /** Where the script of the page sends photos. */
  photosPath: string
  /** The link proves that the booking is theirs. */
  isLink: boolean
  /** Signed in, or by a link in their mail. */
  isProven: boolean
  /** The page before. */
  back: { label: string; href: string }
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
    const [work, defaults] = await Promise.all([getFinishedWork(ctx.as(it), { kind, id }), getDefaults(ctx)])
    // A review that is sent twice is written once.
    return it.render(
      reviewPage(it, { work, defaults, formState }),
      formStatus(work.isReviewed ? EMPTY_FORM : formState),
    )
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'booking_not_found' && it.isLink)) throw error
    return it.render(tooEarlyPage(it))
  }
}

/** Who sends the photos of a review. */
export const senderOf = ({ accountId, session }: Pick<Reviewer, 'accountId' | 'session'>): Sender => ({
  accountId,
  professionalId: null,
  ...(session ? { token: session.token } : { isVisitor: true }),
})

export async function postReview(ctx: Ctx, it: Reviewer, work: Work, request: Request): Promise<Response> {
  const received = await receiveVisitorForm(ctx.as(senderOf(it)), request, {
    purpose: 'review',
    schemaOf: () => ReviewForm,
  })
  const { professionalId, kind, id } = await getFinishedWork(ctx.as(it), { kind: work.kind, id: work.id })
  return await submitFormWithPhotos(
    ReviewForm,
    received,
    async ({ rating, title, content, name }) => {
      const value = await submitReview(ctx.as(it), {
        professionalId,
        ...(kind === 'booking' ? { bookingId: id } : { projectId: id }),
        rating,
        title: title ?? null,
        content,
        customer: { name, email: it.customerEmail },
        photos: received.photos,
        source: 'web',
      })
      return it.thank(value.message)
    },
    async (formState) => await renderReviewPage(ctx, it, work, formState),
  )
}

const STARS = ['1 star: bad', '2 stars: poor', '3 stars: okay', '4 stars: good', '5 stars: excellent']

/** Radio buttons, so that the arrow keys choose and screen readers say how many. */
function StarsField(): VNode {
  const { formState, labels } = useContext(FormContext)
  const { values, errors } = formState
  const { rating: error } = errors
  labels.set('rating', { id: 'rating-1', label: 'Rating' })
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
const thanks = (
  { back, isProven }: Reviewer,
  { professionalId, businessName }: FinishedWork,
  defaults: Defaults,
): VNode => (
  <>
    <EmptyState title="Thank you for your review">
      {isProven
        ? reviewPolicyText(defaults)
        : `We sent you an e-mail: confirm there that the review is yours. ${reviewPolicyText(defaults)}`}
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

const reviewPage = (
  it: Reviewer,
  { work, defaults, formState }: { work: FinishedWork; defaults: Defaults; formState: FormState },
): Page => ({
  title: `Review ${work.businessName}`,
  styles: ['booking.css'],
  scripts: ['upload.js'],
  content: (
    <>
      <BackLink href={it.back.href}>{it.back.label}</BackLink>
      <h1>Review {work.businessName}</h1>
      <p class="lead">
        {work.serviceName ?? 'Your job'}, {longDay(work.day)}
      </p>
      {work.isReviewed ? (
        thanks(it, work, defaults)
      ) : (
        <>
          <Form
            of={ReviewForm}
            action={it.path}
            formState={formState}
            hasFiles
            {...(it.session && { session: it.session })}
          >
            <StarsField />
            <Fields of={ReviewForm} values={{ name: work.customerName }} />
            <PhotosField
              purpose="review"
              path={it.photosPath}
              hint="Of the work. They are published with your review, without the place where they were taken."
            />
            <Button>Send the review</Button>
          </Form>
        </>
      )}
    </>
  ),
})
