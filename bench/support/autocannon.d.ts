// Types of autocannon, as far as the load clients use it; the package has none.
declare module 'autocannon' {
  interface Request {
    method: 'GET' | 'POST'
    path: string
    headers: Record<string, string>
    body?: string
  }
  interface Client {
    setRequests(requests: Request[]): void
    on(event: 'response', listener: (status: number, bytes: number, ms: number) => void): void
  }
  interface Options {
    url: string
    connections: number
    /** Seconds. */
    duration?: number
    /** Total requests, instead of a duration. */
    amount?: number
    /** ms */
    sampleInt?: number
    /** Seconds. */
    timeout?: number
    setupClient?: (client: Client) => void
    requests?: { method: 'GET'; headers: Record<string, string> }[]
  }
  // The only export of the package.
  export default function autocannon(options: Options): Promise<{ '2xx': number; non2xx: number; errors: number }>
}
