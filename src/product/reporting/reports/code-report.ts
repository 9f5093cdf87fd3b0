import type { Reader } from '#machinery/db/batches.ts'
import { BYTE_ORDER_MARK, safeCell, toCsv } from '#machinery/tables/csv.ts'
import * as codes from '#product/catalog/codes/rules.ts'
import type { Code } from '#product/catalog/codes/schemas.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'

const COLUMNS = [
  'code',
  'percent',
  'amount',
  'currency',
  'registration_types',
  'valid_from',
  'valid_until',
  'max_tickets',
  'used',
  'active',
  'note',
] as const

/** A piece has this many rows. */
const PIECE = 500

/**
 * Returns the codes of an event as CSV, oldest first.
 *
 * @throws Problem not_found
 */
export async function beginCodeReport(
  reader: Reader,
  accountId: string,
  { id, currency }: { id: string; currency: string },
): Promise<AsyncGenerator<string>> {
  const { names, all } = await reader.read(accountId, async tx => {
    const types = await registrationTypes.listByEvent(tx, id)
    const names = new Map(types.map(type => [type.id, type.name]))
    return { names, all: await codes.listAll(tx, id, new Set(names.keys())) }
  })
  return toChunks(all, names, currency)
}

async function* toChunks(
  all: readonly Code[],
  names: ReadonlyMap<string, string>,
  currency: string,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + toCsv([COLUMNS])
  for (let start = 0; start < all.length; start += PIECE) {
    yield toCsv(
      all
        .slice(start, start + PIECE)
        .map(code => [
          safeCell(code.code),
          String(code.percent ?? ''),
          String(code.amount ?? ''),
          code.amount === null ? '' : currency,
          safeCell(code.registration_type_ids?.map(id => names.get(id) ?? '').join(', ') ?? ''),
          code.valid_from ?? '',
          code.valid_until ?? '',
          String(code.max_tickets ?? ''),
          String(code.used),
          String(code.active),
          safeCell(code.note ?? ''),
        ]),
    )
  }
}
