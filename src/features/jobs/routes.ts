// /pro/jobs: the pro's work, from agreed to done.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { proKey } from '../../auth/access.ts'
import { guard } from '../../http/guard.ts'
import { json } from '../../http/json.ts'
import { proOf } from '../../auth/pro-caller.ts'
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
        return json(await listJobs(deps, proOf(caller), query))
      },
      {
        access: proKey('pro:read'),
        query: JobsQuery,
        answers: { 200: { description: 'One page, newest first', schema: JobList } },
        detail: { tags, summary: 'Your jobs' },
      },
    )
    .get(
      '/:id',
      async function getOneJob({ params, caller }) {
        return json({ job: await getJob(deps, proOf(caller), params.id) })
      },
      {
        access: proKey('pro:read'),
        params: IdParams,
        answers: {
          200: { description: 'The job', schema: JobAnswer },
          404: { description: 'None of your jobs has this id' },
        },
        detail: { tags, summary: 'One of your jobs' },
      },
    )
    .post(
      '/:id',
      async function postJobMove({ params, body, caller }) {
        return json({ job: await moveJob(deps, proOf(caller), params.id, body) })
      },
      {
        access: proKey('pro:write'),
        params: IdParams,
        body: JobMove,
        answers: {
          200: { description: 'The job as it is now', schema: JobAnswer },
          404: { description: 'None of your jobs has this id' },
          409: { description: 'The job is in a state that does not take this action' },
        },
        detail: {
          tags,
          summary: 'Start, complete or cancel a job',
          description: 'What a completed job cost counts in the statistics of prices.',
        },
      },
    )
