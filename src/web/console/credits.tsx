/** @jsxImportSource preact */
// /console/credits: agent tasks. A pro sees their own; an operator looks up a pro and adds purchased tasks.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import { Integer } from '../../platform/schema/numbers.ts'
import { Text } from '../../platform/schema/types.ts'
import type { Ctx } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors/app-error.ts'
import { MAX_TOP_UP, type TaskBalance, type Usage } from '../../features/agents/metering/schemas.ts'
import { addCredits, getBalance, getMeteredPro, getUsage } from '../../features/agents/metering/verbs.ts'
import { guard } from '../../http/guard.ts'
import { type Session, type AuthenticatedRequest, actingProOf } from '../../http/session.ts'
import { renderConsolePage } from '../ui/responses.tsx'
import { runFormAction } from '../ui/submit.ts'
import { Chart } from '../ui/metrics.tsx'
import { zoneName } from '../../platform/clock/zones.ts'
import { count, day, plural } from '../../platform/text/format.ts'
import { Time } from '../ui/time.tsx'
import { Disclosure, Button } from '../ui/buttons.tsx'
import { Form } from '../ui/form.tsx'
import { TextField } from '../ui/fields.tsx'
import type { VNode } from 'preact'
import { EmptyState } from '../ui/lists.tsx'
import { DetailList, Table } from '../ui/table.tsx'
import { Metric, Metrics } from '../ui/metrics.tsx'
import { PageHeading, Section } from '../ui/headings.tsx'

const PATH = '/console/credits'
const CreditsQuery = Type.Object({
  pro: Type.Optional(Text(200)),
  month: Type.Optional(Type.String({ pattern: '^(19|2\\d)\\d\\d-(0[1-9]|1[0-2])$', examples: ['2026-11'] })),
})
const AddForm = Type.Object({
  pro: Text(200, { minLength: 1 }),
  tasks: Integer({ minimum: 1, maximum: MAX_TOP_UP }),
  reference: Text(200, { minLength: 1 }),
})

export const creditPages = (deps: Deps) =>
  new Elysia({ name: 'credit-pages' })
    .use(guard(deps))
    .get(
      PATH,
      async function getCredits({ ctx, authenticated: by, query }) {
        const title = by.session.role === 'operator' ? 'Agent credits' : 'Agent tasks'
        const content = (
          <>
            <PageHeading>{title}</PageHeading>
            {await contentFor(ctx, by, query)}
          </>
        )
        return renderConsolePage(ctx, by, { title, content, scripts: ['uplot.js', 'chart.js'], styles: ['uplot.css'] })
      },
      { session: ['operator', 'pro'], query: CreditsQuery },
    )
    .post(
      PATH,
      async function postCredits({ ctx, authenticated: by }) {
        const path = `${PATH}?${new URLSearchParams({ pro: by.form.get('pro') ?? '' }).toString()}`
        return await runFormAction(ctx, by, path, AddForm, async ({ pro, tasks, reference }) => {
          const { id, businessName } = await getMeteredPro(ctx, { name: pro })
          const { isNew } = await addCredits(ctx, { professionalId: id, tasks, reference })
          return isNew
            ? `Added ${plural(tasks, 'task')} for ${businessName}.`
            : { tone: 'bad', text: `No tasks added: the reference “${reference}” was already used.` }
        })
      },
      { session: ['operator'], form: AddForm },
    )

type Query = { pro?: string; month?: string }

async function contentFor(ctx: Ctx, by: AuthenticatedRequest, { pro, month }: Query): Promise<VNode> {
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
      <form method="get" action={PATH} class="line" role="search">
        <TextField name="pro" label="Pro, by id or slug" value={pro ?? ''} maxLength={200} />
        <Button>Look up</Button>
      </form>
      {pro && !metered && <EmptyState title="Pro not found">{`No pro has the id or slug “${pro}”.`}</EmptyState>}
      {metered && (
        <>
          <h2>{metered.businessName}</h2>
          <Disclosure label="Add tasks">{addForm(by.session, metered.slugOrId)}</Disclosure>
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

const addForm = (session: Session, pro: string): VNode => (
  <Form action={PATH} session={session}>
    <input type="hidden" name="pro" value={pro} />
    <div class="side-by-side">
      <TextField name="tasks" label="Tasks" type="number" min={1} max={MAX_TOP_UP} />
      <TextField
        name="reference"
        label="Reference"
        hint="Identifies the purchase, such as an invoice number. Each reference counts once."
        maxLength={200}
      />
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
        ['Plan', has.plan],
        ['Allowance renews', <Time instant={has.resetsAt} />],
        ['Completed so far', plural(has.spent, 'task')],
      ]}
    />
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
