// `hearth restored`: what a restored copy is and holds; declares it the original.
import { type Held, declareOriginal, getRestoration, sendHeld } from '../features/upkeep/restoration/verbs.ts'
import { UsageError } from './failure.ts'
import { withDeps } from './command-deps.ts'
import type { Ctx } from '../ctx.ts'

/** Holding the deliveries of a long outage takes longer than a request may. */
const LIMIT_MS = 600_000

interface RestoredOptions {
  original?: boolean
  sendPending?: boolean
}

export const runRestored = ({ original, sendPending }: RestoredOptions) =>
  withDeps(async (ctx) => {
    if (original) {
      const held = await declareOriginal(ctx)
      if (held === undefined) throw new UsageError('This database is no restored copy: nothing to declare.')
      console.log(`Declared the original. New work starts now; what was pending is held: ${countsOf(held)}.`)
    }
    if (sendPending) {
      const sent = await sendHeld(ctx)
      if (sent === undefined) throw new UsageError('A restored copy sends nothing. Declare it first: --original.')
      return console.log(`Due now: ${countsOf(sent)}.`)
    }
    if (!original) await print(ctx)
    else await printHeld(ctx)
  }, LIMIT_MS)

const countsOf = ({ deliveries, messages }: Held): string => `${deliveries} deliveries and ${messages} messages`

async function print(ctx: Ctx): Promise<void> {
  const { target, pending } = await getRestoration(ctx)
  if (target === undefined) {
    console.log('This database is the original.')
    return await printHeld(ctx)
  }
  console.log(`This database is a restored copy: ${target}.`)
  console.log('It serves reads, accepts no changes and sends nothing. Pending at its point:')
  console.log(`  ${pending.deliveries} deliveries and ${pending.events} events without deliveries: held by --original`)
  console.log(`  ${pending.messages} messages to people: held by --original`)
  console.log(`  ${pending.refunds} refunds: made after --original; the provider makes each once`)
  console.log(`  ${pending.runs} agent runs: continue after --original`)
  console.log('Make sure that the previous server is gone, then run `hearth restored --original`.')
}

async function printHeld(ctx: Ctx): Promise<void> {
  const { held, heldMessages } = await getRestoration(ctx)
  for (const { endpointId, url, deliveries, from, to } of held)
    console.log(`  held: ${deliveries} deliveries to ${url} (endpoint ${endpointId}), events from ${from} to ${to}`)
  if (heldMessages > 0) console.log(`  held: ${heldMessages} messages to people (see /console/mail)`)
  if (held.length > 0 || heldMessages > 0)
    console.log('Send them with `hearth restored --send-pending`, or replay single ones or a range by the API.')
}
