// Drafts of messages to customers. The pro sends them; Hearth does not.
import type { Ctx } from '../../../../ctx.ts'
import { invalidField } from '../../../../errors/app-error.ts'
import { runIdempotently } from '../../../../idempotency/verbs.ts'
import { money } from '../../../../platform/text/format.ts'
import { getProfile } from '../../../business/profile/verbs.ts'
import type { ActingPro } from '../../../quoting/rfqs/verbs/rfqs.ts'
import { questionsFor } from './assessments.ts'
import { type CustomerMessage, type Purpose, type SubjectRef, formatAddress } from '../schemas.ts'
import { insertPrepared } from '../queries/prepared-work.ts'
import { type Subject, getSubject, subjectColumns } from './subject.ts'

export interface MessageInput extends SubjectRef {
  purpose: Purpose
  /** Further sentences. */
  points?: string[] | undefined
}

/**
 * Drafts a message and stores it. Throws as {@link getSubject}, and validation_failed for a purpose that does not fit the
 * subject: a visit without a booking, a follow-up without a quote, thanks for work that is not completed.
 */
export const prepareCustomerMessage = (ctx: Ctx<ActingPro>, input: MessageInput): Promise<CustomerMessage> =>
  runIdempotently(
    ctx,
    { accountId: ctx.actor.accountId, operation: 'prepareCustomerMessage', request: input },
    async (ctx) => {
      const { purpose, points = [], ...ref } = input
      const subject = await getSubject(ctx, ref)
      const { businessName } = await getProfile(ctx)
      const { subject: title, text } = TEMPLATES[purpose](subject)
      const { name, email } = subject.customer
      const content: CustomerMessage = {
        about: subject.about,
        purpose,
        to: { name, email },
        subject: title,
        body: [`Hello ${name},`, ...text, ...points, `Best regards\n${businessName}`].join('\n\n'),
      }
      const row = { id: ctx.ids.uuid(), professionalId: ctx.actor.professionalId, content, now: ctx.clock.now() }
      await insertPrepared(ctx, { ...subjectColumns(subject), ...row, kind: 'customer_message' })
      return content
    },
  )

interface Draft {
  subject: string
  /** Paragraphs. */
  text: string[]
}

const workOf = ({ service }: Subject) => service?.name ?? 'your request'

const TEMPLATES: Record<Purpose, (subject: Subject) => Draft> = {
  answer: (subject) => ({
    subject: `Your request: ${workOf(subject)}`,
    text: [
      `thank you for your request${subject.service ? ` for ${subject.service.name}` : ''}.`,
      subject.quote
        ? `Our quote of ${money(subject.quote.amount)} is on its way to you; the link in it lets you accept it.`
        : 'We will send you a quote.',
    ],
  }),
  ask_details: (subject) => {
    const questions = questionsFor(subject)
    return {
      subject: `A few questions: ${workOf(subject)}`,
      text: [
        'thank you for getting in touch.',
        questions.length > 0
          ? `So that we can plan the work, please tell us:\n${questions.map((question) => `- ${question}`).join('\n')}`
          : 'We have everything we need to plan the work. Is there anything to add?',
      ],
    }
  },
  confirm_visit: (subject) => {
    const { visit } = subject
    if (!visit) throw invalidField('body.purpose', 'confirm_visit needs a bookingId')
    const where = formatAddress(subject.address)
    return {
      subject: `Your appointment on ${visit.date}`,
      text: [
        `we will come on ${visit.date} at ${visit.time} for ${workOf(subject)}${where ? `, at ${where}` : ''}. Please plan for ${visit.durationMinutes} minutes.`,
        ...(where ? [] : ['Please send us the address.']),
      ],
    }
  },
  follow_up: (subject) => {
    const { quote } = subject
    if (!quote || (quote.status !== 'sent' && quote.status !== 'viewed'))
      throw invalidField('body.purpose', 'follow_up needs a lead with an unanswered quote')
    return {
      subject: `Our quote: ${workOf(subject)}`,
      text: [
        `we sent you a quote of ${money(quote.amount)} for ${workOf(subject)}. It is good until ${(quote.validUntil ?? '').slice(0, 10)}.`,
        'Do you have any questions about it?',
      ],
    }
  },
  thank_you: (subject) => {
    if (subject.status !== 'completed') throw invalidField('body.purpose', 'thank_you needs completed work')
    return {
      subject: `Thank you: ${workOf(subject)}`,
      text: [
        `thank you for having us for ${workOf(subject)}.`,
        'If you were happy with the work, a review would help us. If you were not, please tell us first.',
      ],
    }
  },
}
