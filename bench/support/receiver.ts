// A webhook receiver process: responds immediately and records the first arrival of each event.
const arrivals = new Map<string, number>()

const server = Bun.serve({
  port: Number(process.env['PORT'] ?? 0),
  hostname: '127.0.0.1',
  fetch: async (request) => {
    const id = request.headers.get('x-webhook-id')
    if (id) {
      await request.arrayBuffer()
      // Since the epoch, which other processes share.
      if (!arrivals.has(id)) arrivals.set(id, performance.timeOrigin + performance.now())
      return new Response('ok')
    }
    if (request.method === 'DELETE') arrivals.clear()
    if (new URL(request.url).pathname === '/arrivals') return Response.json([...arrivals])
    const times = [...arrivals.values()]
    const seconds = (Math.max(...times) - Math.min(...times)) / 1000
    return Response.json({ count: times.length, seconds: times.length > 1 ? seconds : 0 })
  },
})
process.on('SIGTERM', () => void server.stop(true).then(() => process.exit(0)))
