import { makeFault } from '#base/faults.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import type { Job } from '#product/administration/jobs/schemas.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import type { RegistrationType } from '#product/catalog/registration-types/schemas.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import { type Mapping, readMapping } from './columns.ts'
import { type MissingType, type ReadLine, readLine, type Types, typesOf } from './read-line.ts'
import { cellsBy, stateOf } from './read-origin.ts'
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
  const allTypes = await registrationTypes.listTickets(tx, eventId)
  return {
    eventId,
    input,
    mapping: { ...readMapping(input.headers, input.columns), system: input.system },
    types: typesOf(allTypes, input.registration_type_id),
    allTypes,
  }
}

/** Holds what the event says about a line, leaving places aside. */
export type Verdict = { email: string | undefined; details: LineDetails } & (
  | { fate: 'left_out'; read?: undefined; reference?: undefined }
  | { fate: 'wrong'; read?: undefined; reference?: undefined; missing?: MissingType | undefined }
  | {
      fate: 'new' | 'known'
      read: ReadLine
      /** The reference that its registration gets or already has. */
      reference: string
    }
)

export async function judge(
  tx: ReadTx,
  { input, mapping, types, eventId }: Judge,
  { line, cells }: ImportLine,
): Promise<Verdict> {
  if (stateOf(cellsBy(mapping, cells)) === 'void') return { fate: 'left_out', email: undefined, details: {} }
  const read = readLine(cells, input.headers.length, mapping, types, eventId)
  const { email } = read
  if (read.faults !== undefined)
    return { fate: 'wrong', email, details: { faults: read.faults }, missing: read.missing }
  const guest = { ...read.registration.buyer, registration_type_id: read.type.id, quantity: read.quantity }
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
