// The form of a booking: what is chosen is hidden, and the address is needed where the pro comes to the customer.
import { type Static, Type } from '@sinclair/typebox'

import { visitErrors } from '../../../features/booking/bookings/verbs/visit-details.ts'
import type { ProfessionalDetail } from '../../../features/search/pros/schemas.ts'
import { FreeText, OneOf, Uuid } from '../../../platform/schema/types.ts'
import { defineForm } from '../../ui/define-form.tsx'
import { TimeForm } from '../slot-choice.ts'
import { needsAddress, visitFields } from '../visit-fields.tsx'

/** What is chosen. */
export const ChoiceForm = defineForm({
  service: { schema: Uuid() },
  /** A package of that service. */
  package: { schema: Type.Optional(Uuid()) },
  ...TimeForm.fields,
})

/** The button that was pressed, unless it books. */
export const StepForm = defineForm({
  step: { schema: Type.Optional(OneOf(['time', 'details', 'code', 'resend'])) },
})

const bookingForm = (isOptional: boolean) =>
  defineForm(
    {
      ...ChoiceForm.fields,
      ...visitFields(isOptional),
      description: { schema: Type.Optional(FreeText()), label: 'Notes for the pro', rows: 3 },
      /** Part of the page, so that a form that is sent twice books once. */
      idempotencyKey: { schema: Uuid() },
    },
    isOptional ? undefined : visitErrors,
  )

const FORMS = { atCustomer: bookingForm(false), atPro: bookingForm(true) }

export type BookingForm = (typeof FORMS)['atPro']
export type BookingInput = Static<BookingForm>

/** The form for a booking of this service. */
export const bookingFormFor = (pro: ProfessionalDetail, serviceId: string): BookingForm =>
  FORMS[needsAddress(pro, serviceId) ? 'atCustomer' : 'atPro']
