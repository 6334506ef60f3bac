// Recipes that propose changes: "Raise the price of drain cleaning by 5%", "Change the description to “…”".
import type { Offer } from '../../../features/business/offers/schemas.ts'
import { type Recipe, type ToolResult, callTool, listOf, notUnderstood, proposalLine } from './recipe.ts'

/** Services per run; with the list they stay within a run's steps. */
const MAX_SERVICES = 8

type Change = { factor: number } | { add: number } | { to: number }

type Priced = Pick<Offer, 'serviceId' | 'name' | 'basePrice' | 'minPrice' | 'maxPrice' | 'package'>

export const changePrices: Recipe = function* ({ goal, before, report }) {
  const change = changeIn(goal, before) ?? changeIn(before)
  if (!change) return void report.push('Say by how much: "by 5%", "by $10" or "to $120".')
  const result = yield* callTool('list_services')
  if (result.isError) return void report.push(`Your services could not be read: ${result.line}`)
  const services = listOf<Priced>(result, 'services')
  const own = servicesIn(goal, services, !('to' in change))
  const named = own.length > 0 ? own : servicesIn(before, services, !('to' in change))
  if (named.length === 0)
    return void report.push(`Which service do you mean? You offer ${services.map(({ name }) => name).join(', ')}.`)
  yield* proposePrices(named, change, report)
}

/** For “… and leak repair by 10%” after another price change: only services that these words name. */
export const changePricesToo: Recipe = function* ({ goal, before, report }) {
  const change = changeIn(goal, before) ?? changeIn(before)
  const named = servicesIn(goal, listOf<Priced>(yield* callTool('list_services'), 'services'), false)
  if (!change || named.length === 0) return void report.push(notUnderstood([goal]))
  yield* proposePrices(named, change, report)
}

function* proposePrices(services: readonly Priced[], change: Change, report: string[]) {
  for (const service of services.slice(0, MAX_SERVICES)) {
    const prices = changedPrices(service, change)
    if (!prices) report.push(`${service.name}: it has no price to change, or the new price would not be positive.`)
    else
      report.push(
        lineOf(service, yield* callTool('update_service_pricing', { serviceId: service.serviceId, ...prices })),
      )
    yield* proposePackagePrice(service, change, report)
  }
  if (services.length > MAX_SERVICES)
    report.push(`${services.length - MAX_SERVICES} more services are left: ask again for those by name.`)
  report.push('Nothing has changed yet: confirm or dismiss each proposal.')
}

/** A share changes the package of a service as well; an amount is meant for one price, so the package is named. */
function* proposePackagePrice({ serviceId, name, package: it }: Priced, change: Change, report: string[]) {
  if (!it) return
  const stays = `${name}: the package “${it.name}” stays at $${it.price}`
  if (!('factor' in change))
    return void report.push(`${stays}; say its price to change it, too, under Services in the console.`)
  const packagePrice = Math.round(it.price * change.factor * 100) / 100
  const result = yield* callTool('update_service_content', { serviceId, packagePrice })
  report.push(result.isError ? `${stays}; change it under Services in the console.` : proposalLine(result))
}

const lineOf = ({ name }: Priced, result: ToolResult) =>
  result.isError ? `${name}: ${result.line}` : proposalLine(result)

const LESS = /\b(lower|reduce|cut|decrease|drop|cheaper|less|down|take)\b/i
const MORE = /\b(raise|increase|put up|add|more|up)\b/i

/** The price change in a goal. Its direction may stand in the words `before` it. */
export function changeIn(goal: string, before = ''): Change | undefined {
  const isLess = LESS.test(goal) || (!MORE.test(goal) && LESS.test(before))
  const number = (pattern: RegExp) => {
    const [, text] = pattern.exec(goal) ?? []
    return text === undefined ? undefined : Number(text.replaceAll(',', ''))
  }
  const to = number(/\bto\s+\$?\s?(\d[\d,]*(?:\.\d+)?)(?!\s*(?:%|percent))/i)
  if (to !== undefined) return { to }
  const percent = number(/(\d+(?:\.\d+)?)\s*(?:%|percent\b)/i)
  if (percent !== undefined) return { factor: 1 + (isLess ? -percent : percent) / 100 }
  const dollars = number(/\$\s?(\d[\d,]*(?:\.\d+)?)/) ?? number(/(\d[\d,]*(?:\.\d+)?)\s*(?:dollars|usd|bucks)\b/i)
  return dollars === undefined ? undefined : { add: isLess ? -dollars : dollars }
}

/** The services that a goal names; all of them when it says so. */
export function servicesIn<T extends { name: string }>(goal: string, services: readonly T[], allowAll: boolean): T[] {
  const words = new Set(wordsOf(goal))
  const named = services.filter(({ name }) => wordsOf(name).every((word) => words.has(word)))
  if (named.length > 0 || !allowAll) return named
  return /\b(all|every|everything|each|across)\b|\bmy (prices|rates)\b/i.test(goal) ? [...services] : []
}

/** Lower-case words without the plural ending. */
const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\d]+/gu) ?? []).map((word) => (word.length > 3 ? word.replace(/s$/, '') : word))

/** The new prices, rounded to cents; undefined when one would not be positive. */
function changedPrices({ basePrice, minPrice, maxPrice }: Priced, change: Change) {
  if ('to' in change) return change.to > 0 ? { basePrice: change.to } : undefined
  const changed = (price: number) =>
    Math.round(('factor' in change ? price * change.factor : price + change.add) * 100) / 100
  const prices = Object.entries({ basePrice, minPrice, maxPrice }).flatMap(([name, price]) =>
    price === null ? [] : [[name, changed(price)] as const],
  )
  return prices.length > 0 && prices.every(([, price]) => price > 0) ? Object.fromEntries(prices) : undefined
}

/** Proposes the quoted text for the named service, or for the business. */
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
