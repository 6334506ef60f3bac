// The address and phone number in the forms of the public pages. They are required where the pro comes to the customer.
import { type Static, Type } from '@sinclair/typebox'

import type { ProfessionalDetail } from '../../features/search/pros/schemas.ts'
import { Text } from '../../platform/schema/types.ts'
import { type FormState, textField } from '../ui/forms.ts'
import { type Html, html } from '../../platform/text/html.ts'

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

export const addressFields = ({ isOptional, formState }: { isOptional: boolean; formState: FormState }): Html => html`
  <div class="side-by-side">
    ${textField({ name: 'street', label: 'Street', isOptional, autocomplete: 'street-address', maxLength: 200, formState })}
    ${textField({ name: 'city', label: 'City', isOptional, autocomplete: 'address-level2', maxLength: 200, formState })}
  </div>
  <div class="side-by-side">
    ${textField({ name: 'state', label: 'State', isOptional, autocomplete: 'address-level1', placeholder: 'TX', maxLength: 200, formState })}
    ${textField({ name: 'zipCode', label: 'ZIP code', isOptional, autocomplete: 'postal-code', maxLength: 20, formState })}
  </div>
`

export const phoneField = ({ isOptional, formState }: { isOptional: boolean; formState: FormState }): Html =>
  textField({ name: 'phone', label: 'Phone', isOptional, autocomplete: 'tel', maxLength: 50, formState })
