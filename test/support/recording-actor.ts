// An actor that follows the instructions of its messages and records its work in a table.
import { defineActor } from '../../workers/runtime/actor.ts'
import { runActor } from '../../workers/runtime/process.ts'

export interface RecordingMessage {
  key?: string
  /** The duration of the handler. `and` is its action afterwards. */
  ms: number
  and?: 'fail' | 'die' | 'spin'
}

export const recordingActor = defineActor<RecordingMessage>({
  name: 'recording-actor',
  concurrency: 10,
  retry: { attempts: 3, delayMs: () => 50 },
  key: ({ key }) => key,
  handle: async ({ id, data, attempt }, { deps }) => {
    const [row] = await deps.write.run<{ n: number }>(
      'begin',
      (sql) => sql`
        insert into handled (id, key, pid, attempt, began)
        values (${id}, ${data.key ?? null}, ${process.pid}, ${attempt}, clock_timestamp()) returning n`,
    )
    await Bun.sleep(data.ms)
    if (data.and === 'fail') throw new Error('requested failure')
    if (data.and === 'die') process.kill(process.pid, 'SIGKILL')
    while (data.and === 'spin') Bun.sleepSync(10)
    await deps.write.run('end', (sql) => sql`update handled set ended = clock_timestamp() where n = ${row?.n ?? 0}`)
  },
})

if (import.meta.main) await runActor(recordingActor)
