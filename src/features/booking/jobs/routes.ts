// The /pro/jobs routes.
import { Elysia } from 'elysia'

import type { Deps } from '../../../deps.ts'
import { guard } from '../../../http/guard.ts'
import { problems, returns } from '../../../http/responses.ts'
import { IdParams } from '../../quoting/quotes/schemas.ts'
import { JobAnswer, JobList, JobPhotos, JobProgress, JobsQuery, NewJobPhotos } from './schemas.ts'
import { getJob, listJobs } from './verbs/jobs.ts'
import { addJobPhotos, listJobPhotos } from './verbs/photos.ts'
import { progressJob } from './verbs/progress-job.ts'

const tags = ['Pro jobs']
const NO_JOB = 'You have no job with this id'

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
    .get(
      '/:id/photos',
      async function getJobPhotos({ ctx, params }) {
        return { photos: await listJobPhotos(ctx, { id: params.id }) }
      },
      {
        proKey: 'pro:read',
        params: IdParams,
        response: {
          200: returns('Your photos of the job, oldest first, also those that are not ready', JobPhotos),
          ...problems({ 404: NO_JOB }),
        },
        detail: { tags, summary: 'List your photos of a job' },
      },
    )
    .post(
      '/:id/photos',
      async function postJobPhotos({ ctx, params, body }) {
        return { photos: await addJobPhotos(ctx, { id: params.id, photos: body.photos }) }
      },
      {
        proKey: 'pro:write',
        idempotent: true,
        params: IdParams,
        body: NewJobPhotos,
        response: { 200: returns('All of your photos of the job', JobPhotos), ...problems({ 404: NO_JOB }) },
        detail: {
          tags,
          summary: 'Add photos to a job',
          description: 'Names files that were uploaded for `job`, by their `url`.',
        },
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
