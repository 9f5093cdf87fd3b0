import type { ReadTx } from '#machinery/db/port.ts'
import * as sheets from '#product/administration/sheets/rules.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import type { Beside } from './read-line.ts'
import type { LineDetails } from './schemas.ts'

/** A line is longer than this at most if it is alone, so this is enough for one. */
const MAX_READ = 1

const LEFT_OUT: Beside = { buyer: undefined, ticketId: undefined, isLeftOut: true }

/**
 * Finds the ticket that an add-on belongs to: a guest of the event, or a line above that would become one. A ticket that was
 * cancelled or left out has no extras.
 *
 * @param reference of the ticket
 * @param checking the job whose lines above are looked at, if they are not imported yet
 */
export async function findBeside(
  tx: ReadTx,
  reference: string,
  { eventId, line, checking }: { eventId: string; line: number; checking: string | undefined },
): Promise<Beside> {
  const found = await registrations.idsByReference(tx, eventId, [reference])
  const id = found.get(reference)
  if (id !== undefined) {
    const { status, buyer } = await registrations.get(tx, id)
    return status === 'confirmed' ? { buyer: buyer.name, ticketId: id, isLeftOut: false } : LEFT_OUT
  }
  const above = checking && (await sheets.findByReference(tx, checking, reference, line))
  if (!above) return LEFT_OUT
  const [ticket] = await sheets.list<LineDetails>(tx, checking as string, {
    ...{ after: above - 1, limit: 1, bytes: MAX_READ },
  })
  // One that is wrong has a reference only if nothing but its type is missing.
  const isComing = ticket?.fate === 'new' || ticket?.fate === 'wrong'
  return isComing ? { buyer: ticket?.details.guest?.name, ticketId: undefined, isLeftOut: false } : LEFT_OUT
}
