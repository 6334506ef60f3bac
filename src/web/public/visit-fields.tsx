/** @jsxImportSource preact */
// The address and phone number in the forms of the public pages. They are required where the pro comes to the customer.
import { type Static, Type } from '@sinclair/typebox'

import type { ProfessionalDetail } from '../../features/search/pros/schemas.ts'
import { Text } from '../../platform/schema/types.ts'
import { TextField } from '../ui/fields.tsx'
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

export const AddressFields = ({ isOptional }: { isOptional: boolean }): VNode => (
  <>
    <div class="side-by-side">
      <TextField name="street" label="Street" isOptional={isOptional} autocomplete="street-address" maxLength={200} />
      <TextField name="city" label="City" isOptional={isOptional} autocomplete="address-level2" maxLength={200} />
    </div>
    <div class="side-by-side">
      <TextField
        name="state"
        label="State"
        isOptional={isOptional}
        autocomplete="address-level1"
        placeholder="TX"
        maxLength={200}
      />
      <TextField name="zipCode" label="ZIP code" isOptional={isOptional} autocomplete="postal-code" maxLength={20} />
    </div>
  </>
)

/** Who asks, and how the pro reaches them. */
export const ContactFields = ({ isOptional }: { isOptional: boolean }): VNode => (
  <>
    <h2>Your details</h2>
    <div class="side-by-side">
      <TextField name="name" label="Your name" autocomplete="name" maxLength={200} />
      <TextField name="email" label="E-mail address" type="email" autocomplete="email" maxLength={320} />
      <TextField name="phone" label="Phone" isOptional={isOptional} autocomplete="tel" maxLength={50} />
    </div>
  </>
)
