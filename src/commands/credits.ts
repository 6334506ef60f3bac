// `hearth credits add | show`: agent tasks of pros.
import { endingIn } from '../platform/text/format.ts'
import type { TaskBalance, UsageDay } from '../features/agents/metering/schemas.ts'
import { addCredits, getBalance, getMeteredPro, getUsage } from '../features/agents/metering/verbs.ts'
import { UsageError } from './failure.ts'
import { withDeps } from './command-deps.ts'

/** Adds agent tasks that a pro bought, once per reference. */
export const runCreditsAdd = (pro: string, tasks: string, { reference }: { reference: string }) =>
  withDeps(async (ctx) => {
    if (!/^[1-9]\d{0,6}$/.test(tasks)) throw new UsageError(`"${tasks}" is not a number of tasks from 1 to 1000000.`)
    const { id, businessName } = await getMeteredPro(ctx, { name: pro })
    const { isNew } = await addCredits(ctx, { professionalId: id, tasks: Number(tasks), reference })
    const { available } = await getBalance(ctx, { professionalId: id })
    console.log(
      isNew ? `Added ${tasks} for ${endingIn(businessName)}` : `Nothing added: "${reference}" was already counted.`,
    )
    console.log(`${available} tasks available.`)
  })

interface ShowOptions {
  month?: string
  json?: boolean
}

/** Shows the balance of a pro, and one line per day with usage. */
export const runCreditsShow = (pro: string, { month, json }: ShowOptions) =>
  withDeps(async (ctx) => {
    const { id, businessName } = await getMeteredPro(ctx, { name: pro })
    const current = await getBalance(ctx, { professionalId: id })
    const used = await getUsage(ctx, { professionalId: id, month: month ?? current.month })
    if (json) return console.log(JSON.stringify({ balance: current, usage: used }))
    const { allowance } = current
    console.log(`${businessName}: plan ${current.planName}${endOf(current)}`)
    console.log(`  ${current.month}   ${allowance.left} of ${allowance.granted} left until ${current.resetsAt}`)
    console.log(`  prepaid   ${current.prepaid}`)
    console.log(`  reserved  ${current.reserved}`)
    console.log(`Used in ${used.month}: ${used.settled}`)
    for (const day of used.days) if (day.settled + day.reserved + day.released > 0) console.log(lineOf(day))
  })

const endOf = ({ planUntil, endedPlan }: TaskBalance): string => {
  if (endedPlan) return `; ${endedPlan.name} ended on ${endedPlan.until}`
  return planUntil === null ? '' : ` until ${planUntil}`
}

function lineOf({ date, settled, byKind, reserved, released }: UsageDay): string {
  const kinds = Object.entries(byKind).map(([kind, tasks]) => `${kind} ${tasks}`)
  const others = [reserved > 0 ? `${reserved} in progress` : '', released > 0 ? `${released} released` : '']
  return `  ${date}  ${String(settled).padStart(5)}  ${[...kinds, ...others].filter(Boolean).join(', ')}`
}
