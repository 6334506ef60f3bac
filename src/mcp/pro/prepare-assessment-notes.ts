// prepare_assessment_notes: notes on a lead, booking or job, kept for get_assessment.
import { Type } from '@sinclair/typebox'

import { Assessment, SubjectInput } from '../../features/drafts/schemas.ts'
import { prepareAssessment } from '../../features/drafts/verbs/assessments.ts'
import { defineProTool } from '../server/tool.ts'

export const prepareAssessmentNotes = defineProTool({
  name: 'prepare_assessment_notes',
  title: 'Prepare assessment notes',
  description:
    'Note what is known of a lead, booking or job (name one), what to ask the customer, what to check on site. Kept: get_assessment.',
  access: 'write',
  idempotent: true,
  cost: 1,
  input: Type.Object(SubjectInput, { additionalProperties: false }),
  output: Type.Object({ assessment: Assessment }),
  call: async (deps, pro, subject, { idempotency }) => {
    const { value, replayed } = await prepareAssessment(deps, pro, subject, idempotency)
    return { value: { assessment: value }, replayed }
  },
})
