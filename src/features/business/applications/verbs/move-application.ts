// An application takes another state: it is saved, stands in the audit log, and its applicant is told.
import type { TxCtx } from '../../../../ctx.ts'
import { planMessage } from '../../../messages/messages/verbs/plan-message.ts'
import { type OperatorId, recordAction } from '../../../upkeep/audit/verbs.ts'
import { transition } from '../../../../transition.ts'
import { findApplication, lockApplication, saveApplicationStatus } from '../queries.sql.ts'
import { expiryOf } from '../rules/lifetime.ts'
import type { Application, StoredAnswers } from '../schemas.ts'
import { APPLICATION, type ApplicationAction } from '../states.ts'

/** The path on which one applies, and comes back to the application. */
export const JOIN_PATH = '/for-pros/join'

/** The application with the id, or of the address, locked until the transaction ends. */
export async function readApplicationForUpdate(
  ctx: TxCtx,
  key: { id: string } | { email: string },
): Promise<Application | undefined> {
  // Read after the lock: one statement would read the row as it was before it waited.
  const row = await lockApplication(ctx, key)
  return row && (await findApplication<StoredAnswers>(ctx, { id: row.id }))
}

interface Move {
  /** As it was, with what the move gives. */
  application: Application
  action: ApplicationAction
  /** What the applicant reads: a question, or the reason of a refusal. */
  operatorWords: string | null
  /** Null for the applicant. */
  by: OperatorId
}

const RECORDED = {
  send: 'application.sent',
  ask: 'application.asked',
  approve: 'application.approved',
  refuse: 'application.refused',
  reopen: 'application.reopened',
} as const satisfies Record<ApplicationAction, string>

/** Throws invalid_transition. */
export async function moveApplication(
  ctx: TxCtx,
  { application: before, action, operatorWords, by }: Move,
): Promise<Application> {
  const status = transition(APPLICATION, 'application', before.status, action)
  const application = { ...before, status, operatorWords }
  const { id, professionalId, sentAt } = application
  const expiresAt = expiryOf(status, ctx.clock.now())
  await saveApplicationStatus(ctx, { id, status, operatorWords, professionalId, sentAt, expiresAt })
  await recordAction(ctx, { action: RECORDED[action], subjectId: id, professionalId, by, reason: operatorWords })
  await tellApplicant(ctx, { application, isReopened: action === 'reopen' })
  return application
}

/** What the applicant is told of. */
type Told = Pick<Application, 'email' | 'businessName' | 'operatorWords'> & {
  readonly status: Application['status'] | 'withdrawn'
}

/** Tells the applicant where the application stands, with the way back to it. */
export async function tellApplicant(
  ctx: TxCtx,
  { application, isReopened = false }: { application: Told; isReopened?: boolean },
): Promise<void> {
  const { email, status, businessName, operatorWords } = application
  await planMessage(ctx, {
    kind: 'pro-application',
    to: email,
    customerEmail: email,
    key: `pro-application:${ctx.ids.uuid()}`,
    data: { status, business: businessName, operatorWords, isReopened, joinUrl: `${ctx.config.baseUrl}${JOIN_PATH}` },
  })
}
