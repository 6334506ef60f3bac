/** @jsxImportSource preact */
// /console/jobs: the work of accepted quotes, which a pro starts, completes or cancels.
import { Elysia } from 'elysia'

import type { Ctx } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import { type Permitted, mayOpen, mayPost } from '../../auth/users/rules/permissions.ts'
import { type Job, JobProgress, JobsQuery } from '../../features/booking/jobs/schemas.ts'
import { JOB, type JobAction } from '../../features/booking/jobs/states.ts'
import { getJob, listJobs } from '../../features/booking/jobs/verbs/jobs.ts'
import { progressJob } from '../../features/booking/jobs/verbs/progress-job.ts'
import { listJobFiles } from '../../features/files/files/verbs/photos.ts'
import { IdParams } from '../../features/quoting/quotes/schemas.ts'
import { addressText } from '../../features/booking/bookings/texts.ts'
import { guard } from '../../http/guard.ts'
import { type AuthenticatedRequest, type Session, actingProOf } from '../../http/session.ts'
import { balanceText, depositPaymentText } from '../../payments/texts.ts'
import { longDay, money, shortMoney } from '../../platform/text/format.ts'
import type { VNode } from 'preact'
import { type FormState, EMPTY_FORM, ActionButton, ActionForm, formStatus, ProblemBox } from '../ui/form.tsx'
import { Fields, defineForm } from '../ui/define-form.tsx'
import { EmailLink, MapLink, PhoneLink } from '../ui/links.tsx'
import { type Tone, Badge } from '../ui/badge.tsx'
import { BackLink, PageHeading } from '../ui/headings.tsx'
import { ButtonRow, Button } from '../ui/buttons.tsx'
import { DetailList, Table } from '../ui/table.tsx'
import { EmptyState, Pager, Tabs } from '../ui/lists.tsx'
import { pictureSources } from '../ui/pictures.tsx'
import { redirectWithFlash, renderConsolePage } from '../ui/responses.tsx'
import { submitForm } from '../ui/submit.ts'
import { receivePageForm, submitReceivedForm } from '../ui/uploads.ts'
import { BOOKINGS_PATH, VISIT_STATES } from './bookings/visit.tsx'
import { JOB_PHOTO_FIELDS, JobPhotosForm, addUploadedPhotos, jobPhotos } from './job-photos.tsx'

const PATH = '/console/jobs'
const session = ['pro'] as const
const styles = ['console.css'] as const

const STATES: Record<Job['status'], { label: string; tone: Tone }> = {
  scheduled: { label: 'To do', tone: 'wait' },
  in_progress: { label: 'In progress', tone: 'good' },
  completed: { label: 'Completed', tone: 'plain' },
  cancelled: { label: 'Cancelled', tone: 'bad' },
}

const DONE: Record<JobAction, string> = {
  start: 'The job is in progress.',
  complete: 'The job is completed. The customer can review it now.',
  cancel: 'The job is cancelled. A deposit that was paid is refunded.',
}

const { action, finalAmount, reason } = JobProgress.properties
const JobForm = defineForm({
  action: { schema: action },
  finalAmount: { schema: finalAmount, label: 'Final amount, US dollars' },
  reason: { schema: reason, label: 'Why you cancel it', rows: 3 },
})

export const jobPages = (deps: Deps) =>
  new Elysia({ name: 'job-pages' })
    .use(guard(deps))
    .get(
      PATH,
      async function getJobsPage({ ctx, authenticated: by, query }) {
        const { jobs, meta } = await listJobs(ctx.as(actingProOf(by)), query)
        const content = jobsView(by.session, { jobs, meta, chosen: query.status ?? '' })
        return renderConsolePage(ctx, by, { title: 'Jobs', content, styles })
      },
      { session, query: JobsQuery },
    )
    .get(
      `${PATH}/:id`,
      async function getJobPage({ ctx, authenticated: by, params: { id } }) {
        return await renderJob(ctx, by, { id })
      },
      { session, params: IdParams },
    )
    .post(
      `${PATH}/:id`,
      async function postJobProgress({ ctx, authenticated: by, params: { id } }) {
        return await submitForm(
          JobForm,
          by.form,
          async (input) => {
            await progressJob(ctx.as(actingProOf(by)), { id, progress: input })
            return redirectWithFlash(ctx, by.session, `${PATH}/${id}`, { tone: 'good', text: DONE[input.action] })
          },
          (formState) => renderJob(ctx, by, { id, formState }),
        )
      },
      { session, params: IdParams, form: JobForm },
    )
    .post(
      `${PATH}/:id/photos`,
      async function postJobPhotosForm({ ctx, authenticated: by, params: { id } }) {
        const pro = ctx.as(actingProOf(by))
        return await submitReceivedForm(
          JobPhotosForm,
          await receivePageForm(pro, by.request, JOB_PHOTO_FIELDS),
          async ({ photos }) => {
            await addUploadedPhotos(pro, { id, photos })
            const text = 'Your photos are added. New ones are shown within seconds.'
            return redirectWithFlash(ctx, by.session, `${PATH}/${id}`, { tone: 'good', text })
          },
          (photosForm) => renderJob(ctx, by, { id, photosForm }),
        )
      },
      { session, params: IdParams, form: JobPhotosForm, upload: JobPhotosForm },
    )

const jobsView = (
  session: Permitted,
  { jobs, meta, chosen }: Awaited<ReturnType<typeof listJobs>> & { chosen: string },
): VNode => (
  <>
    <PageHeading>Jobs</PageHeading>
    <p class="lead">Work from quotes that customers accepted.</p>
    <Tabs
      label="Jobs by status"
      path={PATH}
      parameter="status"
      chosen={chosen}
      choices={[{ value: '', label: 'All' }, ...Object.entries(STATES).map(([value, { label }]) => ({ value, label }))]}
    />
    {jobs.length === 0 ? (
      <EmptyState title="No jobs here">
        A job begins when a customer accepts your quote.{' '}
        {mayOpen(session, '/console/leads') && <a href="/console/leads">Leads</a>}
      </EmptyState>
    ) : (
      <Table caption="Jobs" columns={['Job', 'Customer', 'Amount', 'Accepted', 'Status']} rows={jobs.map(rowOf)} />
    )}
    <Pager path={PATH} meta={meta} query={chosen === '' ? {} : { status: chosen }} />
  </>
)

const titleOf = ({ service }: Job) => service?.name ?? 'Job'

const stateOf = ({ status }: Job) => <Badge tone={STATES[status].tone}>{STATES[status].label}</Badge>

const rowOf = (job: Job) => [
  <div>
    <a href={`${PATH}/${job.id}`}>{titleOf(job)}</a>
  </div>,
  job.customer?.name ?? '–',
  shortMoney(job.amount, job.currency),
  longDay(job.createdAt),
  <div>{stateOf(job)}</div>,
]

interface ShownJob {
  id: string
  /** Of starting, completing or cancelling it. */
  formState?: FormState
  photosForm?: FormState
}

async function renderJob(
  ctx: Ctx,
  by: AuthenticatedRequest,
  { id, formState = EMPTY_FORM, photosForm = EMPTY_FORM }: ShownJob,
): Promise<Response> {
  const pro = ctx.as(actingProOf(by))
  const [job, photos] = await Promise.all([getJob(pro, { id }), listJobFiles(pro, { jobId: id })])
  const address = addressText(job.address)
  const at = (instant: string | null) => instant !== null && longDay(instant)
  const content = (
    <>
      <BackLink href={PATH}>Jobs</BackLink>
      <PageHeading beside={stateOf(job)}>{titleOf(job)}</PageHeading>
      <ProblemBox formState={formState} />
      {mayPost(by.session, `${PATH}/${id}`) && waitingText(job, ctx.clock.now())}
      {actionsOf(by.session, { job, formState, now: ctx.clock.now() })}
      <DetailList
        pairs={[
          [
            'Customer',
            job.customer && (
              <>
                {job.customer.name}, <EmailLink address={job.customer.email} />
              </>
            ),
          ],
          ['Phone', job.customer?.phone && <PhoneLink phone={job.customer.phone} />],
          ['Address', address !== '' && <MapLink address={address} />],
          ['Amount', shortMoney(job.amount, job.currency)],
          ['Deposit', job.payment && depositPaymentText(job)],
          ['Paid and due', balanceText(job.balance)],
          ['Visits', job.visits.length > 0 && <Visits visits={job.visits} />],
          ['The job', job.description && <span class="text">{job.description}</span>],
          [
            'Request',
            job.rfqId && mayOpen(by.session, `/console/leads/${job.rfqId}`) && (
              <a href={`/console/leads/${job.rfqId}`}>The request and your quotes</a>
            ),
          ],
          ['Accepted', at(job.createdAt)],
          ['Started', at(job.startedAt)],
          ['Completed', at(job.completedAt)],
          [
            'Cancelled',
            job.cancelledAt &&
              `${longDay(job.cancelledAt)}${job.cancelledBy === 'customer' ? ', by the customer' : ''}. ${job.cancellationReason ?? ''}`,
          ],
        ]}
      />
      {jobPhotos(by.session, { path: `${PATH}/${id}`, photos, formState: photosForm, now: ctx.clock.now() })}
    </>
  )
  const status = formStatus(photosForm === EMPTY_FORM ? formState : photosForm)
  return renderConsolePage(
    ctx,
    by,
    { title: titleOf(job), content, styles, scripts: mayPost(by.session, '/console/files') ? ['upload.js'] : [] },
    { ...status, sources: pictureSources(ctx.config) },
  )
}

const Visits = ({ visits }: Pick<Job, 'visits'>): VNode => (
  <ul>
    {visits.map(({ id, localTime, status }) => (
      <li>
        <a href={`${BOOKINGS_PATH}/${id}`}>{localTime}</a>, {VISIT_STATES[status].label.toLowerCase()}
      </li>
    ))}
  </ul>
)

/** The open visit that has not begun: the work begins and ends no sooner. */
const visitAhead = ({ visits }: Job, now: Date) =>
  visits.find(
    ({ status, startDateTime }) =>
      (status === 'pending' || status === 'confirmed') && Date.parse(startDateTime) > now.getTime(),
  )

function waitingText(job: Job, now: Date): VNode | undefined {
  const visit = visitAhead(job, now)
  return visit && <p class="lead">The next visit is on {visit.localTime}. You can complete the job from then on.</p>
}

interface Actions {
  job: Job
  formState: FormState
  now: Date
}

function actionsOf(session: Session, { job, formState, now }: Actions): VNode {
  const path = `${PATH}/${job.id}`
  const allows = (action: JobAction) =>
    action in JOB[job.status] && (action === 'cancel' || visitAhead(job, now) === undefined)
  const form = (action: JobAction, label: string, fields: VNode) =>
    allows(action) && (
      <ActionForm of={JobForm} session={session} path={path} action={action} label={label} formState={formState}>
        {fields}
      </ActionForm>
    )
  return (
    <ButtonRow>
      {allows('start') && (
        <ActionButton session={session} action={path} label="Start" look="plain" fields={{ action: 'start' }} />
      )}
      {form(
        'complete',
        'Complete',
        <>
          <Fields
            of={JobForm}
            names={['finalAmount']}
            more={{ finalAmount: { hint: `Leave empty if it is ${shortMoney(job.amount, job.currency)}.` } }}
          />
          <Button isSmall>Complete job</Button>
        </>,
      )}
      {form(
        'cancel',
        'Cancel',
        <>
          <p>
            {job.balance.refundable > 0
              ? `${money(job.balance.refundable, job.balance.currency)} goes back to the customer.`
              : 'Nothing is left to refund.'}
          </p>
          <Fields of={JobForm} names={['reason']} />
          <Button look="danger" isSmall>
            Cancel job
          </Button>
        </>,
      )}
    </ButtonRow>
  )
}
