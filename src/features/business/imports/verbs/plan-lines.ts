// What a part of a file is to do: each of its lines creates or changes a pro, leaves it as it is, or is refused.
import type { TxCtx } from '../../../../ctx.ts'
import { wordsOf } from '../../../catalog/services/words.ts'
import { nameOfColumn, PLACE_COLUMNS, type Column } from '../rules/columns.ts'
import { type ServiceFinder, readServices } from '../rules/services-cell.ts'
import { type Terms, readValues } from '../rules/values.ts'
import type { Given, LineFault, ProFields } from '../schemas.ts'
import { lockImported, selectAddresses } from '../queries.sql.ts'
import type { Places } from './places.ts'

/** A line of the file whose texts are well-formed. */
export interface GivenLine {
  readonly line: number
  readonly values: Readonly<Record<string, string>>
  readonly externalId: string
  readonly given: Given
}

export interface KnownPro {
  readonly id: string
  readonly accountId: string
  readonly status: string
  readonly latitude: number
  readonly longitude: number
  readonly radius: number
  readonly given: Given
  readonly isMissing: boolean
  readonly hasLogin: boolean
}

/** What a line is to do. Without `pro` it creates one. */
export interface Plan {
  readonly line: GivenLine
  readonly pro: KnownPro | undefined
  readonly fields: ProFields
  /** An account without a pro that has the address already. */
  readonly accountId?: string | undefined
}

export interface Planned {
  readonly plans: readonly Plan[]
  readonly refused: readonly { line: GivenLine; faults: readonly LineFault[] }[]
}

/** What the lines of one import are read by. */
export interface Reading {
  readonly terms: Terms
  readonly places: Places
  readonly services: ServiceFinder
}

/** Reads the lines by what the database has of their pros, who are locked until the transaction ends. */
export async function planLines(
  ctx: TxCtx,
  { lines, reading }: { lines: readonly GivenLine[]; reading: Reading },
): Promise<Planned> {
  const found = await lockImported<{ given: Given }>(ctx, { externalIds: lines.map(({ externalId }) => externalId) })
  const known = new Map(found.map((pro) => [pro.externalId, pro]))
  const read = lines.map((line) => ({
    line,
    pro: known.get(line.externalId),
    ...readLine(line, known.get(line.externalId), reading),
  }))
  const emails = read.flatMap(({ fields }) => fields.email ?? [])
  const addresses = new Map((await selectAddresses(ctx, { emails })).map((one) => [one.email, one]))
  const checked = read.map(({ line, pro, fields, faults }) => {
    const address = addresses.get(fields.email ?? '')
    const fault = pro?.status === 'closed' ? CLOSED : fields.email && faultOfAddress(address, pro)
    return {
      line,
      pro,
      fields,
      faults: fault ? [...faults, fault] : faults,
      accountId: address?.accountId ?? undefined,
    }
  })
  return {
    plans: checked.flatMap(({ faults, ...plan }) => (faults.length === 0 ? plan : [])),
    refused: checked.flatMap(({ faults, line }) => (faults.length > 0 ? { line, faults } : [])),
  }
}

const CLOSED: LineFault = {
  column: nameOfColumn('externalId'),
  message: 'belongs to a pro who has closed the account: reopen it, or give a new pro another id',
}

/** The columns of which the line says otherwise than the last import. A column that the last file did not have was empty. */
export const changedColumns = ({ given }: GivenLine, before: Given | undefined): Column[] =>
  (Object.entries(given) as [Column, string][]).flatMap(([column, text]) =>
    text === (before?.[column] ?? '') ? [] : column,
  )

/** A pro keeps what its line said before; only what the line says otherwise is read. */
function readLine(
  line: GivenLine,
  pro: KnownPro | undefined,
  reading: Reading,
): { fields: ProFields; faults: LineFault[] } {
  const changed: Given = Object.fromEntries(
    changedColumns(line, pro?.given).map((column) => [column, line.given[column]]),
  )
  const { fields, faults } = readValues(pro ? changed : { businessName: '', email: '', ...changed }, reading.terms)
  if (!pro || PLACE_COLUMNS.some((column) => changed[column] !== undefined)) {
    const found = reading.places.find(line.given)
    if ('place' in found) fields.place = found.place
    else faults.push(found)
  }
  if (changed.services !== undefined) {
    const { services, faults: wrong } = changedServices(pro?.given.services ?? '', changed.services, reading.services)
    if (services) fields.services = services
    faults.push(...wrong.map((message) => ({ column: nameOfColumn('services'), message })))
  }
  return { fields, faults }
}

/** Services that are written as before stay as the pro has them now. An empty cell leaves all. */
function changedServices(
  before: string,
  after: string,
  finder: ServiceFinder,
): { services?: ProFields['services']; faults: string[] } {
  if (after === '') return { faults: [] }
  const { offers, faults } = readServices(after, finder)
  const former = readServices(before, finder).offers
  const offered = [...offers.values()].filter(({ written, offer }) => former.get(offer.serviceId)?.written !== written)
  return {
    services: {
      offered: offered.map(({ offer }) => offer),
      removed: [...former.keys()].filter((id) => !offers.has(id)),
    },
    faults,
  }
}

type Address = Awaited<ReturnType<typeof selectAddresses>>[number]

function faultOfAddress(address: Address | undefined, pro: KnownPro | undefined): LineFault | undefined {
  const column = nameOfColumn('email')
  const isOwn = pro !== undefined && address?.accountId === pro.accountId
  if (isOwn) return undefined
  if (pro?.hasLogin)
    return { column, message: 'changes the address of an owner who logs in: they change it themselves' }
  if (!address) return undefined
  if (address.professionalId !== null) return { column, message: 'belongs to another pro already' }
  if (address.isLogin || (address.kind !== null && address.kind !== 'pro') || (pro && address.accountId !== null))
    return { column, message: 'belongs to an account that is not a pro’s' }
  return undefined
}

/** Finds services by what people call them. */
export const finderOf = ({ names }: Places): ServiceFinder => ({
  // What only resembles a name is refused, with the name: a file is not read by people, who would notice another service.
  find: (text) => (names.serviceNames.isExact(wordsOf(text)) ? names.offering(text)?.service : undefined),
  nearest: (text) => (wordsOf(text).length === 0 ? undefined : names.servicesLike(text, 1)[0]?.name),
})
