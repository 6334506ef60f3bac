// `hearth credits add | show`: agent tasks of pros, from a terminal.
import type { UsageDay } from '../features/metering/schemas.ts'
import { addCredits, getBalance, getMeteredPro, getUsage } from '../features/metering/verbs.ts'
import { UsageError } from './failure.ts'
import { withDeps } from './command-deps.ts'

/** Adds agent tasks that a pro has bought; under the same reference once. */
export const runCreditsAdd = (pro: string, tasks: string, { reference }: { reference: string }) =>
  withDeps(async (deps) => {
    if (!/^[1-9]\d{0,6}$/.test(tasks)) throw new UsageError(`"${tasks}" is not a number of tasks, 1 to 1000000.`)
    const { id, businessName } = await getMeteredPro(deps, pro)
    const { isNew } = await addCredits(deps, id, Number(tasks), reference)
    const { available } = await getBalance(deps, id)
    console.log(isNew ? `Added ${tasks} for ${businessName}.` : `Nothing added: "${reference}" was counted before.`)
    console.log(`They can run ${available} more now.`)
  })

interface ShowOptions {
  month?: string
  json?: boolean
}

/** Shows what a pro has, and a line per day on which tasks were used. */
export const runCreditsShow = (pro: string, { month, json }: ShowOptions) =>
  withDeps(async (deps) => {
    const { id, businessName } = await getMeteredPro(deps, pro)
    const has = await getBalance(deps, id)
    const used = await getUsage(deps, id, month ?? has.month)
    if (json) return console.log(JSON.stringify({ balance: has, usage: used }))
    const { allowance } = has
    console.log(`${businessName}: plan ${has.plan}`)
    console.log(`  ${has.month}   ${allowance.left} of ${allowance.granted} left, until ${has.resetsAt}`)
    console.log(`  prepaid   ${has.prepaid}`)
    console.log(`  reserved  ${has.reserved}`)
    console.log(`Done in ${used.month}: ${used.settled}`)
    for (const day of used.days) if (day.settled + day.reserved + day.released > 0) console.log(lineOf(day))
  })

function lineOf({ date, settled, byKind, reserved, released }: UsageDay): string {
  const kinds = Object.entries(byKind).map(([kind, tasks]) => `${kind} ${tasks}`)
  const others = [reserved > 0 ? `${reserved} under way` : '', released > 0 ? `${released} released` : '']
  return `  ${date}  ${String(settled).padStart(5)}  ${[...kinds, ...others].filter(Boolean).join(', ')}`
}
