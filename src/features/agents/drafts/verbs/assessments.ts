// Assessment notes: what the customer said, what to ask, what to check on site, and a price range.
import type { Ctx } from '../../../../ctx.ts'
import { AppError, invalidField } from '../../../../errors/app-error.ts'
import { runIdempotently } from '../../../../idempotency/verbs.ts'
import type { Offer } from '../../../business/offers/schemas.ts'
import { listOffers } from '../../../business/offers/verbs.ts'
import type { ActingPro } from '../../../quoting/rfqs/verbs/rfqs.ts'
import { median, quantityIn } from './draft-price.ts'
import { type Assessment, type SubjectRef, formatAddress } from '../schemas.ts'
import { findAssessment, insertPrepared } from '../queries/prepared-work.ts'
import { selectCustomerHistory } from '../queries/pro-records.sql.ts'
import { type PastWork } from '../queries/quote-sources.ts'
import { selectPastWork } from '../queries/quote-sources.sql.ts'
import { pastWorkStart } from './prepared-work.ts'
import { type Subject, getSubject, subjectColumns } from './subject.ts'

/** Prepares notes and stores them. Throws as {@link getSubject}. */
export const prepareAssessment = (ctx: Ctx<ActingPro>, ref: SubjectRef): Promise<Assessment> =>
  runIdempotently(
    ctx,
    { accountId: ctx.actor.accountId, operation: 'prepareAssessmentNotes', request: ref },
    async (ctx) => {
      const { professionalId } = ctx.actor
      const subject = await getSubject(ctx, ref)
      const now = ctx.clock.now()
      const [history, { services }, work] = await Promise.all([
        selectCustomerHistory(ctx, { email: subject.customer.email, exceptId: subject.about.id, professionalId }),
        listOffers(ctx),
        subject.service
          ? selectPastWork(ctx, { professionalId, serviceId: subject.service.id, since: pastWorkStart(ctx) })
          : [],
      ])
      const offer = services.find(({ serviceId }) => serviceId === subject.service?.id)
      const id = ctx.ids.uuid()
      const notes: Assessment = {
        id,
        about: subject.about,
        service: subject.service?.name ?? null,
        known: factsOf(subject),
        toAsk: questionsFor(subject),
        toCheck: checksFor(subject, offer),
        history,
        price: priceRange(subject, offer, work),
        photos: subject.photos.length,
        preparedAt: now.toISOString(),
      }
      await insertPrepared(ctx, {
        ...subjectColumns(subject),
        id,
        professionalId,
        kind: 'assessment_notes',
        content: notes,
        now,
      })
      return notes
    },
  )

/** The latest notes with this id, or about the lead, booking or job. Throws assessment_not_found. */
export async function getAssessment(
  ctx: Ctx<ActingPro>,
  { assessmentId, leadId, bookingId, jobId }: SubjectRef & { assessmentId?: string | undefined },
): Promise<Assessment> {
  if ([assessmentId, leadId, bookingId, jobId].filter((id) => id !== undefined).length !== 1)
    throw invalidField('body.assessmentId', 'give exactly one of assessmentId, leadId, bookingId and jobId')
  const notes = await findAssessment(ctx, {
    id: assessmentId,
    rfqId: leadId,
    bookingId,
    jobId,
    professionalId: ctx.actor.professionalId,
  })
  if (!notes) throw new AppError('assessment_not_found', 'You have no such assessment notes.')
  return notes
}

function factsOf(subject: Subject): string[] {
  const { description, budget, timeline, preferredDate, visit, photos } = subject
  const address = formatAddress(subject.address)
  const facts: [string, string | null][] = [
    ['Request', description],
    ['Address', address],
    ['Visit', visit && `${visit.date} at ${visit.time}, ${visit.durationMinutes} minutes`],
    ['Preferred date', visit ? null : preferredDate],
    ['Time frame', timeline],
    ['Budget', budget],
    ['Photos', photos.length > 0 ? String(photos.length) : null],
  ]
  return facts.flatMap(([label, value]) => (value === null || value === '' ? [] : [`${label}: ${value}`]))
}

const FEW_WORDS = 4
const wordsIn = (text: string | null): number => text?.match(/\p{L}+/gu)?.length ?? 0

/** Questions to the customer about missing facts. */
export function questionsFor(subject: Subject): string[] {
  const { service, address, photos, description, timeline, preferredDate, customer, budget, about } = subject
  const isAgreed = about.type !== 'lead'
  const countsUnits = service !== null && service.unit !== null && service.unit !== 'hour'
  const questions: [boolean, string][] = [
    // A description of a few words says what the work is, even where no service of the catalog was recognized in it.
    [service === null && wordsIn(description) < FEW_WORDS, 'What kind of work is it?'],
    [!address?.street, 'Where is the work: street and city?'],
    [
      countsUnits && !isAgreed && quantityIn(description ?? '', service.unit ?? '') === undefined,
      `How many ${service?.unit === 'square foot' ? 'square feet' : service?.unit === 'linear foot' ? 'feet' : `${service?.unit}s`} is it?`,
    ],
    [photos.length === 0 && about.type === 'lead', 'Could you send photos?'],
    [!timeline && !preferredDate, 'When should it be done?'],
    [!customer.phone, 'At which telephone number can we reach you on the day?'],
    [!budget && !isAgreed, 'Is there a budget?'],
  ]
  return questions.flatMap(([isMissing, question]) => (isMissing ? [question] : []))
}

function checksFor(subject: Subject, offer: Offer | undefined): string[] {
  const address = formatAddress(subject.address)
  const { service, photos, quote } = subject
  return [
    address ? `Access and parking at ${address}` : 'Access and parking',
    ...(service?.unit && service.unit !== 'hour' ? [`Measure or count: ${service.unit}`] : []),
    ...(photos.length > 0 ? [`Compare with the ${photos.length === 1 ? 'photo' : `${photos.length} photos`}`] : []),
    ...(quote?.lineItems.map(({ description, quantity }) => `Quoted: ${quantity} × ${description}`) ?? []),
    ...(offer?.package?.includes.map((item) => `In the package: ${item}`) ?? []),
    ...(offer?.description ? [`Your own note: ${offer.description}`] : []),
  ]
}

function priceRange({ service }: Subject, offer: Offer | undefined, work: readonly PastWork[]): Assessment['price'] {
  const unit = offer ? offer.unit : (service?.unit ?? null)
  const listed = [offer?.minPrice, offer?.basePrice, offer?.maxPrice].flatMap((price) => price ?? [])
  if (listed.length > 0)
    return { low: Math.min(...listed), high: Math.max(...listed), unit, from: 'your listed prices' }
  const paid = work.flatMap(({ unitCents }) => (unitCents === null ? [] : [Math.round(unitCents) / 100]))
  if (median(paid) === undefined) return null
  const from = `${paid.length} accepted ${paid.length === 1 ? 'quote or completed job' : 'quotes and completed jobs'}`
  return { low: Math.min(...paid), high: Math.max(...paid), unit: service?.unit ?? null, from }
}
