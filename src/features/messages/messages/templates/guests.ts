// What a guest reads: the person for whom a customer booked a visit. The guest did not ask for it, so it names the customer, and no money.
import type { MessageData } from '../kinds.ts'
import type { Content } from './content.ts'
import { contactOf, short, startInZone, startOf, whenOf } from './phrases.ts'
import { oneLine } from '../../../../platform/text/plain.ts'

export function guestVisit({ visit, bookedBy, change, previousStartsAt: before, proUrl }: Data): Content {
  const pro = short(visit.pro.name)
  const who = short(bookedBy, 100)
  const what = `${short(visit.work)}, ${startOf(visit)}, with ${pro}`
  const shared = {
    when: whenOf(visit),
    button: { label: 'See the pro', url: proUrl },
    reason: `You get this message because ${who} gave your e-mail address for a visit. If you do not know this person, ignore it.`,
  }
  const facts = [
    ['Service', oneLine(visit.work)],
    ['Pro', contactOf(visit.pro)],
  ] as const
  const booked = `${who} booked this visit for you and can move or cancel it.`
  if (change === 'cancelled')
    return {
      ...shared,
      subject: `Cancelled: ${what}`,
      heading: 'Your visit is cancelled',
      tone: 'bad',
      paragraphs: [`${pro} does not come. ${who} had booked the visit for you.`],
      facts,
    }
  if (change === 'moved')
    return {
      ...shared,
      subject: `Moved: ${what}`,
      heading: 'Your visit has a new time',
      tone: 'good',
      paragraphs: [booked],
      facts: [['Before', before && startInZone({ startsAt: before, timeZone: visit.timeZone })], ...facts],
    }
  return {
    ...shared,
    subject: `A visit for you: ${what}`,
    heading: 'A visit is booked for you',
    tone: 'good',
    paragraphs: [booked],
    facts,
  }
}

type Data = MessageData['guest-visit']
