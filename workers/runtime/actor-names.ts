// The actors of `hearth work`, in the order in which they start. Each is a file of `workers/actors`.
import { join } from 'node:path'

import type { ActorProcesses } from './supervisor.ts'

export const ACTOR_NAMES = [
  'relay-outbox',
  'deliver-webhooks',
  'send-messages',
  'refresh-pricing',
  'meter-agent-tasks',
  'run-agent-tasks',
  'sync-calendars',
  'decode-files',
  'sweep-expired',
] as const
export type ActorName = (typeof ACTOR_NAMES)[number]

export const isActorName = (name: string): name is ActorName => ACTOR_NAMES.some((known) => known === name)

/** The number of processes per actor: one, unless `configured` (WORKERS_<NAME>) says otherwise. */
export const processCounts = (names: readonly string[], configured: ReadonlyMap<string, number>) =>
  names.map((name) => ({ name, processes: configured.get(name) ?? 1 }))

/** The process that runs several actors, as telemetry, PostgreSQL and the supervisor know it: `hearth-workers`. */
export const TOGETHER = 'workers'

/** The actors with one process each as one process for all of them; those with another number keep their own. */
export function together(actors: readonly ActorProcesses[]): ActorProcesses[] {
  const shared = actors.filter(({ processes }) => processes === 1).map(({ name }) => name)
  const script = join(import.meta.dir, 'all-actors.ts')
  const others = actors.filter(({ processes }) => processes !== 1)
  return shared.length === 0 ? others : [{ name: TOGETHER, processes: 1, script, args: shared }, ...others]
}
