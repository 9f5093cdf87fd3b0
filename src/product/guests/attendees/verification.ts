import { Problem } from '#base/problem.ts'
import type { Reader } from '#machinery/db/batches.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import * as keys from './key-store.ts'
import { verifyInThread } from './signing-thread.ts'
import { decodeTicket, isSignedBy } from './ticket-code.ts'
import type { VerifiedAhead } from './verified-ahead.ts'

/** Says what a code was signed for. */
export interface VerifiedCode {
  ticketId: string
  eventId: string
}

/**
 * Returns the ticket that a scanned code was signed for, and the event whose key signed it. A key is valid only for the tickets
 * of its own event, so the caller must compare the two. This looks up no ticket, so that a forger learns nothing.
 *
 * @param ahead what was found of this text before the write; without it, this verifies the signature itself
 * @throws Problem invalid_qr_code: the same for a malformed code, an unknown key and a bad signature
 */
export async function verifyCode(tx: ReadTx, text: string, ahead?: VerifiedAhead): Promise<VerifiedCode> {
  const known = ahead?.text === text ? ahead : undefined
  const code = known?.code ?? decodeTicket(text)
  const key = code && (await keys.findPublicKey(tx, code.keyId))
  if (code === undefined || key === undefined) throw new Problem('invalid_qr_code')
  const isSigned = known?.publicKey === key.public_key ? known.isSigned : isSignedBy(code, key.public_key)
  if (!isSigned) throw new Problem('invalid_qr_code')
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
  const claimed = codes.flatMap((code, at) => {
    const key = code && byId.get(code.keyId)
    return code === undefined || key === undefined ? [] : [{ at, code, key, publicKey: key.public_key }]
  })
  const signed = await verifyInThread(claimed)
  const verified: (VerifiedCode | undefined)[] = texts.map(() => undefined)
  for (const [index, { at, code, key }] of claimed.entries()) {
    if (signed[index] === true) verified[at] = { ticketId: code.ticketId, eventId: key.event_id }
  }
  return verified
}
