// prepare_job_spec: a specification of one piece of work.
import { Type } from '@sinclair/typebox'

import { JobSpec, SubjectInput } from '../../features/agents/drafts/schemas.ts'
import { prepareJobSpec as prepare } from '../../features/agents/drafts/verbs/job-specs.ts'
import { CREATES, defineProTool } from '../server/tool.ts'

export const prepareJobSpec = defineProTool({
  name: 'prepare_job_spec',
  title: 'Prepare a job specification',
  description: 'Put scope, site, price and open points of a job, booking or lead (name one) on one page.',
  access: 'write',
  quotes: 'names and requests',
  hints: CREATES,
  idempotent: true,
  cost: 1,
  input: Type.Object(SubjectInput, { additionalProperties: false }),
  output: Type.Object({ spec: JobSpec }),
  call: async (ctx, subject) => {
    const spec = await prepare(ctx, subject)
    return { spec }
  },
})
