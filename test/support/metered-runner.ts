// A process that runs agent tasks, for tests that kill it. It reads a task id and an optional outcome per line of standard
// input. A task inserts a row in `ran`. A task repeated after a crash runs again unless it has ended.
import { readConfig } from '../../src/config.ts'
import { openDeps } from '../../src/deps.ts'
import { AppError } from '../../src/errors/app-error.ts'
import { releaseTask, reserveTask, settleTask } from '../../src/features/agents/metering/verbs.ts'
import { ctxOf } from '../../src/ctx.ts'

const [professionalId = '', runnerName = '', concurrency = '1000', limitMs] = process.argv.slice(2)
const deps = openDeps(readConfig(process.env), { databaseLimitMs: 30_000 })

/** Runs a task and returns its outcome. `end` settles it, releases it, or leaves it reserved. */
async function runTask(taskId: string, end: string): Promise<string> {
  const limit = end === 'leave' && limitMs ? { limitMs: Number(limitMs) } : {}
  try {
    await reserveTask(ctxOf(deps), { taskId, kind: 'run_agent', ...limit, professionalId })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return error.code === 'agent_tasks_exhausted' ? 'exhausted' : 'done before'
  }
  if (end === 'leave') return 'left'
  if (end === 'release') {
    await releaseTask(ctxOf(deps), { professionalId, taskId })
    return 'released'
  }
  await deps.write.run('work', (sql) => sql`insert into ran (task_id, runner) values (${taskId}, ${runnerName})`)
  await settleTask(ctxOf(deps), { professionalId, taskId })
  return 'done'
}

const lines = (await Bun.stdin.text()).split('\n').filter(Boolean)
const runNext = async (): Promise<void> => {
  for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
    const [taskId = '', end = 'settle'] = line.split(' ')
    process.stdout.write(`${taskId} ${await runTask(taskId, end)}\n`)
  }
}
await Promise.all(Array.from({ length: Math.min(Number(concurrency), lines.length) }, runNext))
await deps.close()
