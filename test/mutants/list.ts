// All mutants, by kind of guarantee.
import type { Mutant } from './mutant.ts'
import { AGENTS } from './agents.ts'
import { ASSETS } from './assets.ts'
import { BOOKINGS } from './bookings.ts'
import { CALENDARS } from './calendars.ts'
import { CATALOG } from './catalog.ts'
import { CANCELLATION } from './cancellation.ts'
import { CLIENT_ADDRESSES } from './client-addresses.ts'
import { CONNECTIONS } from './connections.ts'
import { CONTENT } from './content.ts'
import { CUSTOMER_PAGES } from './customer-pages.ts'
import { CUSTOMERS } from './customers.ts'
import { MARKETPLACE_DEFAULTS } from './defaults.ts'
import { DISOWNED } from './disowned.ts'
import { ERASURES } from './erasures.ts'
import { EVENTS } from './events.ts'
import { FILES } from './files.ts'
import { FORMS } from './forms.ts'
import { GROWTH } from './growth.ts'
import { IMPORTS } from './imports.ts'
import { KEYS } from './keys.ts'
import { LIMITS } from './limits.ts'
import { MARKS } from './marks.ts'
import { OAUTH } from './oauth.ts'
import { MESSAGES } from './messages.ts'
import { ORIGINS } from './origins.ts'
import { OWNERS } from './owners.ts'
import { LEAVERS } from './leavers.ts'
import { APPLICATIONS } from './applications.ts'
import { MOVES } from './moves.ts'
import { PAUSES } from './pauses.ts'
import { PAYMENTS } from './payments.ts'
import { PICTURES } from './pictures.ts'
import { PLATFORM } from './platform.ts'
import { PROVIDERS } from './providers.ts'
import { QUOTES } from './quotes.ts'
import { REFUNDS } from './refunds.ts'
import { REPORTS } from './reports.ts'
import { REQUESTS } from './requests.ts'
import { RESERVATIONS } from './reservations.ts'
import { RETRIES } from './retries.ts'
import { ACTS } from './acts.ts'
import { CUSTOMER_ROLES } from './roles.ts'
import { SAID_EVERYWHERE } from './said.ts'
import { SEARCH } from './search.ts'
import { SECOND_FACTORS } from './second-factors.ts'
import { SERVICE_AREA } from './service-area.ts'
import { SESSIONS } from './sessions.ts'
import { SIGNATURES } from './signatures.ts'
import { STATEMENTS } from './statements.ts'
import { TARGETS } from './targets.ts'
import { TEST_MODE } from './test-mode.ts'
import { TIME_ZONES } from './time-zones.ts'
import { TIMES } from './times.ts'
import { TOOLS } from './tools.ts'
import { VISITOR_FILES } from './visitor-files.ts'
import { MEMBER_LOGINS } from './member-logins.ts'
import { USERS } from './users.ts'
import { WORDS } from './words.ts'

export const MUTANTS: readonly Mutant[] = [
  ...ORIGINS,
  ...CLIENT_ADDRESSES,
  ...TARGETS,
  ...IMPORTS,
  ...KEYS,
  ...PLATFORM,
  ...TEST_MODE,
  ...OAUTH,
  ...TOOLS,
  ...SERVICE_AREA,
  ...SESSIONS,
  ...USERS,
  ...MEMBER_LOGINS,
  ...CUSTOMERS,
  ...CUSTOMER_PAGES,
  ...ERASURES,
  ...PAYMENTS,
  ...REFUNDS,
  ...PROVIDERS,
  ...CATALOG,
  ...CANCELLATION,
  ...QUOTES,
  ...TIMES,
  ...TIME_ZONES,
  ...RESERVATIONS,
  ...BOOKINGS,
  ...SIGNATURES,
  ...STATEMENTS,
  ...RETRIES,
  ...DISOWNED,
  ...EVENTS,
  ...CALENDARS,
  ...LIMITS,
  ...OWNERS,
  ...ACTS,
  ...CUSTOMER_ROLES,
  ...CONTENT,
  ...MARKS,
  ...MESSAGES,
  ...AGENTS,
  ...REPORTS,
  ...REQUESTS,
  ...SAID_EVERYWHERE,
  ...SEARCH,
  ...SECOND_FACTORS,
  ...FILES,
  ...VISITOR_FILES,
  ...PICTURES,
  ...GROWTH,
  ...CONNECTIONS,
  ...ASSETS,
  ...FORMS,
  ...WORDS,
  ...MARKETPLACE_DEFAULTS,
  ...LEAVERS,
  ...APPLICATIONS,
  ...MOVES,
  ...PAUSES,
]
