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
import { renderConsolePage } from '../ui/responses.ts'
import { runFormAction } from '../ui/submit.ts'
import { chart } from '../ui/parts.ts'
import { zoneName } from '../../platform/clock/zones.ts'
import { count, dateTime, day, plural } from '../../platform/text/format.ts'
import { disclosure, csrfField, textField } from '../ui/forms.ts'
import { type Html, html } from '../../platform/text/html.ts'
import { emptyState, detailList, metric, metrics, pageHeading, section, table } from '../ui/parts.ts'

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
        const content = html`${pageHeading(title)} ${await contentFor(ctx, by, query)}`
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

async function contentFor(ctx: Ctx, by: AuthenticatedRequest, { pro, month }: Query): Promise<Html> {
  if (by.session.role === 'pro')
    return html`${await tasksOf(ctx, { id: actingProOf(by).professionalId }, month)}
      <p class="hint">To buy more tasks or change your plan, write to the people who run this site.</p>`
  const metered = pro ? await findPro(ctx, pro) : undefined
  return html`
    <form method="get" action="${PATH}" class="line" role="search">
      ${textField({ name: 'pro', label: 'Pro, by id or slug', value: pro ?? '', maxLength: 200 })}
      <button>Look up</button>
    </form>
    ${pro && !metered && emptyState('Pro not found', `No pro has the id or slug “${pro}”.`)}
    ${
      metered &&
      html`<h2>${metered.businessName}</h2>
        ${disclosure('Add tasks', addForm(by.session, metered.slugOrId))} ${await tasksOf(ctx, metered, month)}`
    }
  `
}

async function findPro(ctx: Ctx, name: string) {
  try {
    return { ...(await getMeteredPro(ctx, { name })), slugOrId: name }
  } catch (error) {
    if (error instanceof AppError && error.code === 'professional_not_found') return undefined
    throw error
  }
}

const addForm = (session: Session, pro: string): Html =>
  html`<form method="post" action="${PATH}">
    ${csrfField(session)}
    <input type="hidden" name="pro" value="${pro}" />
    <div class="side-by-side">
      ${textField({ name: 'tasks', label: 'Tasks', type: 'number', min: 1, max: MAX_TOP_UP })}
      ${textField({ name: 'reference', label: 'Reference', hint: 'Identifies the purchase, such as an invoice number. Each reference counts once.', maxLength: 200 })}
    </div>
    <button class="small">Add tasks</button>
  </form>`

async function tasksOf(ctx: Ctx, { id, slugOrId }: { id: string; slugOrId?: string }, month?: string): Promise<Html> {
  const balance = await getBalance(ctx, { professionalId: id })
  const usage = await getUsage(ctx, { professionalId: id, month: month ?? balance.month })
  const link = (to: string) =>
    `${PATH}?${new URLSearchParams({ ...(slugOrId ? { pro: slugOrId } : {}), month: to }).toString()}`
  return html`${balanceView(balance)} ${usageView(usage, link)}`
}

const balanceView = (has: TaskBalance): Html => html`
  ${metrics([
    metric('tasks available', count(has.available)),
    metric('left of this month’s allowance', `${count(has.allowance.left)} / ${count(has.allowance.granted)}`),
    metric('prepaid', count(has.prepaid)),
    metric('in progress', count(has.reserved)),
  ])}
  ${detailList([
    ['Plan', has.plan],
    ['Allowance renews', dateTime(has.resetsAt)],
    ['Completed so far', plural(has.spent, 'task')],
  ])}
`

function usageView({ month, timeZone, settled, days }: Usage, link: (month: string) => string): Html {
  const activeDays = days.filter((it) => it.settled + it.reserved + it.released > 0)
  return section(
    `Completed in ${month}: ${plural(settled, 'task')}`,
    html`
      <p class="actions">
        <a href="${link(addMonths(month, -1))}">← ${addMonths(month, -1)}</a>
        <a href="${link(addMonths(month, 1))}">${addMonths(month, 1)} →</a>
        <span class="hint">Days are in ${zoneName(timeZone)}</span>
      </p>
      ${
        activeDays.length > 0 &&
        chart(
          'Agent tasks by day',
          days.map(({ date }) => date),
          [{ label: 'Completed', values: days.map((it) => it.settled), tone: 'plain' }],
        )
      }
      ${
        activeDays.length === 0
          ? emptyState('No tasks in this month', 'Agent runs, threads and drafts use tasks.')
          : table(
              'Agent tasks by day',
              ['Day', 'Completed', 'By kind', 'In progress', 'Not charged'],
              activeDays
                .toReversed()
                .map((it) => [
                  day(it.date),
                  count(it.settled),
                  Object.entries(it.byKind).map(([kind, tasks]) => `${kind} ${tasks} `),
                  count(it.reserved),
                  count(it.released),
                ]),
            )
      }
    `,
  )
}

/** `2026-11` plus 1 is `2026-12`. */
function addMonths(month: string, months: number): string {
  const date = new Date(`${month}-01T00:00:00Z`)
  date.setUTCMonth(date.getUTCMonth() + months)
  return date.toISOString().slice(0, 7)
}
