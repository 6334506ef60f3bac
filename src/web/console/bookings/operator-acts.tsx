/** @jsxImportSource preact */
// What an operator may do with a booking, as folded forms of one path.
import { Type } from '@sinclair/typebox'
import type { VNode } from 'preact'

import { ACTED_FOR } from '../../../features/booking/bookings/verbs/operator-actions.ts'
import type { BookingStory } from '../../../features/booking/operator-bookings/verbs.ts'
import type { Session } from '../../../http/session.ts'
import { CalendarDate, ClockTime, FreeText, OneOf } from '../../../platform/schema/types.ts'
import { Button, ButtonRow, LinkButton } from '../../ui/buttons.tsx'
import { Fields, defineForm } from '../../ui/define-form.tsx'
import { type FormState, ActionForm } from '../../ui/form.tsx'
import { PAYMENTS_PATH } from '../payments/view.tsx'
import { BOOKINGS_PATH } from './visit.tsx'

export const operatePath = (id: string): string => `${BOOKINGS_PATH}/${id}/operate`

export const OperateForm = defineForm(
  {
    action: { schema: OneOf(['move', 'cancel', 'note']) },
    date: { schema: Type.Optional(CalendarDate()), label: 'Day', isOptional: false },
    time: { schema: Type.Optional(ClockTime()), label: 'Time on the pro’s clock', type: 'time', isOptional: false },
    actedFor: {
      schema: Type.Optional(OneOf(ACTED_FOR)),
      label: 'For whom',
      isOptional: false,
      choices: [
        { value: 'customer', label: 'The customer asks for it' },
        { value: 'pro', label: 'The pro cannot come' },
      ],
    },
    refundsAll: { schema: Type.Boolean(), label: 'Refund all, also where the terms keep the payment' },
    reason: { schema: FreeText({ minLength: 1 }), label: 'Reason', rows: 3 },
  },
  ({ action, date, time, actedFor }) => ({
    date: action === 'move' && date === undefined ? 'is required' : undefined,
    time: action === 'move' && time === undefined ? 'is required' : undefined,
    actedFor: action === 'cancel' && actedFor === undefined ? 'is required' : undefined,
  }),
)

export function actsOf(session: Session, { booking, parties }: BookingStory, formState: FormState): VNode {
  const path = operatePath(booking.id)
  const form = (action: 'move' | 'cancel' | 'note', label: string, content: VNode) => (
    <ActionForm of={OperateForm} session={session} path={path} action={action} label={label} formState={formState}>
      {content}
    </ActionForm>
  )
  const isOpen = booking.status === 'pending' || booking.status === 'confirmed'
  return (
    <ButtonRow>
      {booking.status === 'confirmed' && form('move', 'Move', moveFields)}
      {isOpen && form('cancel', 'Cancel', cancelFields)}
      {parties.paymentId !== null && (
        <LinkButton href={`${PAYMENTS_PATH}/${parties.paymentId}`} look="quiet" isSmall>
          Payment and refunds
        </LinkButton>
      )}
      {form('note', 'Add a note', noteFields)}
    </ButtonRow>
  )
}

const moveFields: VNode = (
  <>
    <Fields
      of={OperateForm}
      names={['date', 'time', 'reason']}
      row="move"
      more={{ reason: { hint: 'For our log. Customer and pro are told of the new time.' } }}
    />
    <Button isSmall>Move booking</Button>
  </>
)

const cancelFields: VNode = (
  <>
    <Fields
      of={OperateForm}
      names={['actedFor', 'refundsAll', 'reason']}
      row="cancel"
      more={{ reason: { hint: 'Customer and pro are told that it is cancelled, and the other one also why.' } }}
    />
    <Button look="danger" isSmall>
      Cancel booking
    </Button>
  </>
)

const noteFields: VNode = (
  <>
    <Fields
      of={OperateForm}
      names={['reason']}
      row="note"
      more={{ reason: { label: 'Note', hint: 'Only operators see it.' } }}
    />
    <Button isSmall>Keep note</Button>
  </>
)
