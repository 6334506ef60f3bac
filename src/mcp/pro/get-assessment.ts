// get_assessment: the latest notes that prepare_assessment_notes made.
import { Type } from '@sinclair/typebox'

import { getAssessment as getAssessmentOf } from '../../features/drafts/verbs/assessments.ts'
import { Assessment, SubjectInput } from '../../features/drafts/schemas.ts'
import { Uuid } from '../../platform/schema/types.ts'
import { defineProTool } from '../server/tool.ts'

export const getAssessment = defineProTool({
  name: 'get_assessment',
  title: 'Read assessment notes',
  description: 'The latest notes by their id, or of a lead, booking or job: name one.',
  access: 'read',
  input: Type.Object({ assessmentId: Type.Optional(Uuid()), ...SubjectInput }, { additionalProperties: false }),
  output: Type.Object({ assessment: Assessment }),
  call: async (deps, pro, query) => ({ assessment: await getAssessmentOf(deps, pro, query) }),
})
