/** @jsxImportSource preact */
// /console/credits: agent tasks. A pro sees their own; an operator looks up a pro and adds purchased tasks.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import { Integer } from '../../platform/schema/numbers.ts'
import { Text } from '../../platform/schema/types.ts'
import type { Ctx } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import { AppError, invalidField } from '../../errors/app-error.ts'
import { MAX_TOP_UP, type TaskBalance, type Usage } from '../../features/agents/metering/schemas.ts'
import { addCredits, getBalance, getMeteredPro, getUsage } from '../../features/agents/metering/verbs.ts'
import { guard } from '../../http/guard.ts'
import { type Session, type AuthenticatedRequest, actingProOf } from '../../http/session.ts'
import { redirectWithFlash, renderConsolePage } from '../ui/responses.tsx'
import { submitForm } from '../ui/submit.ts'
import { Chart } from '../ui/metrics.tsx'
import { zoneName } from '../../platform/clock/zones.ts'
import { count, day, endingIn, longDay, plural } from '../../platform/text/format.ts'
import { Time } from '../ui/time.tsx'
import { Disclosure, Button } from '../ui/buttons.tsx'
import { Fields, defineForm } from '../ui/define-form.tsx'
import { type FormState, EMPTY_FORM, Form, formStatus } from '../ui/form.tsx'
import { SearchLine } from './search-form.tsx'
import type { VNode } from 'preact'
import { EmptyState } from '../ui/lists.tsx'
import { DetailList, Table } from '../ui/table.tsx'
import { Metric, Metrics } from '../ui/metrics.tsx'
import { ForThoseWhoMay } from '../ui/permitted.tsx'
import { PageHeading, Section } from '../ui/headings.tsx'

const PATH = '/console/credits'
const CreditsQuery = Type.Object({
  pro: Type.Optional(Text(200)),
  month: Type.Optional(Type.String({ pattern: '^(19|2\\d)\\d\\d-(0[1-9]|1[0-2])$', examples: ['2026-11'] })),
})
const AddForm = defineForm({
  pro: { schema: Text(200, { minLength: 1 }) },
  tasks: { schema: Integer({ minimum: 1, maximum: MAX_TOP_UP }), label: 'Tasks' },
  reference: {
    schema: Text(200, { minLength: 1 }),
    label: 'Reference',
    hint: 'Identifies the purchase, such as an invoice number. Each reference counts once.',
  },
})

export const creditPages = (deps: Deps) =>
  new Elysia({ name: 'credit-pages' })
    .use(guard(deps))
    .get(
      PATH,
      async function getCredits({ ctx, authenticated, query }) {
        return await renderCredits(ctx, authenticated, query)
      },
      { session: ['operator', 'pro'], query: CreditsQuery },
    )
    .post(
      PATH,
      async function postCredits({ ctx, authenticated: by }) {
        return await submitForm(
          AddForm,
          by.form,
          async ({ pro, tasks, reference }) => {
            const { id, businessName } = await getMeteredPro(ctx, { name: pro })
            const { isNew } = await addCredits(ctx, { professionalId: id, tasks, reference, by: by.session.userId })
            if (!isNew) throw invalidField('reference', 'was already used, so no tasks were added')
            const path = `${PATH}?${new URLSearchParams({ pro }).toString()}`
            const text = `Added ${plural(tasks, 'task')} for ${endingIn(businessName)}`
            return redirectWithFlash(ctx, by.session, path, { tone: 'good', text })
          },
          (addState) => renderCredits(ctx, by, { pro: addState.values.get('pro') ?? '' }, addState),
        )
      },
      { session: ['operator'], form: AddForm },
    )

type Query = { pro?: string; month?: string }

async function renderCredits(
  ctx: Ctx,
  by: AuthenticatedRequest,
  query: Query,
  addState = EMPTY_FORM,
): Promise<Response> {
  const title = by.session.role === 'operator' ? 'Agent credits' : 'Agent tasks'
  const content = (
    <>
      <PageHeading>{title}</PageHeading>
      {await contentFor(ctx, by, query, addState)}
    </>
  )
  const assets = { scripts: ['uplot.js', 'chart.js'], styles: ['uplot.css'] } as const
  return renderConsolePage(ctx, by, { title, content, ...assets }, formStatus(addState))
}

async function contentFor(
  ctx: Ctx,
  by: AuthenticatedRequest,
  { pro, month }: Query,
  addState: FormState,
): Promise<VNode> {
  if (by.session.role === 'pro')
    return (
      <>
        {await tasksOf(ctx, { id: actingProOf(by).professionalId }, month)}
        <p class="hint">To buy more tasks or change your plan, write to the people who run this site.</p>
      </>
    )
  const metered = pro ? await findPro(ctx, pro) : undefined
  return (
    <>
      <SearchLine path={PATH} name="pro" label="Pro, by id or slug" text={pro ?? ''} button="Look up" />
      {pro && !metered && <EmptyState title="Pro not found">{`No pro has the id or slug “${pro}”.`}</EmptyState>}
      {metered && (
        <>
          <h2>{metered.businessName}</h2>
          <ForThoseWhoMay session={by.session} post={PATH}>
            <Disclosure label="Add tasks" isOpen={addState !== EMPTY_FORM}>
              {addForm(by.session, metered.slugOrId, addState)}
            </Disclosure>
          </ForThoseWhoMay>
          {await tasksOf(ctx, metered, month)}
        </>
      )}
    </>
  )
}

async function findPro(ctx: Ctx, name: string) {
  try {
    return { ...(await getMeteredPro(ctx, { name })), slugOrId: name }
  } catch (error) {
    if (error instanceof AppError && error.code === 'professional_not_found') return undefined
    throw error
  }
}

const addForm = (session: Session, pro: string, formState: FormState): VNode => (
  <Form of={AddForm} action={PATH} session={session} formState={formState}>
    <input type="hidden" name="pro" value={pro} />
    <div class="side-by-side">
      <Fields of={AddForm} />
    </div>
    <Button isSmall>Add tasks</Button>
  </Form>
)

async function tasksOf(ctx: Ctx, { id, slugOrId }: { id: string; slugOrId?: string }, month?: string): Promise<VNode> {
  const balance = await getBalance(ctx, { professionalId: id })
  const usage = await getUsage(ctx, { professionalId: id, month: month ?? balance.month })
  const link = (to: string) =>
    `${PATH}?${new URLSearchParams({ ...(slugOrId ? { pro: slugOrId } : {}), month: to }).toString()}`
  return (
    <>
      {balanceView(balance)}
      {usageView(usage, link)}
    </>
  )
}

const balanceView = (has: TaskBalance): VNode => (
  <>
    <Metrics>
      {[
        <Metric label="tasks available">{count(has.available)}</Metric>,
        <Metric label="left of this month’s allowance">{`${count(has.allowance.left)} / ${count(has.allowance.granted)}`}</Metric>,
        <Metric label="prepaid">{count(has.prepaid)}</Metric>,
        <Metric label="in progress">{count(has.reserved)}</Metric>,
      ]}
    </Metrics>
    <DetailList
      pairs={[
        ['Plan', has.planName],
        ['Last day of the plan', has.planUntil && longDay(has.planUntil)],
        ['Plan before', has.endedPlan && `${has.endedPlan.name}, which ended on ${longDay(has.endedPlan.until)}`],
        ['Allowance renews', has.nextAllowance > 0 && <Time instant={has.resetsAt} />],
        ['Completed so far', plural(has.spent, 'task')],
      ]}
    />
    {!has.hasAgentServer && has.available > 0 && (
      <p class="notice wait">Assistants cannot use these tasks: the plan does not include the agent server.</p>
    )}
  </>
)

function usageView({ month, timeZone, settled, days }: Usage, link: (month: string) => string): VNode {
  const activeDays = days.filter((it) => it.settled + it.reserved + it.released > 0)
  return (
    <Section title={`Completed in ${month}: ${plural(settled, 'task')}`}>
      <p class="actions">
        <a href={link(addMonths(month, -1))}>← {addMonths(month, -1)}</a>{' '}
        <a href={link(addMonths(month, 1))}>{addMonths(month, 1)} →</a>{' '}
        <span class="hint">Days are in {zoneName(timeZone)}</span>
      </p>
      {activeDays.length > 0 && (
        <Chart
          label="Agent tasks by day"
          days={days.map(({ date }) => date)}
          series={[{ label: 'Completed', values: days.map((it) => it.settled), tone: 'plain' }]}
        />
      )}
      {activeDays.length === 0 ? (
        <EmptyState title="No tasks in this month">Agent runs, threads and drafts use tasks.</EmptyState>
      ) : (
        <Table
          caption="Agent tasks by day"
          columns={['Day', 'Completed', 'By kind', 'In progress', 'Not charged']}
          rows={activeDays
            .toReversed()
            .map((it) => [
              day(it.date),
              count(it.settled),
              Object.entries(it.byKind).map(([kind, tasks]) => `${kind} ${tasks} `),
              count(it.reserved),
              count(it.released),
            ])}
        />
      )}
    </Section>
  )
}

/** `2026-11` plus 1 is `2026-12`. */
function addMonths(month: string, months: number): string {
  const date = new Date(`${month}-01T00:00:00Z`)
  date.setUTCMonth(date.getUTCMonth() + months)
  return date.toISOString().slice(0, 7)
}
