// list_job_media: photos of a request, and of what became of it.
import { Type } from '@sinclair/typebox'

import { listJobMedia as listMedia } from '../../features/drafts/verbs/media.ts'
import { JobMedia, SubjectInput } from '../../features/drafts/schemas.ts'
import { defineProTool } from '../server/tool.ts'

const { jobId, leadId } = SubjectInput

export const listJobMedia = defineProTool({
  name: 'list_job_media',
  title: 'List photos',
  description: 'Photos of a job or lead (name one): the customer’s, from the request and from reviews.',
  access: 'read',
  input: Type.Object({ jobId, leadId }, { additionalProperties: false }),
  output: JobMedia,
  call: async (deps, pro, query) => await listMedia(deps, pro, query),
})
