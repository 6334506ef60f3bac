// The program of the processes that expand calendars; see isolated-reader.ts. It has no environment and opens nothing.
import { serveRequests } from '../isolation/program.ts'
import { type BusyTimeOptions, readBusyTime } from './busy-time.ts'

export interface ReadRequest {
  body: Uint8Array
  options: BusyTimeOptions
  /** The CPU time that the file may take. */
  limitMs: number
}

serveRequests(({ body, options, limitMs }: ReadRequest) => {
  const since = process.cpuUsage()
  const mayGoOn = () => {
    const { user, system } = process.cpuUsage(since)
    return (user + system) / 1000 < limitMs
  }
  return readBusyTime(new TextDecoder().decode(body), options, mayGoOn)
})
