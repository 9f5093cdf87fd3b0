import type { Reader } from '#machinery/db/batches.ts'
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
  const publicKey = keysOf(reader).get(code.keyId) ?? (await findKey(reader, accountId, code.keyId))
  if (publicKey === undefined) return undefined
  const [isSigned = false] = await verifyInThread([{ code, publicKey }])
  return { text, code, publicKey, isSigned }
}

async function findKey(reader: Reader, accountId: string, keyId: string): Promise<string | undefined> {
  const key = await reader.read(accountId, tx => keyStore.findPublicKey(tx, keyId))
  if (key === undefined) return undefined
  const keys = keysOf(reader)
  if (keys.size >= KEPT_KEYS) keys.delete(keys.keys().next().value as string)
  keys.set(keyId, key.public_key)
  return key.public_key
}

/** Caches public keys by their ids. The write compares the key with that of the table. The oldest leave first. */
const foundKeys = new WeakMap<Reader, Map<string, string>>()
const KEPT_KEYS = 1000

function keysOf(reader: Reader): Map<string, string> {
  let keys = foundKeys.get(reader)
  if (keys === undefined) {
    keys = new Map()
    foundKeys.set(reader, keys)
  }
  return keys
}
