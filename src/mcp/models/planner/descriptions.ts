// "Change the description of drain cleaning to “…”": a proposal with that text; without a service, the business's own.
import type { Offer } from '../../../features/offers/schemas.ts'
import { servicesIn } from './prices.ts'
import { type Recipe, listIn, proposalLine, use } from './recipe.ts'

export const describeServices: Recipe = function* ({ goal, report }) {
  const [, text] = /["“”]([^"“”]+)["“”]/.exec(goal) ?? []
  if (!text) return void report.push('Give the new description in quotation marks.')
  const seen = yield* use('list_services')
  const before = goal.slice(0, goal.indexOf(text))
  const [service] = servicesIn(before, listIn<Pick<Offer, 'serviceId' | 'name'>>(seen, 'services'), false)
  const proposed = service
    ? yield* use('update_service_content', { serviceId: service.serviceId, description: text })
    : yield* use('update_business_profile', { description: text })
  report.push(
    proposed.isError ? proposed.line : proposalLine(proposed),
    'Nothing has changed yet: confirm or dismiss the proposal.',
  )
}
