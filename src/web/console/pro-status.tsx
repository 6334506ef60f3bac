/** @jsxImportSource preact */
// The pause of a pro: by the pro among the booking settings, by an operator on the page of the pro.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import type { ProStatus } from '../../features/business/pros/states.ts'
import { mayOpen } from '../../auth/users/rules/permissions.ts'
import { changeProStatus } from '../../features/business/pros/verbs.ts'
import { guard } from '../../http/guard.ts'
import { type Session, actingProOf } from '../../http/session.ts'
import type { VNode } from 'preact'
import { FreeText, OneOf } from '../../platform/schema/types.ts'
import { Badge } from '../ui/badge.tsx'
import { Button, Disclosure } from '../ui/buttons.tsx'
import { Fields, defineForm } from '../ui/define-form.tsx'
import { ActionButton, EMPTY_FORM, Form, type FormState } from '../ui/form.tsx'
import { Section } from '../ui/headings.tsx'
import { ForThoseWhoMay } from '../ui/permitted.tsx'
import { runFormAction } from '../ui/submit.ts'

const SETTINGS_PATH = '/console/settings'
const PATH = `${SETTINGS_PATH}/status`
const Action = OneOf(['pause', 'resume'])
const OwnForm = Type.Object({ action: Action })

/** An operator says why. */
export const ProStatusForm = defineForm({
  action: { schema: Action, label: 'The pro is' },
  reason: {
    schema: FreeText({ minLength: 1 }),
    id: 'status-reason',
    rows: 3,
    label: 'Reason',
    hint: 'The pro reads it.',
  },
})

export const ownStatusPages = (deps: Deps) =>
  new Elysia({ name: 'own-status-pages' }).use(guard(deps)).post(
    PATH,
    async function postOwnStatus({ ctx, authenticated: by }) {
      return await runFormAction(ctx, by, SETTINGS_PATH, OwnForm, async ({ action }) => {
        const { professionalId, userId } = actingProOf(by)
        await changeProStatus(ctx, { professionalId, action, by: userId, operatorReason: null })
        return action === 'pause'
          ? 'You are paused: customers do not find you until you resume.'
          : 'Customers find you again.'
      })
    },
    { session: ['pro'], form: OwnForm },
  )

/** The section of the settings. */
export function ownStatusSection(session: Session): VNode {
  const button = (action: 'pause' | 'resume', label: string) => (
    <ActionButton session={session} action={PATH} fields={{ action }} label={label} look="plain" />
  )
  return (
    <Section title="Pause" id="pause">
      {session.pausedBy === null ? (
        <>
          <p>
            While you are paused, customers do not find you, and cannot book or ask for a quote. Visits that are booked
            stay.
          </p>
          {button('pause', 'Pause')}
        </>
      ) : (
        <>
          <p class="notice wait">{PAUSED[session.pausedBy]}</p>
          {session.pausedBy === 'pro' && button('resume', 'Resume')}
        </>
      )}
    </Section>
  )
}

/** What the first page of a paused pro says. */
export const pausedNotice = (session: Session): VNode | null =>
  session.pausedBy === null ? null : (
    <p class="notice wait">
      {PAUSED[session.pausedBy]} {mayOpen(session, SETTINGS_PATH) && <a href={`${SETTINGS_PATH}#pause`}>Settings</a>}
    </p>
  )

const PAUSED = {
  operator:
    'We have paused your page: customers do not find you. The reason is in our message to you; only we can end the pause.',
  pro: 'You are paused: customers do not find you. Visits that are booked stay.',
} as const

interface StatusSection {
  /** The page of the pro. */
  path: string
  pro: { status: Exclude<ProStatus, 'closed'>; pausedByOperator: boolean }
  formState: FormState
}

/** The section of an operator's page of the pro. */
export function proStatusSection(session: Session, { path, pro, formState }: StatusSection): VNode {
  const actions = actionsOf(pro)
  const [first] = actions
  return (
    <Section title="Status">
      <p>
        {pro.status === 'active' ? (
          'Customers find and book the pro.'
        ) : (
          <>
            {pausedBadge}{' '}
            {pro.pausedByOperator
              ? 'An operator has paused the pro, who cannot end it.'
              : 'The pro has chosen a pause.'}{' '}
            Visits that are booked stay.
          </>
        )}
      </p>
      <ForThoseWhoMay session={session} post={`${path}/status`}>
        <Disclosure label={labelOf(actions)} isOpen={formState !== EMPTY_FORM}>
          <Form
            of={ProStatusForm}
            action={`${path}/status`}
            session={session}
            formState={formState}
            isNarrow
            saysProblem={false}
          >
            {actions.length === 1 && <input type="hidden" name="action" value={first.value} />}
            <Fields
              of={ProStatusForm}
              names={actions.length === 1 ? ['reason'] : ['action', 'reason']}
              choices={{ action: actions }}
            />
            <Button isSmall>{labelOf(actions)}</Button>
          </Form>
        </Disclosure>
      </ForThoseWhoMay>
    </Section>
  )
}

const labelOf = ({ length, 0: { value } }: ReturnType<typeof actionsOf>): string => {
  if (length > 1) return 'Change it'
  return value === 'pause' ? 'Pause the pro' : 'Let customers find the pro'
}

const PAUSE = { value: 'pause', label: 'Paused, until an operator ends it' } as const
const RESUME = { value: 'resume', label: 'Found by customers' } as const

/** What an operator can make of the status. */
const actionsOf = ({ status, pausedByOperator }: StatusSection['pro']) => {
  if (status === 'active') return [PAUSE] as const
  return pausedByOperator ? ([RESUME] as const) : ([RESUME, PAUSE] as const)
}

export const pausedBadge = <Badge tone="wait">Paused</Badge>
