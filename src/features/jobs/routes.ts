// /pro/jobs: the pro's work, from agreed to done.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { guard } from '../../http/guard.ts'
import { problems, returns } from '../../http/responses.ts'
import { json } from '../../http/json.ts'
import { IdParams } from '../quotes/schemas.ts'
import { JobAnswer, JobList, JobMove, JobsQuery } from './schemas.ts'
import { getJob, listJobs, moveJob } from './verbs.ts'

const tags = ['Pro jobs']

export const jobRoutes = (deps: Deps) =>
  new Elysia({ name: 'jobs', prefix: '/pro/jobs' })
    .use(guard(deps))
    .get(
      '',
      async function getJobs({ query, caller }) {
        return json(await listJobs(deps, caller, query))
      },
      {
        proKey: 'pro:read',
        query: JobsQuery,
        response: { 200: returns('One page, newest first', JobList) },
        detail: { tags, summary: 'Your jobs' },
      },
    )
    .get(
      '/:id',
      async function getOneJob({ params, caller }) {
        return json({ job: await getJob(deps, caller, params.id) })
      },
      {
        proKey: 'pro:read',
        params: IdParams,
        response: {
          200: returns('The job', JobAnswer),
          ...problems({ 404: 'None of your jobs has this id' }),
        },
        detail: { tags, summary: 'One of your jobs' },
      },
    )
    .post(
      '/:id',
      async function postJobMove({ params, body, caller }) {
        return json({ job: await moveJob(deps, caller, params.id, body) })
      },
      {
        proKey: 'pro:write',
        params: IdParams,
        body: JobMove,
        response: {
          200: returns('The job as it is now', JobAnswer),
          ...problems({
            404: 'None of your jobs has this id',
            409: 'The job is in a state that does not take this action',
          }),
        },
        detail: {
          tags,
          summary: 'Start, complete or cancel a job',
          description: 'What a completed job cost counts in the statistics of prices.',
        },
      },
    )
