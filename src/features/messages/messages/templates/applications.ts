// What applicants read who want to join as pros.
import type { MessageData } from '../kinds.ts'
import type { Content } from './content.ts'
import { short, wordsOf } from './phrases.ts'
import type { Site } from './rendered.ts'

type Said = Pick<Content, 'subject' | 'tone' | 'paragraphs'> & { button: string }

const saidOf = ({ status, isReopened }: MessageData['pro-application'], business: string, site: string): Said => {
  switch (status) {
    case 'draft':
      return {
        subject: `Go on with your application to ${site}`,
        tone: 'plain',
        paragraphs: ['What you enter is saved at each step. Come back with this link at any time within 30 days.'],
        button: 'Go on',
      }
    case 'sent':
      return {
        subject: isReopened ? `We look at ${business} again` : `We have your application for ${business}`,
        tone: 'good',
        paragraphs: [
          isReopened
            ? 'Your application had been refused, and is with us again.'
            : 'A person reads it. You get a message when it is approved, or when we need to know more.',
          'Customers find you once it is approved.',
        ],
        button: 'See where it stands',
      }
    case 'asked':
      return {
        subject: `A question about ${business}`,
        tone: 'wait',
        paragraphs: ['Before we can decide, we need to know more. Change your application, and send it again.'],
        button: 'Change the application',
      }
    case 'approved':
      return {
        subject: `${business} is on ${site}`,
        tone: 'good',
        paragraphs: [
          'Your application is approved, and customers find you from now on. Another message has the link to choose your password: with it you log in to your console.',
        ],
        button: 'See where it stands',
      }
    case 'refused':
      return {
        subject: `We cannot take ${business} on ${site}`,
        tone: 'bad',
        paragraphs: ['Your application is refused. If that is a mistake, write to us.'],
        button: 'See the application',
      }
    case 'withdrawn':
      return {
        subject: `You have withdrawn your application to ${site}`,
        tone: 'plain',
        paragraphs: ['What you gave us is erased. If you change your mind, you may apply again.'],
        button: 'Apply again',
      }
  }
}

export function proApplication(data: MessageData['pro-application'], { name }: Site): Content {
  const business = data.business === null ? 'your business' : short(data.business)
  const { button, ...said } = saidOf(data, business, name)
  return {
    ...said,
    heading: said.subject,
    quotation:
      data.operatorWords === null
        ? undefined
        : wordsOf(data.status === 'asked' ? 'Our question' : 'Why', data.operatorWords),
    button: { label: button, url: data.joinUrl },
    reason: `You get this message because you applied to join ${name}.`,
  }
}
