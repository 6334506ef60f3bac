// autocannon brings no types: what the load generator uses of it.
declare module 'autocannon' {
  interface Options {
    url: string
    connections: number
    /** Seconds. */
    duration: number
    requests: { method: 'GET'; headers: Record<string, string> }[]
  }
  // Its only export.
  export default function autocannon(options: Options): Promise<{ '2xx': number; non2xx: number; errors: number }>
}
