// A relay whose subscriber inserts a row in a table each time an event is planned.
import { relayWith } from '../../workers/actors/relay-outbox.ts'
import { runActor } from '../../workers/runtime/process.ts'

const recording = relayWith(async (ctx, events) => {
  await ctx.tx.run(
    'record',
    (sql) => sql`
      insert into planned (event_id, aggregate_id, sequence)
      select id, aggregate_id, sequence from outbox_events
      where position = any (${`{${events.map(({ position }) => position).join(',')}}`}::text::bigint[]) order by position`,
  )
  return []
})

if (import.meta.main) await runActor(recording)
