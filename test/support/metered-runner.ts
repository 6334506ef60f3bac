// A process that runs agent tasks, for tests that kill it: the ids of its tasks come on standard input, a line each. What a
// task does is a row in `ran`; a task that comes again after a crash is run again unless it was settled.
import { readConfig } from '../../src/config.ts'
import { openDeps } from '../../src/deps.ts'
import { AppError } from '../../src/errors.ts'
import { reserveTask, settleTask } from '../../src/features/metering/service.ts'

const [professionalId = '', runnerName = ''] = process.argv.slice(2)
const deps = openDeps(readConfig(process.env), { databaseLimitMs: 30_000 })

/** What became of the task. */
async function runTask(taskId: string): Promise<string> {
  try {
    await reserveTask(deps, deps.write, professionalId, { taskId, kind: 'run_agent' })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return error.code === 'agent_tasks_exhausted' ? 'exhausted' : 'done before'
  }
  await deps.write.run('work', (sql) => sql`insert into ran (task_id, runner) values (${taskId}, ${runnerName})`)
  await settleTask(deps, deps.write, professionalId, taskId)
  return 'done'
}

const taskIds = (await Bun.stdin.text()).split('\n').filter(Boolean)
await Promise.all(taskIds.map(async (taskId) => process.stdout.write(`${taskId} ${await runTask(taskId)}\n`)))
await deps.close()
