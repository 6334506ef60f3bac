// The usage of keys in the database, by day.
import type { Ctx } from '../../../ctx.ts'
import * as statements from './usage.sql.ts'

export interface UsageCounts {
  keyId: string
  /** In UTC, `YYYY-MM-DD`. */
  day: string
  /** All requests, and those with the status 4xx except 429 (`refused`), 429 (`limited`), and 5xx (`failed`). */
  requests: number
  refused: number
  limited: number
  failed: number
}

/** `isGrant`: the requests of a connected app. */
export type UsageRow = UsageCounts & { name: string; lastFour: string; isGrant: boolean }

/** Adds to the stored counts. Ordered by key, so that concurrent processes do not deadlock. */
export async function addUsage(ctx: Ctx, { counts }: { counts: readonly UsageCounts[] }): Promise<void> {
  const of = <K extends keyof UsageCounts>(name: K): UsageCounts[K][] => counts.map((one) => one[name])
  await statements.addUsage(ctx, {
    keyIds: of('keyId'),
    days: of('day'),
    requests: of('requests'),
    refused: of('refused'),
    limited: of('limited'),
    failed: of('failed'),
  })
}
