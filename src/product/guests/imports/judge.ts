import type { ReadTx } from '../db/port.ts'
import * as events from '../events/rules.ts'
import { makeFault } from '../faults.ts'
import type { Job } from '../jobs/schemas.ts'
import * as registrationTypes from '../registration-types/rules.ts'
import type { RegistrationType } from '../registration-types/schemas.ts'
import * as registrations from '../registrations/rules.ts'
import { type Mapping, readMapping } from './columns.ts'
import { type ReadLine, readLine, type Types, typesOf } from './read-line.ts'
import type { CheckInput, ImportLine, LineDetails } from './schemas.ts'

/** How long a batch of lines takes at most, in milliseconds: the writes of everybody else wait for it. */
export const BATCH_TIME = 4
/** The most lines of a batch, and bytes of what they say. */
export const BATCH = { limit: 50, bytes: 128 * 1024 }

/** What lines are judged by: the table's columns, and the event as it is. */
export interface Judge {
  eventId: string
  input: CheckInput
  mapping: Mapping
  types: Types
  allTypes: readonly RegistrationType[]
}

/** @throws Problem not_found for an event that is gone */
export async function openJudge(
  tx: ReadTx,
  accountId: string,
  { event_id, input: kept }: Pick<Job, 'event_id' | 'input'>,
): Promise<Judge> {
  const input = kept as unknown as CheckInput
  const { id: eventId } = await events.get(tx, accountId, event_id ?? '')
  const allTypes = await registrationTypes.listByEvent(tx, accountId, eventId)
  return {
    eventId,
    input,
    mapping: readMapping(input.headers, input.columns),
    types: typesOf(allTypes, input.registration_type_id),
    allTypes,
  }
}

/** What the event says of a line, but for the places. */
export type Verdict = { email: string | undefined; details: LineDetails } & (
  | { fate: 'wrong'; read?: undefined; reference?: undefined }
  | {
      fate: 'new' | 'known'
      read: ReadLine
      /** That its registration gets, or has. */
      reference: string
    }
)

export async function judge(
  tx: ReadTx,
  accountId: string,
  { input, mapping, types, eventId }: Judge,
  { line, cells }: ImportLine,
): Promise<Verdict> {
  const read = readLine(cells, input.headers.length, mapping, types, eventId)
  const { email } = read
  if (read.faults !== undefined) return { fate: 'wrong', email, details: { faults: read.faults } }
  const guest = { ...read.registration.buyer, registration_type_id: read.type.id, quantity: read.quantity }
  const reference = read.reference ?? `import:${input.digest.slice(0, 32)}:${line}`
  const found = await registrations.idsByReference(tx, accountId, eventId, [reference])
  const registration_id = found.get(reference)
  if (registration_id === undefined) return { fate: 'new', email, details: { guest }, read, reference }
  const known_by = read.reference === undefined ? 'line' : 'reference'
  return { fate: 'known', email, details: { guest, registration_id, known_by }, read, reference }
}

export function tooFewPlaces(details: LineDetails, available: number): LineDetails {
  const field = details.guest?.quantity === 1 ? 'type' : 'quantity'
  return { ...details, faults: [{ field, fault: makeFault('soldOut', { available }) }] }
}
