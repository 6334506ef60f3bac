// The steps from a new marketplace to an open one, in their order: each is a page that can be left and resumed.
import { areaText } from '../../features/upkeep/marketplace/rules/area.ts'
import { missingContact } from '../../features/upkeep/marketplace/rules/contact.ts'
import type { FirstPro, LaunchFacts, Marketplace, TestBooking } from '../../features/upkeep/marketplace/schemas.ts'
import type { ProviderName } from '../../payments/provider.ts'
import { plural } from '../../platform/text/format.ts'
import { regionOf } from '../../platform/text/region.ts'

export const GUIDE_PATH = '/console/guide'
/** The last step, and what stands there once the marketplace is open. */
export const OPEN_STEP = `${GUIDE_PATH}/open`

/** What the states of the steps follow from. */
export interface GuideFacts {
  readonly site: Marketplace
  readonly launch: LaunchFacts
  /** Such as `mail.example:465`; undefined where no mail is sent. */
  readonly mailServer: string | undefined
  /** Of new payments; undefined where none are taken. */
  readonly provider: ProviderName | undefined
  /** The latest booking of an operator. */
  readonly testBooking: TestBooking | undefined
  readonly firstPros: readonly FirstPro[]
}

export interface GuideState {
  readonly isDone: boolean
  /** What there is, or what is missing. */
  readonly text: string
}

export interface GuideStep {
  readonly label: string
  /** What the person does there. */
  readonly task: string
  readonly path: string
  /** Where the pages begin that belong to it, too. */
  readonly start?: string
  readonly stateOf: (facts: GuideFacts) => GuideState
}

const done = (text: string): GuideState => ({ isDone: true, text })
const missing = (text: string): GuideState => ({ isDone: false, text })

export const GUIDE: readonly GuideStep[] = [
  {
    label: 'Name and contact',
    task: 'Say what the marketplace is called and how people reach you, and give it its colour and logo.',
    path: '/console/marketplace',
    stateOf: ({ site }) => {
      const lacks = missingContact(site)
      return lacks.length === 0 ? done(site.name) : missing(`Missing: ${lacks.join(', ')}.`)
    },
  },
  {
    label: 'Area',
    task: 'Say where you serve: places, and how far around them.',
    path: '/console/area',
    stateOf: ({ site }) => {
      const region = regionOf(site)
      return done(site.area.length === 0 ? `Everywhere in ${region.nameInSentence}` : areaText(site.area, region))
    },
  },
  {
    label: 'Services',
    task: 'Choose what people can book: tick services to begin with, and change or add any.',
    path: '/console/catalog/starter',
    start: '/console/catalog',
    stateOf: ({ launch: { services } }) =>
      services > 0 ? done(plural(services, 'service')) : missing('No service yet.'),
  },
  {
    label: 'Mail',
    task: 'Send a test mail to yourself: confirmations and codes go by e-mail.',
    path: `${GUIDE_PATH}/mail`,
    stateOf: ({ mailServer }) =>
      mailServer === undefined ? missing('No mail server: nothing is sent.') : done(`By ${mailServer}`),
  },
  {
    label: 'Payments',
    task: 'Decide how pros are paid.',
    path: `${GUIDE_PATH}/payments`,
    stateOf: ({ provider }) => done(PROVIDERS[provider ?? 'none']),
  },
  {
    label: 'First pros',
    task: 'Add a pro, whose owner is sent a link to set services, prices and hours. Or import a file of pros, or let pros apply: Marketplace, Defaults.',
    path: '/console/pros/new',
    start: '/console/verification',
    stateOf: ({ launch: { pros }, firstPros }) =>
      pros > 0
        ? done(`${plural(pros, 'pro')} with services`)
        : missing(firstPros.length > 0 ? `${firstPros[0]?.businessName} has set no services yet.` : 'No pro yet.'),
  },
  {
    label: 'Test booking',
    task: 'Book the first pro as a customer does, read the messages, and cancel it.',
    path: `${GUIDE_PATH}/booking`,
    stateOf: ({ testBooking }) => {
      if (testBooking === undefined) return missing('Not booked yet.')
      return testBooking.isComing ? missing('Booked, and not cancelled yet.') : done('Booked and cancelled')
    },
  },
  {
    label: 'Open',
    task: 'Let visitors and search engines see the marketplace.',
    path: OPEN_STEP,
    stateOf: ({ site: { isOpen } }) => (isOpen ? done('Open') : missing('Visitors see that you open soon.')),
  },
]

const PROVIDERS: Record<ProviderName | 'none', string> = {
  stripe: 'By card, through Stripe',
  sandbox: 'By the sandbox, which moves no money',
  none: 'Customers pay the pro',
}

const isIn = (path: string, start: string) => path === start || path.startsWith(`${start}/`)

/** The index of the step that the page belongs to; undefined for other pages. */
export function stepAt(path: string): number | undefined {
  const index = GUIDE.findIndex((step) => isIn(path, step.path) || (step.start !== undefined && isIn(path, step.start)))
  return index === -1 ? undefined : index
}

/** The first step that is not done; the last one when all are. */
export const nextStep = (facts: GuideFacts): GuideStep | undefined =>
  GUIDE.find(({ stateOf }) => !stateOf(facts).isDone) ?? GUIDE.at(-1)
