// What a pro needs in order to come: an address and a phone number. Pages and agents ask people for them; the API takes
// bookings without, because the contract's minimal body has none.
import { invalidFields } from '../../../../errors/app-error.ts'
import { type Region, UNITED_STATES, postalRuleText } from '../../../../platform/text/region.ts'
import { getRegion } from '../../../upkeep/marketplace/verbs.ts'
import { findAtCustomer } from '../queries/bookings.ts'
import type { BookingStart } from '../schemas.ts'
import type { Ctx } from '../../../../ctx.ts'

export interface VisitDetails {
  phone?: string | undefined
  street?: string | undefined
  city?: string | undefined
  state?: string | undefined
  zipCode?: string | undefined
}

const rulesOf = ({
  postal,
  state,
}: Region): Record<keyof VisitDetails, { isValid: (text: string) => boolean; rule: string }> => ({
  phone: { isValid: (text) => text.replace(/\D/g, '').length >= 7, rule: 'must be a phone number with its area code' },
  street: { isValid: (text) => text.trim() !== '', rule: 'is required' },
  city: { isValid: (text) => text.trim() !== '', rule: 'is required' },
  state: { isValid: (text) => text.trim().length >= 2, rule: `must be a ${state.word}, such as ${state.example}` },
  zipCode: { isValid: (text) => postal.whole.test(text.trim()), rule: postalRuleText(postal) },
})

/** What is missing or malformed, by field. */
export function visitErrors(
  details: VisitDetails,
  region = UNITED_STATES,
): Partial<Record<keyof VisitDetails, string>> {
  const rules = rulesOf(region)
  const fields = Object.keys(rules) as (keyof VisitDetails)[]
  return Object.fromEntries(
    fields.flatMap((field) => {
      const [text, { isValid, rule }] = [details[field] ?? '', rules[field]]
      if (text.trim() === '') return [[field, 'is required']]
      return isValid(text) ? [] : [[field, rule]]
    }),
  )
}

/** Throws validation_failed, which names each field that is missing or malformed as `nameOf` calls it. */
function requireVisitDetails(
  details: VisitDetails,
  { region, nameOf }: { region: Region; nameOf: (field: keyof VisitDetails) => string },
): void {
  const errors = Object.entries(visitErrors(details, region)).map(([field, message]) => ({
    path: `body.${nameOf(field as keyof VisitDetails)}`,
    message,
  }))
  if (errors.length > 0) throw invalidFields(errors)
}

/** Throws validation_failed unless a booking of a service that is done at the customer's says where to come. */
export async function requireAddress(ctx: Ctx, input: BookingStart): Promise<void> {
  if (!(await findAtCustomer(ctx, { serviceId: input.serviceId }))) return
  const { guestPhone: phone, address, zipCode } = input
  requireVisitDetails(
    { zipCode, ...address, phone },
    { region: await getRegion(ctx), nameOf: (field) => (field === 'phone' ? 'guestPhone' : `address.${field}`) },
  )
}
