import { unlessMissing } from '#base/problem.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import { generate } from '#product/catalog/codes/generate.ts'
import * as codes from '#product/catalog/codes/rules.ts'
import type { Code } from '#product/catalog/codes/schemas.ts'
import type { Terms } from './sending-schemas.ts'

/** Whose code it is. */
interface Of {
  event_id: string
  /** The code that people call the abstract by. */
  code: string
  registration_code_id: string | null
}

/** Returns the code that the presenter of an abstract registers with. @returns undefined if it has none, or one that was removed */
export async function findCode(
  tx: ReadTx,
  { event_id, registration_code_id: id }: Pick<Of, 'event_id' | 'registration_code_id'>,
): Promise<Code | undefined> {
  return id === null ? undefined : unlessMissing(codes.get(tx, event_id, id))
}

/**
 * Gives an abstract a code for one ticket, or the one that it had again, with what it gives now.
 *
 * @returns its id
 * @throws Problem not_found for a type of the event; in_use with the reason too_many_codes
 */
export async function giveCode(tx: WriteTx, of: Of, given: NonNullable<Terms['code']>): Promise<string> {
  const known = await findCode(tx, of)
  if (known !== undefined) {
    if (known.used === 0) await codes.update(tx, of.event_id, known.id, { ...given, active: true })
    return known.id
  }
  const [text = ''] = await generate(tx, of.event_id, {
    ...{ prefix: '', count: 1, amount: null, valid_from: null, max_tickets: 1, active: true },
    ...{ ...given, note: of.code },
  })
  return (await codes.findValid(tx, of.event_id, text, tx.clock())).id
}

/** Ends the code of an abstract that is no longer accepted, unless somebody has registered with it. */
export async function endCode(tx: WriteTx, of: Pick<Of, 'event_id' | 'registration_code_id'>): Promise<void> {
  const known = await findCode(tx, of)
  if (known?.active && known.used === 0) await codes.update(tx, of.event_id, known.id, { active: false })
}
