// What agent tools do to the customer's own things, by how the call names them. The rows are found from the inputs of the tools: a
// tool or a field without a row fails `abuse-tools.test.ts`.
import type { Tool } from '../../src/mcp/server/tool.ts'
import { customerTools } from '../../src/mcp/customer/tools.ts'
import { requestUrl } from '../../src/features/quoting/rfqs/verbs/follow-link.ts'
import type { AbuseWorld } from './abuse-world.ts'
import type { Role, Subject, SubjectKind } from './customer-acts.ts'
import { ctxOf } from '../../src/ctx.ts'

/** The input fields that name something of a customer: by a link, which its holder has, or by an id, which others know as well. */
export const LINKS = ['manageUrl', 'requestUrl'] as const
export const IDS = ['bookingId', 'rfqId'] as const
export type NamingField = (typeof LINKS)[number] | (typeof IDS)[number]

const namingFieldsOf = ({ input }: Tool): NamingField[] =>
  [...LINKS, ...IDS].filter((field) => field in input.properties)

/** `cancel_booking by manageUrl`, for every tool and each field by which it names a customer's thing. */
export const namedActs = customerTools.flatMap((tool) =>
  namingFieldsOf(tool).map((field) => ({ name: `${tool.name} by ${field}`, tool, field })),
)
export const toolsWithoutActs = customerTools
  .filter((tool) => namingFieldsOf(tool).length === 0)
  .map(({ name }) => name)

/** Tools that name nothing of a customer: they read what is public or the account's own, or make something new. */
export const OTHER_TOOLS = [
  'search_pros',
  'list_services',
  'get_pro',
  'query_availability',
  'book_appointment',
  'request_quote',
  'get_reviews',
  'list_packages',
  'get_package',
  'compare_packages',
  'list_properties',
  'get_property',
]

interface ToolAct {
  of: SubjectKind
  args?: (subject: Subject) => object
}

let slots = 0
const REVIEW = { rating: 5, content: 'Fine.' }
const startDateTime = () => new Date(Date.parse('2027-02-01T00:00:00Z') + slots++ * 3_600_000).toISOString()

/** By tool and field. */
export const TOOL_ACTS: Readonly<Record<string, ToolAct>> = {
  'get_booking by manageUrl': { of: 'visit' },
  'get_booking by bookingId': { of: 'visit' },
  'reschedule_booking by manageUrl': { of: 'visit', args: () => ({ startDateTime: startDateTime() }) },
  'reschedule_booking by bookingId': { of: 'visit', args: () => ({ startDateTime: startDateTime() }) },
  'cancel_booking by manageUrl': { of: 'visit', args: () => ({ acceptedCost: 1000 }) },
  'cancel_booking by bookingId': { of: 'visit', args: () => ({ acceptedCost: 1000 }) },
  'get_quote_request by requestUrl': { of: 'quote' },
  'get_quote_request by rfqId': { of: 'quote' },
  'submit_review by manageUrl': { of: 'over', args: () => REVIEW },
  'submit_review by bookingId': { of: 'over', args: () => REVIEW },
  'submit_review by requestUrl': { of: 'job', args: () => REVIEW },
  'submit_review by rfqId': { of: 'job', args: () => REVIEW },
}

/** The value of the field for a subject. */
export function namingValue({ app }: AbuseWorld, field: NamingField, subject: Subject): string {
  const { bookingId, requestId = '', answered } = subject
  switch (field) {
    case 'manageUrl':
      return `${app.deps.config.baseUrl}/bookings/manage/${answered}`
    case 'requestUrl':
      return requestUrl(ctxOf(app.deps), { rfqId: requestId })
    case 'bookingId':
      return bookingId
    case 'rfqId':
      return requestId
  }
}

/** Who may act: an id is enough for the app that the customer connected only; a link for any key that does not act for the pro. */
export const mayCall = (field: NamingField, role: Role): boolean =>
  role === 'app of the customer' ||
  ((LINKS as readonly string[]).includes(field) && (role === 'key that booked' || role === 'another key'))
