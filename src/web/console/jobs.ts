// /console/jobs: the work of accepted quotes, which a pro starts, completes or cancels.
import { Elysia } from 'elysia'

import type { Ctx } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import { type Job, JobProgress, JobsQuery } from '../../features/booking/jobs/schemas.ts'
import { JOB, type JobAction } from '../../features/booking/jobs/states.ts'
import { getJob, listJobs } from '../../features/booking/jobs/verbs/jobs.ts'
import { progressJob } from '../../features/booking/jobs/verbs/progress-job.ts'
import { IdParams } from '../../features/quoting/quotes/schemas.ts'
import { addressText } from '../../features/booking/bookings/texts.ts'
import { guard } from '../../http/guard.ts'
import { type AuthenticatedRequest, type Session, actingProOf } from '../../http/session.ts'
import { balanceText, depositPaymentText } from '../../payments/texts.ts'
import { longDay, money, shortMoney } from '../../platform/text/format.ts'
import { type Html, html } from '../../platform/text/html.ts'
import {
  type FormState,
  EMPTY_FORM,
  actionButton,
  actionForm,
  formStatus,
  problemBox,
  textArea,
  textField,
} from '../ui/forms.ts'
import { emailLink, mapLink, phoneLink } from '../ui/links.ts'
import {
  type Tone,
  backLink,
  badge,
  buttonRow,
  detailList,
  emptyState,
  pageHeading,
  pager,
  table,
  tabs,
} from '../ui/parts.ts'
import { redirectWithFlash, renderConsolePage } from '../ui/responses.ts'
import { submitForm } from '../ui/submit.ts'

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

export const jobPages = (deps: Deps) =>
  new Elysia({ name: 'job-pages' })
    .use(guard(deps))
    .get(
      PATH,
      async function getJobsPage({ ctx, authenticated: by, query }) {
        const { jobs, meta } = await listJobs(ctx.as(actingProOf(by)), query)
        const chosen = query.status ?? ''
        const content = html`
          ${pageHeading('Jobs')}
          <p class="lead">Work from quotes that customers accepted.</p>
          ${tabs('Jobs by status', { path: PATH, parameter: 'status', chosen }, [
            { value: '', label: 'All' },
            ...Object.entries(STATES).map(([value, { label }]) => ({ value, label })),
          ])}
          ${
            jobs.length === 0
              ? emptyState(
                  'No jobs here',
                  html`A job begins when a customer accepts your quote. <a href="/console/leads">Leads</a>`,
                )
              : table('Jobs', ['Job', 'Customer', 'Amount', 'Accepted', 'Status'], jobs.map(rowOf))
          }
          ${pager(PATH, meta, chosen === '' ? {} : { status: chosen })}
        `
        return renderConsolePage(ctx, by, { title: 'Jobs', content, styles })
      },
      { session, query: JobsQuery },
    )
    .get(
      `${PATH}/:id`,
      async function getJobPage({ ctx, authenticated: by, params: { id } }) {
        return await renderJob(ctx, by, id)
      },
      { session, params: IdParams },
    )
    .post(
      `${PATH}/:id`,
      async function postJobProgress({ ctx, authenticated: by, params: { id } }) {
        return await submitForm(
          JobProgress,
          by.form,
          async (input) => {
            await progressJob(ctx.as(actingProOf(by)), { id, progress: input })
            return redirectWithFlash(ctx, by.session, `${PATH}/${id}`, { tone: 'good', text: DONE[input.action] })
          },
          (formState) => renderJob(ctx, by, id, formState),
        )
      },
      { session, params: IdParams, form: JobProgress },
    )

const titleOf = ({ service }: Job) => service?.name ?? 'Job'

const stateOf = ({ status }: Job) => badge(STATES[status].label, STATES[status].tone)

const rowOf = (job: Job) => [
  html`<div><a href="${PATH}/${job.id}">${titleOf(job)}</a></div>`,
  job.customer?.name ?? '–',
  shortMoney(job.amount, job.currency),
  longDay(job.createdAt),
  html`<div>${stateOf(job)}</div>`,
]

async function renderJob(ctx: Ctx, by: AuthenticatedRequest, id: string, formState = EMPTY_FORM): Promise<Response> {
  const job = await getJob(ctx.as(actingProOf(by)), { id })
  const address = addressText(job.address)
  const at = (instant: string | null) => instant !== null && longDay(instant)
  const content = html`
    ${backLink('Jobs', PATH)} ${pageHeading(titleOf(job), stateOf(job))} ${problemBox(formState)}
    ${actionsOf(by.session, job, formState)}
    ${detailList([
      ['Customer', job.customer && html`${job.customer.name}, ${emailLink(job.customer.email)}`],
      ['Phone', job.customer?.phone && phoneLink(job.customer.phone)],
      ['Address', address !== '' && mapLink(address)],
      ['Amount', shortMoney(job.amount, job.currency)],
      ['Deposit', job.payment && depositPaymentText(job)],
      ['Paid and due', balanceText(job.balance)],
      ['The job', job.description && html`<span class="text">${job.description}</span>`],
      ['Request', job.rfqId && html`<a href="/console/leads/${job.rfqId}">The request and your quotes</a>`],
      ['Accepted', at(job.createdAt)],
      ['Started', at(job.startedAt)],
      ['Completed', at(job.completedAt)],
      [
        'Cancelled',
        job.cancelledAt &&
          `${longDay(job.cancelledAt)}${job.cancelledBy === 'customer' ? ', by the customer' : ''}. ${job.cancellationReason ?? ''}`,
      ],
    ])}
  `
  return renderConsolePage(ctx, by, { title: titleOf(job), content, styles }, formStatus(formState))
}

function actionsOf(session: Session, job: Job, formState: FormState): Html {
  const path = `${PATH}/${job.id}`
  const form = (action: JobAction, label: string, fields: (state: FormState) => Html) =>
    action in JOB[job.status] && actionForm(session, { path, action, label, fields, formState })
  return buttonRow(html`
    ${'start' in JOB[job.status] && actionButton(session, { action: path, label: 'Start', tone: 'plain', fields: { action: 'start' } })}
    ${form(
      'complete',
      'Complete',
      (state) => html`
        ${textField({ name: 'finalAmount', label: 'Final amount, US dollars', type: 'number', min: 0.01, step: 0.01, isOptional: true, hint: `Leave empty if it is ${shortMoney(job.amount, job.currency)}.`, formState: state })}
        <button class="small">Complete job</button>
      `,
    )}
    ${form(
      'cancel',
      'Cancel',
      (state) => html`
        <p>
          ${job.balance.refundable > 0 ? `${money(job.balance.refundable, job.balance.currency)} goes back to the customer.` : 'Nothing is left to refund.'}
        </p>
        ${textArea({ name: 'reason', label: 'Why you cancel it', isOptional: true, maxLength: 5000, formState: state })}
        <button class="small danger">Cancel job</button>
      `,
    )}
  `)
}
