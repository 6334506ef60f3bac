// All actors, and the process that runs those named as its arguments together: each process of its own takes 80 MB.
import { decodeFiles } from '../actors/decode-files.ts'
import { deliverWebhooks } from '../actors/deliver-webhooks.ts'
import { meterAgentTasks } from '../actors/meter-agent-tasks.ts'
import { refreshPricing } from '../actors/refresh-pricing.ts'
import { relayOutbox } from '../actors/relay-outbox.ts'
import { runAgentTasks } from '../actors/run-agent-tasks.ts'
import { sendMessages } from '../actors/send-messages.ts'
import { sweepExpired } from '../actors/sweep-expired.ts'
import { syncCalendars } from '../actors/sync-calendars.ts'
import type { Actor } from './actor.ts'
import { type ActorName, TOGETHER } from './actor-names.ts'
import { runActors } from './process.ts'

/** The definitions by name. */
export const ACTORS: Readonly<Record<ActorName, Actor<unknown, unknown>>> = {
  'relay-outbox': relayOutbox,
  'deliver-webhooks': deliverWebhooks,
  'send-messages': sendMessages,
  'refresh-pricing': refreshPricing,
  'meter-agent-tasks': meterAgentTasks,
  'run-agent-tasks': runAgentTasks,
  'sync-calendars': syncCalendars,
  'decode-files': decodeFiles,
  'sweep-expired': sweepExpired,
}

if (import.meta.main) {
  const names = new Set(process.argv.slice(2))
  const actors = Object.values(ACTORS).filter(({ name }) => names.has(name))
  await runActors(actors, `hearth-${TOGETHER}`)
}
