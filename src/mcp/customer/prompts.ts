// The prompts and resources of the customer server.
import { getPro } from '../../features/search/pros/verbs/pros.ts'
import type { Prompt, Resource } from '../server/definition.ts'
import { ctxOf } from '../../ctx.ts'

export const customerPrompts: readonly Prompt[] = [
  {
    name: 'find_and_book',
    title: 'Find and book a pro',
    description: 'Find a home service pro near a place and book one of their open times.',
    arguments: [
      { name: 'work', description: 'What is to be done, such as “unclog the kitchen sink”', required: true },
      { name: 'place', description: 'City with state, or ZIP code', required: true },
      { name: 'when', description: 'Days or times that suit', required: false },
    ],
    text: ({ work, place, when }) =>
      `
Find and book a home service pro for me.
Work: ${work}
Place: ${place}
When: ${when ?? 'the next open time'}

1. search_pros for this work and place. Show me up to three pros with price, rating and whether they can be booked.
2. For the pro I choose: query_availability. Offer a few times with the length, price, deposit and fee.
3. After I agree to pro, time and price, ask me for what is missing (name, phone, address), then book_appointment. If something is to be paid, give me the link.
4. If the pro cannot be booked at once: show me what you would send, then request_quote.
`.trim(),
  },
]

/** The resources that need no identity. */
export const openResources: readonly Resource[] = [
  {
    uri: 'hearth://services',
    name: 'services',
    title: 'Services',
    description: 'The services that most pros offer',
    read: (call) => call('list_services', { limit: 20 }),
  },
  {
    uri: 'hearth://pros/{id}',
    name: 'pro',
    title: 'A pro',
    description: 'A pro by id or slug: services, prices, rating, business hours',
    read: (_, { deps, caller }, id) => getPro(ctxOf(deps, caller), { pro: id }),
  },
]

export const customerResources: readonly Resource[] = [
  ...openResources,
  {
    uri: 'hearth://bookings/{id}',
    name: 'booking',
    title: 'A booking',
    description: 'A booking of the signed-in customer by its id',
    read: (call, _, bookingId) => call('get_booking', { bookingId }),
  },
]
