// "Change the description of drain cleaning to “…”": proposes that text for the service, or for the business.
import type { Offer } from '../../../features/offers/schemas.ts'
import { servicesIn } from './prices.ts'
import { type Recipe, listOf, proposalLine, callTool } from './recipe.ts'

export const changeDescriptions: Recipe = function* ({ goal, report }) {
  const [, text] = /["“”]([^"“”]+)["“”]/.exec(goal) ?? []
  if (!text) return void report.push('Put the new description in quotation marks.')
  const result = yield* callTool('list_services')
  const before = goal.slice(0, goal.indexOf(text))
  const [service] = servicesIn(before, listOf<Pick<Offer, 'serviceId' | 'name'>>(result, 'services'), false)
  const proposed = service
    ? yield* callTool('update_service_content', { serviceId: service.serviceId, description: text })
    : yield* callTool('update_business_profile', { description: text })
  report.push(
    proposed.isError ? proposed.line : proposalLine(proposed),
    'Nothing has changed yet: confirm or dismiss the proposal.',
  )
}
