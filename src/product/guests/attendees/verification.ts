import type { Reader } from '../db/batches.ts'
import type { ReadTx } from '../db/port.ts'
import { Problem } from '../problem.ts'
import * as keys from './key-store.ts'
import { decodeTicket, isSignedBy, isSignedByLater } from './ticket-code.ts'

/** What a code was signed for. */
export interface VerifiedCode {
  ticketId: string
  eventId: string
}

/**
 * The ticket that a scanned code was signed for, and the event whose key signed it. A key is good for the tickets of its own
 * event alone: the caller must compare the two. No ticket is looked up here, so that a forger learns nothing.
 *
 * @throws Problem invalid_qr_code: the same for a malformed code, an unknown key and a bad signature
 */
export async function verifyCode(tx: ReadTx, text: string): Promise<VerifiedCode> {
  const code = decodeTicket(text)
  const key = code && (await keys.findPublicKey(tx, code.keyId))
  if (code === undefined || key === undefined || !isSignedBy(code, key.public_key))
    throw new Problem('invalid_qr_code')
  return { ticketId: code.ticketId, eventId: key.event_id }
}

/**
 * The same for many codes of an account, off the event loop. No ticket is looked up.
 *
 * @returns for each, in its order, what it was signed for; undefined for a malformed code, a key of nobody or of another account, and
 *   a bad signature
 */
export async function verifyCodes(
  reader: Reader,
  accountId: string,
  texts: readonly string[],
): Promise<(VerifiedCode | undefined)[]> {
  const codes = texts.map(decodeTicket)
  const keyIds = [...new Set(codes.flatMap(code => code?.keyId ?? []))]
  const found = await reader.read(tx => keys.listPublicKeys(tx, accountId, keyIds))
  const byId = new Map(found.map(key => [key.id, key]))
  return Promise.all(
    codes.map(async code => {
      const key = code && byId.get(code.keyId)
      if (code === undefined || key === undefined) return undefined
      if (!(await isSignedByLater(code, key.public_key))) return undefined
      return { ticketId: code.ticketId, eventId: key.event_id }
    }),
  )
}
