// Books the first open time of a pro who books at once: the demo pro, or with a test key as the argument, a test pro.
import { existsSync, readFileSync } from 'node:fs'

const file = `${process.env.HEARTH_HOME ?? '.hearth'}/demo.json`
if (!existsSync(file)) {
  process.stderr.write(`${file} is missing: run \`npm start\` first, until it prints its demo keys.\n`)
  process.exit(1)
}
const { baseUrl, keys, pro } = JSON.parse(readFileSync(file, 'utf8'))
const key = process.argv[2] ?? keys.server
const call = async (path, body) => {
  const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) }
  const response = await fetch(
    `${baseUrl}/api/v1${path}`,
    (body && { method: 'POST', body: JSON.stringify(body), headers }) || { headers },
  )
  const answer = await response.json()
  if (!response.ok) throw new Error(JSON.stringify(answer))
  return answer
}

const testPro = async () =>
  (await call('/pros?limit=3')).professionals.find(({ slug }) => slug.startsWith('test-instant'))
const { id } = key.startsWith('hearth_test_') ? await testPro() : pro
const { services } = await call(`/pros/${id}`)
const service = services.find(({ booking }) => booking.instantBookEnabled)
// Times are listed in the service's own length, which the booking names: without it, it would last the pro's default slot.
const { nextAvailable, service: listed } = await call(`/pros/${id}/availability?serviceId=${service.id}`)
const booking = await call('/bookings', {
  professionalId: id,
  serviceId: service.id,
  date: nextAvailable.date,
  time: nextAvailable.time,
  duration: listed.durationMinutes,
  customer: { name: 'Demo Customer', email: `customer.${Date.now()}@demo.example` },
})
process.stdout.write(`${JSON.stringify(booking, null, 2)}\n`)
