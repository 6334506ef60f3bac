// A person applies to join as a pro: what they give is saved at each step, and they send it to the operators.
import type { CustomerCaller } from '../../../../auth/caller.ts'
import type { Ctx, TxCtx } from '../../../../ctx.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { transition } from '../../../../transition.ts'
import { recordAction } from '../../../upkeep/audit/verbs.ts'
import { getDefaults } from '../../../upkeep/marketplace/verbs.ts'
import { deleteApplication, findApplication, hasAccount, insertApplication, saveAnswers } from '../queries.sql.ts'
import { expiryOf } from '../rules/lifetime.ts'
import { nextStep } from '../rules/steps.ts'
import type { Answers, Application, StoredAnswers } from '../schemas.ts'
import { APPLICATION, MAY_BE_WITHDRAWN } from '../states.ts'
import { moveApplication, readApplicationForUpdate, tellApplicant } from './move-application.ts'

/** The application of the address that the caller has proven; undefined before the first step. */
export async function findOwnApplication(ctx: Ctx<CustomerCaller>): Promise<Application | undefined> {
  return await findApplication<StoredAnswers>(ctx, { email: ctx.actor.customerEmail })
}

/** Whether the address of the caller belongs to an account with which one logs in, so that it needs no application. */
export async function hasOwnAccount(ctx: Ctx<CustomerCaller>): Promise<boolean> {
  const row = await hasAccount(ctx, { email: ctx.actor.customerEmail })
  return row?.isTaken === true
}

/**
 * Saves what one step gives. The first one begins the application, and the link to come back to it is sent. Throws
 * invalid_transition where pros may not apply, and while an operator decides or has decided, and user_exists
 * for an address that logs in.
 */
export const saveStep = (ctx: Ctx<CustomerCaller>, answers: Partial<Answers>): Promise<Application> =>
  ctx.transaction('saveApplicationStep', async (ctx) => {
    const application = await begunApplication(ctx)
    if (application.status !== 'draft' && application.status !== 'asked') throw decided()
    const next = { ...application, ...answers }
    await saveAnswers(ctx, {
      ...next,
      services: next.services && JSON.stringify(next.services),
      businessHours: next.businessHours && JSON.stringify(next.businessHours),
      expiresAt: expiryOf(application.status, ctx.clock.now()),
    })
    return next
  })

/** The application of the caller, locked; a draft where there was none. */
async function begunApplication(ctx: TxCtx<CustomerCaller>): Promise<Application> {
  const email = ctx.actor.customerEmail
  const found = await readApplicationForUpdate(ctx, { email })
  if (found) return found
  await requireJoining(ctx)
  const now = ctx.clock.now()
  const id = ctx.ids.uuid()
  await insertApplication(ctx, { id, email, now, expiresAt: expiryOf('draft', now) })
  const begun = await readApplicationForUpdate(ctx, { email })
  if (!begun) throw new Error('An application vanished between insert and read.')
  if (begun.id === id) await tellApplicant(ctx, { application: begun })
  return begun
}

/** Sends the application to the operators. Throws as {@link saveStep}, and validation_failed while a step is not done. */
export const sendApplication = (ctx: Ctx<CustomerCaller>): Promise<Application> =>
  ctx.transaction('sendApplication', async (ctx) => {
    const application = await readApplicationForUpdate(ctx, { email: ctx.actor.customerEmail })
    if (!application) throw new AppError('not_found', 'You have no application. Begin one.')
    if (application.status === 'draft') await requireJoining(ctx)
    transition(APPLICATION, 'application', application.status, 'send')
    if (nextStep(application) !== 'preview')
      throw new AppError('validation_failed', 'Something is missing: go through the steps that are not done.')
    const sentAt = ctx.clock.now().toISOString()
    return await moveApplication(ctx, {
      application: { ...application, sentAt },
      action: 'send',
      operatorWords: null,
      by: null,
    })
  })

/**
 * Erases the application, tells the applicant, and lets operators know that one was withdrawn, but not what was in it. Throws not_found, and
 * invalid_transition for one that is decided.
 */
export const withdrawApplication = (ctx: Ctx<CustomerCaller>): Promise<void> =>
  ctx.transaction('withdrawApplication', async (ctx) => {
    const application = await readApplicationForUpdate(ctx, { email: ctx.actor.customerEmail })
    if (!application) throw new AppError('not_found', 'You have no application.')
    const { id, email, status, sentAt } = application
    if (!MAY_BE_WITHDRAWN.has(status))
      throw new AppError('invalid_transition', 'Your application is decided, so it cannot be withdrawn.')
    await deleteApplication(ctx, { id })
    // No operator has seen what was never sent.
    if (sentAt !== null)
      await recordAction(ctx, { action: 'application.withdrawn', subjectId: id, professionalId: null, by: null })
    await tellApplicant(ctx, { application: { email, status: 'withdrawn', businessName: null, operatorWords: null } })
  })

async function requireJoining(ctx: TxCtx<CustomerCaller>): Promise<void> {
  if (!(await getDefaults(ctx)).prosMayJoin)
    throw new AppError('invalid_transition', 'Pros join by invitation at present. Write to us if you want to join.')
  if (await hasOwnAccount(ctx))
    throw new AppError('user_exists', 'This e-mail address has an account already. Log in to the console with it.')
}

const decided = () =>
  new AppError('invalid_transition', 'Your application is with us, so it cannot be changed. Write to us about it.')
