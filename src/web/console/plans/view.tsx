/** @jsxImportSource preact */
// The views of plans: the list, one plan with its history, and the plan of a pro.
import { Type } from '@sinclair/typebox'
import type { ComponentChildren, VNode } from 'preact'

import {
  MAX_PLAN_NAME,
  MAX_PLAN_PRICE,
  MAX_PLAN_TASKS,
  NO_PLAN,
  type Plan,
  type PlanOfPro,
  planVersion,
} from '../../../features/business/plans/schemas.ts'
import type { AuditEntry } from '../../../features/upkeep/audit/verbs.ts'
import type { Session } from '../../../http/session.ts'
import { fromCents, isWholeCents } from '../../../platform/schema/money.ts'
import { Decimal, Integer } from '../../../platform/schema/numbers.ts'
import { CalendarDate, Line, Text } from '../../../platform/schema/types.ts'
import { count, longDay, money, plural } from '../../../platform/text/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, Disclosure } from '../../ui/buttons.tsx'
import { Fields, defineForm } from '../../ui/define-form.tsx'
import { ActionButton, EMPTY_FORM, Form, type FormState } from '../../ui/form.tsx'
import { BackLink, PageHeading, Section } from '../../ui/headings.tsx'
import { DetailList, Table } from '../../ui/table.tsx'
import { ForThoseWhoMay } from '../../ui/permitted.tsx'
import { Time } from '../../ui/time.tsx'

export const PLANS_PATH = '/console/plans'

export const PlanForm = defineForm(
  {
    name: { schema: Line(MAX_PLAN_NAME, { minLength: 1 }), label: 'Name', hint: 'Pros see it.' },
    price: {
      schema: Type.Optional(Decimal({ minimum: 0, maximum: MAX_PLAN_PRICE })),
      label: 'Price per month, US dollars',
      hint: 'For your records: it is not collected here.',
    },
    tasks: { schema: Integer({ minimum: 0, maximum: MAX_PLAN_TASKS }), label: 'Agent tasks per month' },
    hasAgentServer: {
      schema: Type.Boolean(),
      label: 'Agent server',
      hint: 'The pro may connect an assistant of their own.',
    },
    // What the operator looks at, so that a change by another one meanwhile is not undone.
    seen: { schema: Type.Optional(Line(40)) },
  },
  ({ price }) => (price === undefined || isWholeCents(price) ? {} : { price: 'must have at most two decimals' }),
)

export const ProPlanForm = defineForm({
  plan: { schema: Text(MAX_PLAN_NAME, { minLength: 1 }), label: 'Plan' },
  until: {
    schema: Type.Optional(CalendarDate()),
    label: 'Last day',
    hint: 'In the pro’s time zone. After it the pro has no plan. Leave it empty for a plan without an end.',
  },
})

const priceText = ({ priceCents }: Plan): string => (priceCents === null ? '–' : money(fromCents(priceCents)))
const serverText = ({ hasAgentServer }: Plan): string => (hasAgentServer ? 'Included' : 'Not included')

export const planListView = (session: Session, plans: readonly Plan[], formState: FormState): VNode => (
  <>
    <PageHeading>Plans</PageHeading>
    <p class="lead">
      Give a plan to a pro on the pro’s page under <a href="/console/verification?show=all">Verification</a>.
    </p>
    <Table
      caption={plural(plans.length, 'plan')}
      columns={['Plan', 'Price per month', 'Agent tasks per month', 'Agent server', 'Status']}
      rows={plans.map((plan) => [
        plan.id === NO_PLAN ? plan.name : <a href={`${PLANS_PATH}/${plan.id}`}>{plan.name}</a>,
        priceText(plan),
        count(plan.tasks),
        serverText(plan),
        statusOf(plan),
      ])}
    />
    <Disclosure label="Add a plan" isOpen={formState !== EMPTY_FORM}>
      <Form of={PlanForm} action={PLANS_PATH} session={session} formState={formState} isNarrow>
        <Fields of={PlanForm} />
        <Button>Add the plan</Button>
      </Form>
    </Disclosure>
  </>
)

const statusOf = ({ id, retiredAt }: Plan): ComponentChildren =>
  id === NO_PLAN ? 'Without a plan' : retiredAt === null ? <Badge tone="good">On offer</Badge> : <Badge>Retired</Badge>

interface PlanPage {
  plan: Plan
  actions: readonly AuditEntry[]
  formState: FormState
}

export const planView = (session: Session, { plan, actions, formState }: PlanPage): VNode => (
  <>
    <BackLink href={PLANS_PATH}>Plans</BackLink>
    <PageHeading beside={<Badge>{plan.id}</Badge>}>
      {plan.name} {plan.retiredAt !== null && <Badge>Retired</Badge>}
    </PageHeading>
    <Form of={PlanForm} action={`${PLANS_PATH}/${plan.id}`} session={session} formState={formState} isNarrow>
      <p>All pros who have the plan get the change at once. Fewer tasks count from the next month on.</p>
      <Fields
        of={PlanForm}
        values={{
          ...plan,
          price: plan.priceCents === null ? undefined : fromCents(plan.priceCents),
          seen: planVersion(plan),
        }}
      />
      <Button>Save</Button>
    </Form>
    <Section title={plan.retiredAt === null ? 'Retire' : 'Offer again'}>
      {plan.retiredAt === null ? (
        <Disclosure label="Retire the plan">
          <p>Pros who have it keep it. You cannot give it to others until you offer it again.</p>
          <ActionButton
            session={session}
            action={`${PLANS_PATH}/${plan.id}/retire`}
            label={`Retire ${plan.name}`}
            look="danger"
          />
        </Disclosure>
      ) : (
        <ActionButton session={session} action={`${PLANS_PATH}/${plan.id}/offer`} label="Offer it again" look="plain" />
      )}
    </Section>
    <Section title="History">{actions.length === 0 ? <p>No changes recorded.</p> : history(actions)}</Section>
  </>
)

const ACTIONS: Readonly<Record<string, string>> = {
  'plan.added': 'Added',
  'plan.changed': 'Changed',
  'plan.retired': 'Retired',
  'plan.offered': 'Offered again',
}

const history = (actions: readonly AuditEntry[]): VNode => (
  <Table
    caption={`Last ${plural(actions.length, 'change')}`}
    columns={['When', 'Change', 'Terms since then', 'By']}
    rows={actions.map(({ at, action, details, by }) => [
      <Time instant={at} />,
      ACTIONS[action],
      termsOf(details['after'] as Plan | undefined),
      by ?? 'Command line',
    ])}
  />
)

const termsOf = (terms: Plan | undefined): string =>
  terms === undefined
    ? '–'
    : `${terms.name}, ${terms.priceCents === null ? 'no price' : money(fromCents(terms.priceCents))}, ${plural(terms.tasks, 'task')}, agent server ${terms.hasAgentServer ? 'included' : 'not included'}`

interface ProPlanSection {
  /** The page of the pro. */
  path: string
  plan: PlanOfPro
  plans: readonly Plan[]
  formState: FormState
}

/** The plan of a pro on the pro's page. A plan that was retired stays among the choices of a pro who has it. */
export const proPlanSection = (session: Session, { path, plan, plans, formState }: ProPlanSection): VNode => (
  <Section title="Plan">
    <DetailList
      pairs={[
        ['Plan', plan.name],
        ['Last day', plan.until && longDay(plan.until)],
        ['Before', plan.endedPlan && `${plan.endedPlan.name}, which ended on ${longDay(plan.endedPlan.until)}`],
      ]}
    />
    <ForThoseWhoMay session={session} post={`${path}/plan`}>
      <Disclosure label="Give another plan or end" isOpen={formState !== EMPTY_FORM}>
        <Form of={ProPlanForm} action={`${path}/plan`} session={session} formState={formState} isNarrow>
          <Fields
            of={ProPlanForm}
            values={{ plan: plan.id, until: plan.until ?? '' }}
            choices={{
              plan: plans
                .filter(({ id, retiredAt }) => retiredAt === null || id === plan.id)
                .map(({ id, name }) => ({ value: id, label: name })),
            }}
          />
          <Button>Give the plan</Button>
        </Form>
      </Disclosure>
    </ForThoseWhoMay>
  </Section>
)

/** What the history of a pro says of a plan that was given. */
export function givenPlanText(details: AuditEntry['details']): string {
  const { plan, until } = (details['after'] ?? {}) as { plan?: string; until?: string | null }
  return `Plan: ${plan}${until ? ` until ${longDay(until)}` : ''}`
}
