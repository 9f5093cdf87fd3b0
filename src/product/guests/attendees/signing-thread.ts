import { Worker } from 'node:worker_threads'
import { newUuid } from '#base/ids.ts'
import { codeOf, headOf, type TicketKey } from './ticket-code.ts'

/** The bundle defines this as the text of `signing-worker.cjs`. */
declare const SIGNING_WORKER: string | undefined

/** Holds the id and the code of a ticket that nobody has yet. */
export interface SignedCode {
  id: string
  qr_code: string
}

/**
 * Holds what the thread receives of a ticket. Each byte of the head is a character, because texts are copied faster than buffers.
 */
export type Unsigned = Pick<TicketKey, 'private_key' | 'public_key'> & { head: string }

/** Holds the signature of one ticket in the same form. It is null if the private key is not valid. */
export type Signature = string | null

/** At most this many tickets are signed before others have their turn. That takes less than a millisecond. */
const AT_ONCE = 32

interface Batch {
  key: TicketKey
  count: number
  begun: number
  codes: SignedCode[]
  resolve: (codes: SignedCode[]) => void
  reject: (error: unknown) => void
}

interface Ticket {
  batch: Batch
  id: string
  head: Buffer
}

/**
 * Lists the batches with tickets still to begin. Each gives one ticket in turn, so a single ticket does not wait for hundreds of
 * another import.
 */
const batches: Batch[] = []
let thread: Worker | undefined
let isBusy = false
/** Lists the tickets that the thread is signing. */
let begun: Ticket[] = []

/**
 * Signs new tickets off the event loop. Handing the tickets of many imports to the thread takes less of the loop's time than
 * signing one. The threads of Node's pool would have to be woken for each signature.
 */
export function signInThread(key: TicketKey, count: number): Promise<SignedCode[]> {
  return new Promise((resolve, reject) => {
    batches.push({ key, count, begun: 0, codes: [], resolve, reject })
    beginInThisTurn()
  })
}

/** Begins once all imports of this turn have arrived. */
function beginInThisTurn(): void {
  if (isBusy || batches.length === 0) return
  isBusy = true
  setImmediate(begin)
}

function begin(): void {
  while (begun.length < AT_ONCE) {
    const batch = batches.shift()
    if (batch === undefined) break
    const id = newUuid()
    begun.push({ batch, id, head: headOf(batch.key, id) })
    batch.begun++
    if (batch.begun < batch.count) batches.push(batch)
  }
  try {
    thread ??= startThread()
    thread.ref()
    thread.postMessage(begun.map(toUnsigned))
  } catch {
    end([])
  }
}

function toUnsigned({ batch: { key }, head }: Ticket): Unsigned {
  const { private_key, public_key } = key
  return { private_key, public_key, head: head.toString('latin1') }
}

function end(signatures: readonly Signature[]): void {
  const ended = begun
  begun = []
  isBusy = false
  thread?.unref()
  // The thread signs the next tickets while these codes are put together.
  beginInThisTurn()
  for (const [at, { batch, id, head }] of ended.entries()) {
    const signature = signatures[at] ?? null
    if (signature === null) batch.reject(new Error('The thread has not signed.'))
    else batch.codes.push({ id, qr_code: codeOf(head, Buffer.from(signature, 'latin1')) })
    if (batch.codes.length === batch.count) batch.resolve(batch.codes)
  }
}

/** Starts the thread, which keeps the process running only while it signs. If it ends, the next import starts another. */
function startThread(): Worker {
  const options = { execArgv: [], resourceLimits: { maxYoungGenerationSizeMb: 2 } }
  const worker =
    typeof SIGNING_WORKER === 'string'
      ? new Worker(SIGNING_WORKER, { ...options, eval: true })
      : new Worker(new URL('./signing-worker.cjs', import.meta.url), options)
  worker.on('message', end)
  worker.on('error', () => undefined)
  worker.on('exit', () => {
    thread = undefined
    if (begun.length > 0) end([])
  })
  return worker
}
