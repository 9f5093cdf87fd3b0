import { Problem } from '#base/problem.ts'
import type { Reader } from '#machinery/db/batches.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import * as keys from './key-store.ts'
import { decodeTicket, isSignedBy, isSignedByLater } from './ticket-code.ts'

/** Says what a code was signed for. */
export interface VerifiedCode {
  ticketId: string
  eventId: string
}

/**
 * Returns the ticket that a scanned code was signed for, and the event whose key signed it. A key is valid only for the tickets
 * of its own event, so the caller must compare the two. This looks up no ticket, so that a forger learns nothing.
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
 * Verifies many codes of an account off the event loop. It looks up no ticket.
 *
 * @returns for each code, in its order, what it was signed for; undefined for a malformed code, a key that is unknown or of
 *   another account, and a bad signature
 */
export async function verifyCodes(
  reader: Reader,
  accountId: string,
  texts: readonly string[],
): Promise<(VerifiedCode | undefined)[]> {
  const codes = texts.map(decodeTicket)
  const keyIds = [...new Set(codes.flatMap(code => code?.keyId ?? []))]
  const found = await reader.read(accountId, tx => keys.listPublicKeys(tx, keyIds))
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
