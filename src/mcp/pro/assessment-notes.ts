// prepare_assessment_notes and get_assessment: notes on a lead, booking or job.
import { Type } from '@sinclair/typebox'

import { Assessment, SubjectInput } from '../../features/agents/drafts/schemas.ts'
import { getAssessment as getNotes, prepareAssessment } from '../../features/agents/drafts/verbs/assessments.ts'
import { Uuid } from '../../platform/schema/types.ts'
import { CREATES, defineProTool } from '../server/tool.ts'

const output = Type.Object({ assessment: Assessment })

export const prepareAssessmentNotes = defineProTool({
  name: 'prepare_assessment_notes',
  title: 'Prepare assessment notes',
  description:
    'Note what is known about a lead, booking or job (name one), what to ask the customer, what to check on site. Stored: get_assessment.',
  access: 'write',
  quotes: 'names and requests',
  hints: CREATES,
  idempotent: true,
  cost: 1,
  input: Type.Object(SubjectInput, { additionalProperties: false }),
  output,
  call: async (ctx, subject) => {
    const assessment = await prepareAssessment(ctx, subject)
    return { assessment }
  },
})

export const getAssessment = defineProTool({
  name: 'get_assessment',
  title: 'Read assessment notes',
  description: 'The latest notes by their id, or about a lead, booking or job: name one.',
  access: 'read',
  quotes: 'names and requests',
  input: Type.Object({ assessmentId: Type.Optional(Uuid()), ...SubjectInput }, { additionalProperties: false }),
  output,
  call: async (ctx, query) => ({ assessment: await getNotes(ctx, query) }),
})
