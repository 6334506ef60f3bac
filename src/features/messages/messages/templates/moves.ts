// What a pro reads whom an operator has moved.
import { zoneName } from '../../../../platform/clock/zones.ts'
import { count } from '../../../../platform/text/format.ts'
import type { MessageData } from '../kinds.ts'
import type { Content } from './content.ts'
import { PRO_HERE, short, wordsOf } from './phrases.ts'

export function proMoved(data: MessageData['pro-moved']): Content {
  const { visits, outside } = data
  const [from, to, distance] = [short(data.from), short(data.to), short(data.distance)]
  const zone = zoneName(data.timeZone)
  const heading = `${short(data.pro)} is in ${to} now`
  return {
    subject: heading,
    heading,
    tone: 'wait',
    paragraphs: [
      `We have moved your business from ${from}: customers within ${distance} of ${to} find you. The address of your page stays.`,
      ...(data.isOtherZone ? [`Your opening hours are in ${zone} now: check that they are still right.`] : []),
      ...(visits === 0
        ? []
        : ['Visits that are booked stay when they were agreed. Move or cancel what you cannot do.']),
    ],
    facts:
      visits === 0
        ? []
        : [
            ['Visits to come', count(visits)],
            ['Farther away than you come now', count(outside)],
          ],
    quotation: wordsOf('Why', data.operatorReason),
    button: { label: 'See your bookings', url: data.consoleUrl },
    reason: PRO_HERE,
  }
}
