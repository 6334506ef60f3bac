// Express 5 with Prisma and its driver adapter: GET /api/v1/pros/:id/availability with the same response as Hearth.
import { PrismaPg } from '@prisma/adapter-pg'
import express from 'express'
import { DateTime } from 'luxon'

import { PrismaClient } from './generated/client.ts'
import { HORIZON_DAYS, openSlots } from './open-slots.ts'

const { PORT, DATABASE_URL } = process.env
const baseUrl = `http://127.0.0.1:${PORT}`
const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: DATABASE_URL, max: 8 }) })
const DAY_MS = 86_400_000

const app = express()
app.disable('x-powered-by')
app.get('/health', (_, response) => void response.json({ ok: true }))
app.get('/api/v1/pros/:id/availability', async (request, response) => {
  const requestedDate = request.query['date']
  const date = DateTime.fromISO(typeof requestedDate === 'string' ? requestedDate : '', { zone: 'utc' })
  const days = Number(request.query['days'] ?? 1)
  if (!date.isValid || !Number.isInteger(days) || days < 1 || days > 14) {
    response.status(400).json({ error: 'date must be a date and days an integer from 1 to 14' })
    return
  }
  // Extra days on both sides: local days start up to 14 hours from UTC's, and a booking may begin before the range.
  const from = new Date(date.toMillis() - 2 * DAY_MS)
  const to = new Date(date.toMillis() + (HORIZON_DAYS + 2) * DAY_MS)
  const pro = await prisma.professional.findUnique({
    where: { id: request.params.id, active: true },
    select: {
      id: true,
      slug: true,
      businessName: true,
      timeZone: true,
      instantBookingEnabled: true,
      leadTimeHours: true,
      bufferMinutes: true,
      defaultSlotMinutes: true,
      businessHours: true,
      bookings: {
        where: { status: { in: ['pending', 'confirmed'] }, startsAt: { gte: from, lt: to } },
        select: { startsAt: true, endsAt: true, bufferMinutes: true, holdExpiresAt: true },
      },
      blocks: { where: { startsAt: { lt: to }, endsAt: { gt: from } }, select: { startsAt: true, endsAt: true } },
    },
  })
  if (!pro) {
    response.status(404).json({ error: 'pro not found' })
    return
  }
  response.json(openSlots(pro, date.toISODate(), days, Date.now(), baseUrl))
})
const server = app.listen(Number(PORT), '127.0.0.1')
process.on('SIGTERM', () => server.close(() => process.exit(0)))
