// The in-memory comparison: Redis's GEOSEARCH behind a bare Bun.serve. Returns the nearest 20 ids with distances, without
// total, filters, fields, validation or rate limits. The benchmark fills one sorted set per service and one of all pros.
import { RedisClient } from 'bun'

/** Redis assumes a larger Earth (EARTH_RADIUS_IN_METERS in geohash_helper.c) than PostGIS: without this, pros at the edge differ. */
const RADIUS_RATIO = 6_372_797.560856 / 6_371_008.771415

const redis = new RedisClient(process.env['REDIS_URL'])

const server = Bun.serve({
  port: Number(process.env['PORT']),
  hostname: '127.0.0.1',
  fetch: async (request) => {
    const { searchParams } = new URL(request.url)
    const of = (name: string) => searchParams.get(name) ?? ''
    if (!searchParams.has('lat')) return new Response('ready')
    const key = `bench:geo:${searchParams.get('service') ?? 'every'}`
    const around = [
      'FROMLONLAT',
      of('lng'),
      of('lat'),
      'BYRADIUS',
      String(Number(of('radius')) * RADIUS_RATIO),
      'mi',
      'ASC',
      'COUNT',
      '20',
      'WITHDIST',
    ]
    const nearest = (await redis.send('GEOSEARCH', [key, ...around])) as [id: string, miles: string][]
    return Response.json({ professionals: nearest.map(([id, miles]) => ({ id, distance: Number(miles) })) })
  },
})
process.on('SIGTERM', () => void server.stop(true).then(() => process.exit(0)))
