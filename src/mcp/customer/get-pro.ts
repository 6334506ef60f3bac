// get_pro: what a person asks about a pro before they book, in short.
import { type Static, Type } from '@sinclair/typebox'

import type { Viewer } from '../../auth/caller.ts'
import type { Ctx } from '../../ctx.ts'
import { paidTerms } from '../../features/booking/bookings/rules/cancellation.ts'
import type { Defaults } from '../../features/upkeep/marketplace/rules/defaults.ts'
import { getDefaults } from '../../features/upkeep/marketplace/verbs.ts'
import { type Availability, ServiceAvailabilityQuery } from '../../features/calendar/availability/schemas.ts'
import { getOpenSlots } from '../../features/calendar/availability/verbs.ts'
import { listQuestions } from '../../features/catalog/services/verbs/questions.ts'
import type { PublicProfile } from '../../features/search/pros/schemas.ts'
import { getPublicProfile } from '../../features/search/pros/verbs/pros.ts'
import { Natural } from '../../platform/schema/numbers.ts'
import { Name, Nullable, Uri } from '../../platform/schema/types.ts'
import { cancellingTerms } from '../../platform/text/cancelling.ts'
import { localDateTime } from '../../platform/text/format.ts'
import { truncate } from '../server/results.ts'
import { defineOpenTool } from '../server/tool.ts'
import { BriefQuestion, briefQuestion } from './brief-question.ts'
import { BriefPrice, type HowBooked, howBooked, termsOf } from './brief-price.ts'

const MAX_ABOUT = 400
const MAX_SERVICES = 12
/** The days of one listing of times, and how many times of it are shown. */
const LISTED_DAYS = 14
const MAX_TIMES = 5

const Service = Type.Object({
  id: Type.String(),
  name: Type.String(),
  price: Type.Optional(BriefPrice),
  minutes: Type.Optional(Natural()),
  deposit: Type.Optional(Type.Number()),
  bookable: Type.Optional(Type.Boolean()),
  questions: Type.Optional(Type.Array(BriefQuestion)),
})

const Profile = Type.Object({
  id: Type.String(),
  businessName: Type.String(),
  about: Nullable(Type.String()),
  verified: Type.Boolean(),
  checked: Type.Array(Type.String(), { description: 'What the marketplace’s operators checked' }),
  declared: Type.Record(Type.String(), Type.String(), { description: 'What the pro says, not checked' }),
  rating: Nullable(Type.Number()),
  reviewCount: Natural(),
  serviceArea: Type.Object({ around: Nullable(Type.String()), radiusMiles: Natural() }),
  emergencies: Type.Boolean(),
  hours: Type.Record(Type.String(), Type.String()),
  timezone: Type.String(),
  bookingFee: Type.Number(),
  deposit: Type.String(),
  cancellation: Type.String(),
  leadTimeHours: Natural(),
  services: Type.Array(Service),
  moreServices: Natural(),
  nextTimes: Type.Array(Type.Object({ startDateTime: Type.String(), localTime: Type.String() })),
  profileUrl: Uri(),
})
type Profile = Static<typeof Profile>

export const getPro = defineOpenTool({
  name: 'get_pro',
  title: 'See a pro',
  description:
    'One pro: service area, what was `checked` by operators and what the pro only `declared` (languages too), hours, deposit, cancelling, prices, and with a serviceId its next open times.',
  access: 'read',
  quotes: 'about, declared and names',
  input: Type.Object(
    {
      professionalId: Name(),
      serviceId: Type.Optional(ServiceAvailabilityQuery.properties.serviceId),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({ pro: Profile }),
  call: async (ctx, { professionalId, serviceId }) => {
    // SQL builds the JSON after the schema of this type.
    const pro = JSON.parse(await getPublicProfile(ctx, { pro: professionalId })) as PublicProfile
    const listed =
      serviceId === undefined
        ? undefined
        : await getOpenSlots(ctx, { serviceId, days: LISTED_DAYS, withFee: true, pro: pro.id })
    const profile = await profileOf(ctx, pro, serviceId, listed)
    const questions = await listQuestions(ctx, { serviceId })
    const services = profile.services.map((service) => ({
      ...service,
      ...(questions.length > 0 && { questions: questions.map(briefQuestion) }),
    }))
    return { pro: { ...profile, services } }
  },
  next: ({ pro: { declared, nextTimes, services } }) =>
    [
      Object.keys(declared).length > 0 && 'Say of `declared` that the pro states it.',
      nextTimes.length > 0
        ? 'All times and what is due: query_availability.'
        : services.some(({ bookable }) => bookable)
          ? 'Times: query_availability.'
          : 'Not bookable at once: request_quote.',
    ]
      .filter(Boolean)
      .join(' '),
})

async function profileOf(
  ctx: Ctx<Viewer>,
  pro: PublicProfile,
  serviceId: string | undefined,
  listed: Availability | undefined,
): Promise<Profile> {
  const [booked, defaults] = await Promise.all([howBooked(ctx), getDefaults(ctx)])
  const { reviews, location, booking, timezone } = pro
  const shown = servicesOf(pro, serviceId)
  return {
    id: pro.id,
    businessName: pro.businessName,
    about: aboutOf(pro),
    verified: pro.verified,
    checked: checksOf(pro),
    declared: declaredBy(pro),
    rating: reviews.stats.count === 0 ? null : reviews.stats.average,
    reviewCount: reviews.stats.count,
    serviceArea: { around: location && `${location.city}, ${location.state}`, radiusMiles: pro.serviceRadius },
    emergencies: pro.acceptsEmergency,
    hours: hoursOf(pro),
    timezone,
    ...policiesOf(pro, booked, defaults),
    leadTimeHours: booking.leadTimeHours,
    services: shown.map((service) => ({ id: service.id, name: service.name, ...termsOf(service, booked) })),
    moreServices: serviceId === undefined ? pro.services.length - shown.length : 0,
    nextTimes: timesOf(listed),
    profileUrl: pro.profileUrl,
  }
}

const servicesOf = ({ services }: PublicProfile, serviceId: string | undefined) =>
  serviceId === undefined ? services.slice(0, MAX_SERVICES) : services.filter(({ id }) => id === serviceId)

function aboutOf({ headline, about, description }: PublicProfile): string | null {
  const text = [headline, about ?? description].filter(Boolean).join('. ')
  return text === '' ? null : truncate(text, MAX_ABOUT)
}

const MARKS = { backgroundCheck: 'background check', insurance: 'insurance', credentials: 'credentials' } as const

const checksOf = ({ verificationDetails: marks }: PublicProfile): string[] =>
  (Object.keys(MARKS) as (keyof typeof MARKS)[]).filter((mark) => marks[mark]).map((mark) => MARKS[mark])

/** Only operators of the marketplace set marks; all of this is the pro's own statement. */
function declaredBy({ business, yearsOfExperience, languages, serviceAreas }: PublicProfile): Record<string, string> {
  const { licenseNumber, licenseState, insuranceCarrier, foundedYear } = business
  return {
    ...(licenseNumber !== null && { license: [licenseNumber, licenseState].filter(Boolean).join(', ') }),
    ...(insuranceCarrier !== null && { insurance: insuranceCarrier }),
    ...(yearsOfExperience !== null && { experience: `${yearsOfExperience} years` }),
    ...(foundedYear !== null && { founded: String(foundedYear) }),
    ...(languages.length > 0 && { languages: languages.join(', ') }),
    ...(serviceAreas !== null && { areas: truncate(serviceAreas, MAX_ABOUT) }),
  }
}

/** By weekday, as `09:00–17:00`; a day without work is closed. */
const hoursOf = ({ businessHours }: PublicProfile): Record<string, string> =>
  Object.fromEntries(
    Object.entries(businessHours).map(([day, spans]) => [
      day.slice(0, 3),
      spans.map(({ start, end }) => `${start}–${end}`).join(', ') || 'closed',
    ]),
  )

/** What is due depends on the service; query_availability says the sum. */
function policiesOf(
  { booking: { depositRequired, depositPercentage } }: PublicProfile,
  { bookingFee }: HowBooked,
  defaults: Defaults,
) {
  const takesDeposit = depositRequired && depositPercentage !== null
  return {
    bookingFee,
    deposit: takesDeposit ? `${depositPercentage}% of the price, paid when booking` : 'none',
    cancellation: takesDeposit || bookingFee > 0 ? paidTerms(defaults) : cancellingTerms({ due: 0, hours: 0 }),
  }
}

function timesOf(listed: Availability | undefined): Profile['nextTimes'] {
  if (!listed) return []
  return listed.availability
    .flatMap(({ slots }) => slots)
    .filter(({ available }) => available)
    .slice(0, MAX_TIMES)
    .map(({ startDateTime }) => ({
      startDateTime,
      localTime: localDateTime(startDateTime, listed.timezone),
    }))
}
