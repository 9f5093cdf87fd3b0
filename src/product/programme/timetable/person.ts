import { emailKey } from '#base/fields.ts'
import { ERASED_NAME } from '#base/words.ts'
import { inBatches, type Reader } from '#machinery/db/batches.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import type { Chair } from './schemas.ts'
import * as store from './session-store.ts'

const READ = 100

/** Yields the sessions of an account that a person chairs, without that person's name and e-mail, in batches. */
export async function* redactChairs(
  reader: Reader,
  accountId: string,
  key: string,
): AsyncGenerator<store.ChairsRow[]> {
  const batches = inBatches(reader, accountId, READ, (tx, last: store.ChairsRow | undefined, size) =>
    store.listChairs(tx, last, size),
  )
  for await (const rows of batches) {
    yield rows.flatMap(row => {
      const chairs = JSON.parse(row.chairs) as Chair[]
      const isOf = ({ email }: Chair) => email !== null && emailKey(email) === key
      const kept = chairs.map(chair => (isOf(chair) ? { name: ERASED_NAME, email: null } : chair))
      return chairs.some(isOf) ? [{ ...row, chairs: JSON.stringify(kept) }] : []
    })
  }
}

export async function replaceChairs(tx: WriteTx, row: store.ChairsRow): Promise<void> {
  await store.setChairs(tx, row, await tx.now())
}
