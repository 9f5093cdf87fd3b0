import { makeFault } from '#base/faults.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import type { Job } from '#product/administration/jobs/schemas.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import type { RegistrationType } from '#product/catalog/registration-types/schemas.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import { findBeside } from './beside.ts'
import { type Mapping, readMapping } from './columns.ts'
import { type MissingType, type ReadLine, readLine, type Types, typesOf } from './read-line.ts'
import { besideOf, cellsBy, originOf, stateOf } from './read-origin.ts'
import type { CheckInput, ImportLine, LineDetails } from './schemas.ts'

/** Sets the most lines of a batch, and the most bytes of their texts. */
export const BATCH = { limit: 50, bytes: 128 * 1024 }

/** Holds what lines are judged by: the columns of the table and the event as it is now. */
export interface Judge {
  eventId: string
  input: CheckInput
  mapping: Mapping
  types: Types
  allTypes: readonly RegistrationType[]
}

/**
 * Reads what the lines of a job are judged by.
 *
 * @throws Problem not_found for an event that is gone
 */
export async function openJudge(
  tx: ReadTx,
  { event_id, input: kept }: Pick<Job, 'event_id' | 'input'>,
): Promise<Judge> {
  const input = kept as unknown as CheckInput
  const { id: eventId } = await events.get(tx, event_id ?? '')
  // The lines of a shop may be extras: those of its tickets, and whatever else has the name of one.
  const ofShop = input.system !== undefined
  const allTypes = await (ofShop ? registrationTypes.listByEvent : registrationTypes.listTickets)(tx, eventId)
  const extras = ofShop ? await registrationTypes.listExtras(tx, eventId) : new Set<string>()
  return {
    eventId,
    input,
    mapping: { ...readMapping(input.headers, input.columns), system: input.system },
    types: typesOf(allTypes, extras, input.registration_type_id),
    allTypes,
  }
}

/** Holds what the event says about a line, leaving places aside. */
export type Verdict = { email: string | undefined; details: LineDetails } & (
  | { fate: 'left_out'; read?: undefined; reference?: undefined }
  | {
      fate: 'wrong'
      read?: undefined
      /** It is there if the line can become a guest once its type is made. */
      reference?: string | undefined
      missing?: MissingType | undefined
    }
  | {
      fate: 'new' | 'known'
      read: ReadLine
      /** The reference that its registration gets or already has. */
      reference: string
    }
)

/** @param checking the job whose earlier lines may bring the ticket of an add-on, if they are not imported yet */
export async function judge(
  tx: ReadTx,
  { input, mapping, types, eventId }: Judge,
  { line, cells }: ImportLine,
  checking?: string,
): Promise<Verdict> {
  const cell = cellsBy(mapping, cells)
  if (stateOf(cell) === 'void') return { fate: 'left_out', email: undefined, details: {} }
  const ticket = besideOf(cell)
  const beside = ticket && (await findBeside(tx, ticket, { eventId, line, checking }))
  const read = readLine(
    cells,
    { columns: input.headers.length, mapping, types, eventId },
    beside || undefined,
  )
  const { email } = read
  if (read.faults !== undefined) {
    const { faults, missing } = read
    const reference = missing && originOf(cell)
    return { fate: 'wrong', email, details: { faults }, missing, reference }
  }
  const { buyer, attendees } = read.registration
  const holder = attendees?.[0]?.name
  const guest = {
    ...buyer,
    ...(holder === undefined || holder === buyer.name ? {} : { holder }),
    ...{ registration_type_id: read.type.id, quantity: read.quantity },
  }
  const reference = read.reference ?? `import:${input.digest.slice(0, 32)}:${line}`
  const found = await registrations.idsByReference(tx, eventId, [reference])
  const registration_id = found.get(reference)
  if (registration_id === undefined) return { fate: 'new', email, details: { guest }, read, reference }
  const known_by = read.reference === undefined ? 'line' : 'reference'
  return { fate: 'known', email, details: { guest, registration_id, known_by }, read, reference }
}

export function tooFewPlaces(details: LineDetails, available: number): LineDetails {
  const field = details.guest?.quantity === 1 ? 'type' : 'quantity'
  return { ...details, faults: [{ field, fault: makeFault('soldOut', { available }) }] }
}
