/** @jsxImportSource preact */
// The address and phone number in the forms of the public pages. They are required where the pro comes to the customer.
import { type Static, Type } from '@sinclair/typebox'

import type { ProfessionalDetail } from '../../features/search/pros/schemas.ts'
import { Email, Name, Text } from '../../platform/schema/types.ts'
import { type DeclaredForm, Fields, defineForm } from '../ui/define-form.tsx'
import type { VNode } from 'preact'

export const VisitFields = Type.Object({
  phone: Type.Optional(Text(50)),
  street: Type.Optional(Text(200)),
  city: Type.Optional(Text(200)),
  state: Type.Optional(Text(200)),
  zipCode: Type.Optional(Text(20)),
})
type VisitFields = Static<typeof VisitFields>

/** Whether the service is done at the customer's. Other work than the pro's services may be, too. */
export const needsAddress = ({ services }: ProfessionalDetail, serviceId: string): boolean =>
  services.find(({ id }) => id === serviceId)?.atCustomer ?? true

/** The address of a form as the API takes it; nothing when no part of it is filled in. */
export function addressIn({ street, city, state, zipCode }: VisitFields): { address?: Record<string, string> } {
  const parts = Object.entries({ street, city, state, zipCode })
  const given = parts.filter((part): part is [string, string] => part[1] !== undefined)
  return given.length === 0 ? {} : { address: Object.fromEntries(given) }
}

/** The fields of who asks, and of where the pro comes to. */
export const visitFields = (isOptional: boolean) =>
  ({
    name: { schema: Name(), label: 'Your name', autocomplete: 'name' },
    email: { schema: Email(), label: 'E-mail address', autocomplete: 'email' },
    phone: { schema: VisitFields.properties.phone, label: 'Phone', autocomplete: 'tel', inputMode: 'tel', isOptional },
    street: { schema: VisitFields.properties.street, label: 'Street', autocomplete: 'street-address', isOptional },
    zipCode: {
      schema: VisitFields.properties.zipCode,
      label: 'ZIP code',
      hint: 'City and state follow from it.',
      autocomplete: 'postal-code',
      inputMode: 'numeric',
      isOptional,
    },
    city: { schema: VisitFields.properties.city, label: 'City', autocomplete: 'address-level2', isOptional },
    state: {
      schema: VisitFields.properties.state,
      label: 'State',
      autocomplete: 'address-level1',
      placeholder: 'TX',
      isOptional,
    },
  }) as const

/** The fields in a form of which they are a part. */
type VisitForm = DeclaredForm<ReturnType<typeof visitFields>>

const FORMS = { optional: defineForm(visitFields(true)), required: defineForm(visitFields(false)) }
const formOf = ({ isOptional }: { isOptional: boolean }): VisitForm => FORMS[isOptional ? 'optional' : 'required']

export const AddressFields = (it: { isOptional: boolean }): VNode => (
  <>
    <div class="side-by-side">
      <Fields of={formOf(it)} names={['street', 'zipCode']} />
    </div>
    <div class="side-by-side">
      <Fields of={formOf(it)} names={['city', 'state']} />
    </div>
  </>
)

/** Who asks, and how the pro reaches them. */
export const ContactFields = (it: { isOptional: boolean }): VNode => (
  <>
    <h2>Your details</h2>
    <div class="side-by-side">
      <Fields of={formOf(it)} names={['name', 'email', 'phone']} />
    </div>
  </>
)
