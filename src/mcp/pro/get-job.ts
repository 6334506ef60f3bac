// get_job: GET /pro/jobs/{id} for a model.
import { Type } from '@sinclair/typebox'

import { Job } from '../../features/jobs/schemas.ts'
import { getJob as getJobOf } from '../../features/jobs/verbs.ts'
import { Uuid } from '../../platform/schema/types.ts'
import { defineProTool } from '../server/tool.ts'

const { currency: _, rfqId, ...shown } = Job.properties

export const getJob = defineProTool({
  name: 'get_job',
  title: 'Read a job',
  description: 'One job: customer, address, what was agreed. Next: prepare_job_spec, list_job_media.',
  access: 'read',
  input: Type.Object({ jobId: Uuid() }, { additionalProperties: false }),
  output: Type.Object({ job: Type.Object({ ...shown, leadId: rfqId }) }),
  call: async (deps, pro, { jobId }) => {
    const { currency: _usd, rfqId: leadId, ...job } = await getJobOf(deps, pro, jobId)
    return { job: { ...job, leadId } }
  },
})
