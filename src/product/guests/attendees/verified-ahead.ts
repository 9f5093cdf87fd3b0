import type { Reader } from '#machinery/db/batches.ts'
import { FoundKeys } from './found-keys.ts'
import * as keyStore from './key-store.ts'
import { verifyInThread } from './signing-thread.ts'
import { decodeTicket, type TicketCode } from './ticket-code.ts'

/** Says whether a code has the signature of the key that it names. */
export interface VerifiedAhead {
  text: string
  code: TicketCode
  publicKey: string
  isSigned: boolean
}

/** By their ids. The write compares the key with that of the table. */
const keys = new FoundKeys<{ public_key: string }>()

/**
 * Verifies a scanned code in a thread, before the write that admits its ticket.
 *
 * @returns undefined for a text that is no code, and for one of an unknown key; the write itself refuses them
 */
export async function verifyAhead(
  reader: Reader,
  accountId: string,
  text: string,
): Promise<VerifiedAhead | undefined> {
  const code = decodeTicket(text)
  if (code === undefined) return undefined
  const key = await keys.get(reader, code.keyId, () =>
    reader.read(accountId, tx => keyStore.findPublicKey(tx, code.keyId)),
  )
  if (key === undefined) return undefined
  const { public_key: publicKey } = key
  const [isSigned = false] = await verifyInThread([{ code, publicKey }])
  return { text, code, publicKey, isSigned }
}
