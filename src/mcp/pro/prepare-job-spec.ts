// prepare_job_spec: what a piece of work consists of.
import { Type } from '@sinclair/typebox'

import { JobSpec, SubjectInput } from '../../features/drafts/schemas.ts'
import { prepareJobSpec as prepare } from '../../features/drafts/verbs/job-specs.ts'
import { defineProTool } from '../server/tool.ts'

export const prepareJobSpec = defineProTool({
  name: 'prepare_job_spec',
  title: 'Prepare a job specification',
  description: 'Put scope, site, price and open points of a job, booking or lead (name one) on one page.',
  access: 'write',
  idempotent: true,
  cost: 1,
  input: Type.Object(SubjectInput, { additionalProperties: false }),
  output: Type.Object({ spec: JobSpec }),
  call: async (deps, pro, subject, { idempotency }) => {
    const { value, replayed } = await prepare(deps, pro, subject, idempotency)
    return { value: { spec: value }, replayed }
  },
})
