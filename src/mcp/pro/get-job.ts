// get_job and list_job_media: GET /pro/jobs/{id} for a model, and the photos of a job or lead.
import { Type } from '@sinclair/typebox'

import { JobMedia, SubjectInput } from '../../features/agents/drafts/schemas.ts'
import { listJobMedia as listMedia } from '../../features/agents/drafts/verbs/media.ts'
import { Job } from '../../features/booking/jobs/schemas.ts'
import { getJob as getJobOf } from '../../features/booking/jobs/verbs/jobs.ts'
import { Uuid } from '../../platform/schema/types.ts'
import { defineProTool } from '../server/tool.ts'

const { currency: _, rfqId, ...jobFields } = Job.properties
const { jobId, leadId } = SubjectInput

export const getJob = defineProTool({
  name: 'get_job',
  title: 'Read a job',
  description: 'One job: customer, address, agreed work. Next: prepare_job_spec, list_job_media.',
  access: 'read',
  quotes: 'names and requests',
  input: Type.Object({ jobId: Uuid() }, { additionalProperties: false }),
  output: Type.Object({ job: Type.Object({ ...jobFields, leadId: rfqId }) }),
  call: async (ctx, { jobId }) => {
    const { currency: _usd, rfqId: leadId, ...job } = await getJobOf(ctx, { id: jobId })
    return { job: { ...job, leadId } }
  },
})

export const listJobMedia = defineProTool({
  name: 'list_job_media',
  title: 'List photos',
  description: 'Photos of a job or lead (name one): the customer’s, from the request and from reviews, and yours.',
  access: 'read',
  quotes: 'captions',
  input: Type.Object({ jobId, leadId }, { additionalProperties: false }),
  output: JobMedia,
  call: async (ctx, query) => await listMedia(ctx, query),
})
