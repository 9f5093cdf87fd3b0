import { newUuid } from '../ids.ts'
import { encodeTicketInThread, type TicketKey } from './ticket-code.ts'

/** The id and the code of a ticket that nobody has yet. */
export interface SignedCode {
  id: string
  qr_code: string
}

/**
 * How many signatures the threads have at once. The log of the database is synced by the same threads, and waits behind no more
 * than these: some tenths of a millisecond. Fewer would cost the event loop more, as it wakes a thread for each.
 */
const AT_ONCE = 16

interface Batch {
  key: TicketKey
  count: number
  codes: SignedCode[]
  signed: number
  resolve: (codes: SignedCode[]) => void
  reject: (error: unknown) => void
}

/** Those of which some are not begun, one ticket of each in turn: one ticket does not wait for hundreds of another import. */
const batches: Batch[] = []
let begun = 0

/** Signs new tickets off the event loop. */
export function signInThreads(key: TicketKey, count: number): Promise<SignedCode[]> {
  return new Promise((resolve, reject) => {
    batches.push({ key, count, codes: [], signed: 0, resolve, reject })
    beginSome()
  })
}

function beginSome(): void {
  while (begun < AT_ONCE) {
    const batch = batches.shift()
    if (batch === undefined) return
    try {
      begin(batch)
      if (batch.codes.length < batch.count) batches.push(batch)
    } catch (error) {
      batch.reject(error)
    }
  }
}

function begin(batch: Batch): void {
  const id = newUuid()
  const at = batch.codes.length
  encodeTicketInThread(batch.key, id, (error, qr_code) => {
    begun--
    if (error === null) batch.codes[at] = { id, qr_code }
    else batch.reject(error)
    batch.signed++
    if (batch.signed === batch.count) batch.resolve(batch.codes)
    beginSome()
  })
  begun++
  batch.codes.push({ id, qr_code: '' })
}
