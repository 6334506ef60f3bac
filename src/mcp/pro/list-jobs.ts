// list_jobs: GET /pro/jobs for a model.
import { type Static, Type } from '@sinclair/typebox'

import { Job, JobsQuery } from '../../features/jobs/schemas.ts'
import { listJobs as listJobsOf } from '../../features/jobs/verbs.ts'
import { PageMeta } from '../../platform/schema/paging.ts'
import { nextPage, page, withDefaultLimit } from '../server/results.ts'
import { defineProTool } from '../server/tool.ts'

const { id, status, amount, service, createdAt, startedAt, completedAt } = Job.properties
const BriefJob = Type.Object({
  id,
  status,
  amount,
  service,
  customerName: Type.Union([Type.String(), Type.Null()]),
  createdAt,
  startedAt,
  completedAt,
})

export const listJobs = defineProTool({
  name: 'list_jobs',
  title: 'List jobs',
  description: 'Work that customers agreed to, newest first. Next: get_job.',
  access: 'read',
  input: Type.Object({ status: JobsQuery.properties.status, ...page }, { additionalProperties: false }),
  output: Type.Object({ jobs: Type.Array(BriefJob), meta: PageMeta }),
  call: async (deps, pro, query) => {
    const { jobs, meta } = await listJobsOf(deps, pro, withDefaultLimit(query))
    return { jobs: jobs.map(brief), meta }
  },
  next: ({ meta }) => nextPage(meta),
})

const brief = (job: Job): Static<typeof BriefJob> => ({
  id: job.id,
  status: job.status,
  amount: job.amount,
  service: job.service,
  customerName: job.customer?.name ?? null,
  createdAt: job.createdAt,
  startedAt: job.startedAt,
  completedAt: job.completedAt,
})
