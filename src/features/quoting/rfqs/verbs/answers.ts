// The answers of a request for a quote. They never make a request fail by what they lack: only the form of the pages insists on some.
import type { Ctx } from '../../../../ctx.ts'
import { invalidFields } from '../../../../errors/app-error.ts'
import { listQuestions } from '../../../catalog/services/verbs/questions.ts'
import { answersTo, openQuestions } from '../rules/answers.ts'
import type { Answer, NewRfq } from '../schemas.ts'

/** The answers as a request keeps them, each with its question. Throws validation_failed for one to another question. */
export async function readAnswers(
  ctx: Ctx,
  { serviceId, answers: given }: Pick<NewRfq, 'serviceId' | 'answers'>,
): Promise<Answer[]> {
  if (!given || given.length === 0) return []
  const { answers, faults } = answersTo(await listQuestions(ctx, { serviceId }), given)
  if (faults.length > 0)
    throw invalidFields(faults.map(({ path, message }) => ({ path: `body.answers.${path}`, message })))
  return answers
}

/** The questions of the service that the customer has not answered. */
export const listOpenQuestions = async (
  ctx: Ctx,
  { serviceId, answers }: { serviceId: string | null | undefined; answers: readonly Answer[] },
): Promise<string[]> => openQuestions(await listQuestions(ctx, { serviceId }), answers)
