// What a request has committed so far: its failure must not say that nothing was changed.
import { AsyncLocalStorage } from 'node:async_hooks'

interface Effects {
  hasCommitted: boolean
}

const effects = new AsyncLocalStorage<Effects>()

/** Runs `work`, and remembers whether a transaction or a writing statement of it was committed. */
export const rememberCommits = <T>(work: () => T): T => effects.run({ hasCommitted: false }, work)

export function noteCommit(): void {
  const current = effects.getStore()
  if (current) current.hasCommitted = true
}

/** Whether the current request has committed something. False outside of {@link rememberCommits}. */
export const hasCommitted = (): boolean => effects.getStore()?.hasCommitted ?? false

/** The functions that change or lock rows; all others only read (test/platform/postgres/effects.test.ts). */
const CHANGING: ReadonlySet<string> = new Set(
  `
  add_credits add_time_zone ask_wake_up book_visit claim_calendar claim_deliveries claim_messages continue_search_refresh copy_offers correct_prices
  delete_test_data emit_event end_task expire_proposals expire_quotes find_idempotent finish_attempts
  free_deliveries hold_session_lock join_digest keep_idempotent lapse_hold lapse_holds lock_pros lock_proposals
  lock_schedule maintain_partitions open_allowances plan_deliveries
  plan_job_cancelled_message plan_messages plan_refund_message plan_reminders propose_time
  rebuild_review_stats rebuild_search refresh_changed_prices replace_lost_zones refresh_pricing reschedule_booking reschedule_to_agreed_start
  release_stuck_tasks release_unproven_address reserve_slot reserve_task write_credit_notices
`
    .trim()
    .split(/\s+/),
)
const DATA_CHANGES = /(?<!\bfor |\bkey )\b(?:insert|update|delete|merge)\b/i

/** Whether a statement may change something. Any statement counts that does not certainly only read. */
export const mayWrite = (text: string): boolean =>
  !/^\s*(?:--.*\n\s*)*(?:select|with)\b/i.test(text) ||
  DATA_CHANGES.test(text) ||
  Array.from(text.matchAll(/(\w+)\(/g)).some(([, name = '']) => CHANGING.has(name))
