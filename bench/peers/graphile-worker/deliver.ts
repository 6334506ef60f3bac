// Graphile Worker that sends signed webhooks, one job per event, with the batching that its performance guide advises.
import { createHmac } from 'node:crypto'

import { Logger, type Task, run } from 'graphile-worker'

const CONCURRENCY = 64

interface Delivery {
  url: string
  id: string
  body: string
}

const deliver: Task = async (payload) => {
  const { url, id, body } = payload as Delivery
  const seconds = Math.floor(Date.now() / 1000)
  const signature = createHmac('sha256', 'a secret of the benchmark').update(`${seconds}.${body}`).digest('hex')
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-webhook-signature': `t=${seconds},v1=${signature}`,
      'x-webhook-event': 'availability.updated',
      'x-webhook-id': id,
    },
    body,
  })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`The receiver responded ${response.status}.`)
}

/** Logs errors only. */
const logger = new Logger(() => (level, message) => {
  if (level === 'error') process.stderr.write(`${message}\n`)
})

const runner = await run({
  connectionString: process.env['DATABASE_URL'] ?? '',
  taskList: { deliver },
  noHandleSignals: true,
  preset: {
    worker: {
      concurrentJobs: CONCURRENCY,
      maxPoolSize: 8,
      localQueue: { size: CONCURRENCY * 8 },
      completeJobBatchDelay: 0,
      failJobBatchDelay: 0,
    },
  },
  logger,
})
process.on('SIGTERM', () => void runner.stop().then(() => process.exit(0)))
await runner.promise
