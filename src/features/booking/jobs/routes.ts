// The /pro/jobs routes.
import { Elysia } from 'elysia'

import type { Deps } from '../../../deps.ts'
import { guard } from '../../../http/guard.ts'
import { problems, returns } from '../../../http/responses.ts'
import { IdParams } from '../../quoting/quotes/schemas.ts'
import { JobAnswer, JobList, JobProgress, JobsQuery } from './schemas.ts'
import { getJob, listJobs } from './verbs/jobs.ts'
import { progressJob } from './verbs/progress-job.ts'

const tags = ['Pro jobs']

export const jobRoutes = (deps: Deps) =>
  new Elysia({ name: 'jobs', prefix: '/pro/jobs' })
    .use(guard(deps))
    .get(
      '',
      async function getJobs({ ctx, query }) {
        return await listJobs(ctx, query)
      },
      {
        proKey: 'pro:read',
        query: JobsQuery,
        response: { 200: returns('One page, newest first', JobList) },
        detail: { tags, summary: 'List your jobs' },
      },
    )
    .get(
      '/:id',
      async function getOneJob({ ctx, params }) {
        return { job: await getJob(ctx, { id: params.id }) }
      },
      {
        proKey: 'pro:read',
        params: IdParams,
        response: {
          200: returns('The job', JobAnswer),
          ...problems({ 404: 'You have no job with this id' }),
        },
        detail: { tags, summary: 'Get one of your jobs' },
      },
    )
    .post(
      '/:id',
      async function postJobMove({ ctx, params, body }) {
        return { job: await progressJob(ctx, { id: params.id, progress: body }) }
      },
      {
        proKey: 'pro:write',
        idempotent: true,
        params: IdParams,
        body: JobProgress,
        response: {
          200: returns('The job after the action', JobAnswer),
          ...problems({
            404: 'You have no job with this id',
            409: 'The state of the job does not allow this action',
          }),
        },
        detail: {
          tags,
          summary: 'Start, complete or cancel a job',
          description:
            'The final amount of a completed job counts in the price statistics. Cancelling refunds the deposit of its quote.',
        },
      },
    )
