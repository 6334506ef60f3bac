// The steps of an application, and which of them are done.
import type { Answers } from '../schemas.ts'

export const STEPS = ['business', 'place', 'services', 'prices', 'hours', 'license', 'preview'] as const
export type Step = (typeof STEPS)[number]

const DONE: Readonly<Record<Exclude<Step, 'preview'>, (answers: Answers) => boolean>> = {
  business: ({ businessName }) => businessName !== null,
  place: ({ cityId }) => cityId !== null,
  services: ({ services }) => services !== null && services.length > 0,
  prices: ({ services }) => services !== null && services.length > 0,
  hours: ({ businessHours }) => businessHours !== null,
  license: ({ hasDeclared }) => hasDeclared,
}

/** The first step that is not done; the preview, from which it is sent, once all are. */
export const nextStep = (answers: Answers): Step =>
  STEPS.find((step) => step !== 'preview' && !DONE[step](answers)) ?? 'preview'

/** Where an applicant goes on who has saved a step. New services have no price yet. */
export const stepAfter = (step: Step, answers: Answers): Step => (step === 'services' ? 'prices' : nextStep(answers))
