// list_jobs: GET /pro/jobs for a model.
import { Type } from '@sinclair/typebox'

import { Job, JobsQuery } from '../../features/booking/jobs/schemas.ts'
import { listJobs as listJobsOf } from '../../features/booking/jobs/verbs/jobs.ts'
import { PageMeta } from '../../platform/schema/paging.ts'
import { nextPage, page, pick, withDefaultLimit } from '../server/results.ts'
import { defineProTool } from '../server/tool.ts'

const { id, status, amount, service, localTime, createdAt, startedAt, completedAt } = Job.properties
const BriefJob = Type.Object({
  id,
  status,
  amount,
  service,
  customerName: Type.Union([Type.String(), Type.Null()]),
  localTime,
  createdAt,
  startedAt,
  completedAt,
})

export const listJobs = defineProTool({
  name: 'list_jobs',
  title: 'List jobs',
  description: 'Your jobs, newest first: work that customers agreed to. Next: get_job.',
  access: 'read',
  quotes: 'names',
  input: Type.Object({ status: JobsQuery.properties.status, ...page }, { additionalProperties: false }),
  output: Type.Object({ jobs: Type.Array(BriefJob), meta: PageMeta }),
  call: async (ctx, query) => {
    const { jobs, meta } = await listJobsOf(ctx, withDefaultLimit(query))
    return { jobs: jobs.map((job) => pick(BriefJob, { ...job, customerName: job.customer?.name ?? null })), meta }
  },
  next: ({ meta }) => nextPage(meta),
})
