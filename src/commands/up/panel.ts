// The panel that `hearth up` prints: addresses, keys, and three requests to paste.
import type { Availability } from '../../features/calendar/availability/schemas.ts'
import type { ProfessionalDetail } from '../../features/search/pros/schemas.ts'
import type { Demo } from './demo.ts'

export interface PanelOptions {
  demo: Demo
  baseUrl: string
  /** The server's URL on this machine. */
  localUrl: string
  logFile: string
  demoFile: string
  /** Whether e-mails leave this machine. */
  hasMailServer: boolean
}

/** A place and a booking to try, read from the running server. */
interface Sample {
  place: string
  latitude: number
  longitude: number
  /** A booking that the server would accept now. */
  booking: { serviceId: string; date: string; time: string; duration: number } | undefined
}

/** The panel's text. Its requests use data of the running server, so that they work when pasted. */
export async function renderPanel(options: PanelOptions): Promise<string> {
  const { demo, baseUrl, logFile, demoFile, hasMailServer } = options
  const sample = await findSample(options)
  const keys = Object.entries(demo.keys).map(([name, key]) => `    ${name.padEnd(14)}${key}`)
  return `
  Hearth is running. Press Ctrl-C to stop it; the data is kept.

    API           ${baseUrl}/api/v1
    Reference     ${baseUrl}/api-docs
    OpenAPI       ${baseUrl}/openapi.json
    Console       ${demo.console.url}  (${demo.console.email}, password ${demo.console.password})
    Messages      ${demo.console.url}/mail  (${hasMailServer ? 'e-mails that were sent' : 'e-mails are kept here: MAIL_URL is not set'})
    Log           ${logFile}

  Demo keys (saved in ${demoFile}; pro and agentPro belong to ${demo.pro.slug})

${keys.join('\n')}

${sample ? `  Try it\n\n${tryIt(options, sample).join('\n\n')}\n` : ''}
`
}

/** The panel of a marketplace without demo data: who is missing, and how they come. */
export const renderEmptyPanel = ({ baseUrl, logFile }: Pick<PanelOptions, 'baseUrl' | 'logFile'>): string => `
  Hearth is running, without demo data. Press Ctrl-C to stop it; the data is kept.

    Pages         ${baseUrl}
    API           ${baseUrl}/api/v1
    Reference     ${baseUrl}/api-docs
    Console       ${baseUrl}/console
    Log           ${logFile}

  Make the first operator in another terminal of this folder; the command prints a link for choosing a password:

    npx hearth users invite you@example.com --role operator

  Operators choose services at ${baseUrl}/console/catalog/starter. A command adds all of the starter set, or some:

    npx hearth catalog starter --only plumbing,cleaning

  Operators create pros at ${baseUrl}/console/pros/new. A command does it, too, and prints the owner’s password:

    npx hearth pros create "Oak Plumbing" --email owner@example.com --place "Columbus, OH"

`

function tryIt({ baseUrl, demo }: PanelOptions, sample: Sample): string[] {
  const { place, latitude, longitude, booking } = sample
  const api = `${baseUrl}/api/v1`
  const search = `${api}/pros?category=plumbing&lat=${latitude}&lng=${longitude}&radius=25&limit=3`
  const requests = [
    `    # Plumbers within 25 miles of ${place}\n    curl -s '${search}'`,
    `    # Open times of one of them\n    curl -s '${api}/pros/${demo.pro.slug}/availability?days=7${booking ? `&serviceId=${booking.serviceId}` : ''}'`,
  ]
  if (!booking) return requests
  // The time and customer change with each start, because one customer may only have a few unpaid bookings with a pro.
  const email = `customer.${booking.date}.${booking.time.replace(':', '')}@demo.example`
  const body = {
    professionalId: demo.pro.id,
    ...booking,
    customer: { name: 'Demo Customer', email },
    description: 'The kitchen tap drips.',
  }
  return [
    ...requests,
    `    # Book that time
    curl -s '${api}/bookings' -H 'Authorization: Bearer ${demo.keys.server}' \\
      -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`,
  ]
}

async function findSample({ localUrl, demo }: PanelOptions): Promise<Sample | undefined> {
  const url = `${localUrl}/api/v1/pros/${demo.pro.slug}`
  const pro = await get<ProfessionalDetail>(url, demo.keys.server)
  if (!pro?.location) return undefined
  const { city, state, latitude, longitude } = pro.location
  const serviceId = pro.services.find(({ booking }) => booking.instantBookEnabled)?.id
  const times = await get<Availability>(`${url}/availability?serviceId=${serviceId}`, demo.keys.server)
  const next = times?.nextAvailable
  return {
    place: `${city}, ${state}`,
    // Two decimals stay within half a mile of the pro.
    latitude: Math.round(latitude * 100) / 100,
    longitude: Math.round(longitude * 100) / 100,
    booking:
      serviceId !== undefined && next
        ? { serviceId, date: next.date, time: next.time, duration: times.slotDurationMinutes }
        : undefined,
  }
}

async function get<T>(url: string, key: string): Promise<T | undefined> {
  const response = await fetch(url, { headers: { Authorization: `Bearer ${key}` }, signal: AbortSignal.timeout(5000) })
  return response.ok ? ((await response.json()) as T) : undefined
}
