// A service with questions, for tests.
import { ctxOf } from '../../src/ctx.ts'
import { changeService } from '../../src/features/catalog/entries/verbs/entries.ts'
import type { Question } from '../../src/features/catalog/services/schemas.ts'
import { listQuestions } from '../../src/features/catalog/services/verbs/questions.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import type { TestApp } from './app.ts'

export const SIZE: Question = { question: 'How many square feet?', required: true, choices: [] }
export const WATER: Question = { question: 'Is the water running now?', required: false, choices: ['Yes', 'No'] }

/** Gives a service questions, and waits until this process asks them. */
export async function askAbout({ deps }: TestApp, serviceId: string, questions: readonly Question[]): Promise<void> {
  await changeService(ctxOf(deps), { by: null, id: serviceId, questions })
  const asked = async () => Bun.deepEquals(await listQuestions(ctxOf(deps), { serviceId }), questions)
  if (!(await waitUntil(asked, 10_000))) throw new Error('The questions did not arrive.')
}
