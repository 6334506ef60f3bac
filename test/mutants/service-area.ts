// Mutants of where pros come to, and of the lengths that bookings get.
import type { Mutant } from './mutant.ts'

export const SERVICE_AREA: readonly Mutant[] = [
  {
    guarantee: 'A booking outside the pro’s service area waits for approval.',
    file: 'sql/functions/reserve_slot.sql',
    from: 'if in_area is false then',
    to: 'if in_area is null then',
    killedBy: 'test/features/booking/bookings/service-area.test.ts',
  },
  {
    guarantee: 'A paid booking outside the pro’s service area waits for approval.',
    file: 'src/features/booking/bookings/queries/changes.ts',
    from: 'p.requires_approval or b.in_service_area is false as requires_approval',
    to: 'p.requires_approval',
    killedBy: 'test/features/booking/bookings/service-area.test.ts',
  },
  {
    guarantee: 'A caller who asks for it books nothing outside the service area.',
    file: 'src/features/booking/bookings/verbs/create-booking.ts',
    from: 'if (terms.onlyInServiceArea) await',
    to: 'if (!terms) await',
    killedBy: 'test/features/booking/bookings/service-area.test.ts',
  },
  {
    guarantee: 'An agent books nothing outside the service area.',
    file: 'src/mcp/customer/book-appointment.ts',
    from: 'onlyInServiceArea: true',
    to: 'onlyInServiceArea: false',
    killedBy: 'test/features/booking/bookings/service-area.test.ts',
  },
  {
    guarantee: 'The booking page books nothing outside the service area.',
    file: 'src/web/public/booking/routes.ts',
    from: 'await requireServiceArea(ctx, { professionalId: pro.id, serviceId: input.service, ...addressIn(input) })',
    to: '',
    killedBy: 'test/features/booking/bookings/service-area.test.ts',
  },
  {
    guarantee: 'The page for requests asks no pro who does not come.',
    file: 'src/web/public/quote-request/routes.ts',
    from: 'for (const professionalId of [pro.id, ...others])',
    to: 'for (const professionalId of others)',
    killedBy: 'test/features/booking/bookings/service-area.test.ts',
  },
  {
    guarantee: 'A ZIP code says where an address is before its city does.',
    file: 'src/features/catalog/services/verbs/places.ts',
    from: "if (zip?.type === 'zip') return zip",
    to: "if (zip?.type === 'zip' && !city) return zip",
    killedBy: 'test/features/booking/bookings/service-area.test.ts',
  },
  {
    guarantee: 'A booking in the listed length is not told another one.',
    file: 'sql/functions/reserve_slot.sql',
    from: 'nullif(service_minutes(offer, service), minutes)',
    to: 'service_minutes(offer, service)',
    killedBy: 'test/features/booking/bookings/service-area.test.ts',
  },
  {
    guarantee: 'A repeated booking tells the listed length again.',
    file: 'sql/functions/reserve_slot.sql',
    from: "'listed_minutes', listed_minutes",
    to: "'listed_minutes', null",
    killedBy: 'test/features/booking/bookings/service-area.test.ts',
  },
  {
    guarantee: 'The widget books nothing outside the service area.',
    file: 'src/web/ui/assets/scripts/widget.ts',
    from: 'onlyInServiceArea: true',
    to: 'onlyInServiceArea: false',
    killedBy: 'test/web/public/widget.test.ts',
    tests: 'does not come',
  },
]
