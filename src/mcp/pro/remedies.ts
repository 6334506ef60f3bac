// What a pro's agent can do about an error, in the names of its tools, and where the pro buys tasks.
import type { Viewer } from '../../auth/caller.ts'
import type { Ctx } from '../../ctx.ts'
import { AppError, type ErrorCode } from '../../errors/app-error.ts'

export const proRemedies: Partial<Record<ErrorCode, string>> = {
  agent_tasks_exhausted: 'Give the pro `buyUrl`, where they see and buy tasks, or wait until `resetsAt`.',
  service_not_found: 'Take the id from list_services.',
  rfq_not_found: 'Take the id from list_leads.',
  quote_not_found: 'Take the id from list_quotes.',
  job_not_found: 'Take the id from list_jobs.',
  booking_not_found: 'Take the id from list_bookings.',
  proposal_not_found: 'Take the id from get_proposal_status, which lists the open proposals.',
  proposal_conflict: 'Read the current values and propose the change again if the pro still wants it.',
  too_many_proposals: 'Let the pro decide on some: confirm_action or dismiss_action.',
  too_many_drafts: 'Change a draft of list_quotes with update_quote_content, or let the pro delete one.',
  unknown_price: 'Propose a price with update_service_pricing, or let the pro send a quote with their own amount.',
  idempotency_mismatch: 'Send another `idempotencyKey`. Reuse one only to repeat the same call.',
}

/** Adds where the pro buys tasks, and the tool that proposes an outdated change again. */
export function explainToPro({ config }: Ctx<Viewer>, error: AppError): AppError {
  const { code, detail, extensions } = error
  if (code === 'agent_tasks_exhausted')
    return new AppError(code, detail, { extensions: { ...extensions, buyUrl: `${config.baseUrl}/console/credits` } })
  if (code === 'proposal_conflict')
    return new AppError(code, `${detail} The tool for this change is update_${String(extensions?.['kind'])}.`, {
      extensions,
    })
  return error
}
