// The program of the processes that expand calendars; see isolated-reader.ts. It has no environment and opens nothing.
import { type BusyTime, type BusyTimeOptions, readBusyTime } from './busy-time.ts'

export interface ReadRequest {
  body: Uint8Array
  options: BusyTimeOptions
  /** The CPU time that the file may take. */
  limitMs: number
}

export type ReadReply = { kind: 'ready' } | { kind: 'done'; result: BusyTime }

const reply = (message: ReadReply) => process.send?.(message)

process.on('message', ({ body, options, limitMs }: ReadRequest) => {
  const since = process.cpuUsage()
  const mayGoOn = () => {
    const { user, system } = process.cpuUsage(since)
    return (user + system) / 1000 < limitMs
  }
  reply({ kind: 'done', result: readBusyTime(new TextDecoder().decode(body), options, mayGoOn) })
})
reply({ kind: 'ready' })
