import { Worker } from 'node:worker_threads'
import { newUuid } from '#base/ids.ts'
import { codeOf, headOf, isSignedBy, type TicketCode, type TicketKey } from './ticket-code.ts'

/** The bundle defines this as the text of `signing-worker.cjs`. */
declare const SIGNING_WORKER: string | undefined

/** Holds the id and the code of a ticket that nobody has yet. */
export interface SignedCode {
  id: string
  qr_code: string
}

/**
 * Holds what the thread receives of a ticket to sign it. Each byte is a character, because texts are copied faster than buffers.
 */
export type Unsigned = Pick<TicketKey, 'private_key' | 'public_key'> & { head: string }

/** Holds what it receives of a ticket to verify it, in the same form. */
export type Unverified = Pick<TicketKey, 'public_key'> & { head: string; signature: string }

/** Holds the signature of a ticket in the same form, or whether it is verified. It is null if the key is not valid. */
export type Answer = string | boolean | null

/** At most this many tickets are signed before others have their turn. That takes less than a millisecond, and verifying three. */
const AT_ONCE = 32

interface Ticket {
  asked: Unsigned | Unverified
  end: (answer: Answer) => void
}

interface Batch {
  /** The tickets that are not begun. */
  left: number
  next: () => Ticket
}

/**
 * Lists the batches with tickets still to begin. Each gives one ticket in turn, so a single ticket does not wait for hundreds of
 * another import.
 */
const batches: Batch[] = []
let thread: Worker | undefined
let isBusy = false
/** Lists the tickets that the thread has. */
let begun: Ticket[] = []

/**
 * Signs new tickets off the event loop. Handing the tickets of many imports to the thread takes less of the loop's time than
 * signing one. The threads of Node's pool would have to be woken for each signature.
 */
export function signInThread(key: TicketKey, count: number): Promise<SignedCode[]> {
  const { private_key, public_key } = key
  const codes: SignedCode[] = []
  return new Promise((resolve, reject) => {
    const next = (): Ticket => {
      const id = newUuid()
      const head = headOf(key, id)
      const end = (signature: Answer) => {
        if (typeof signature !== 'string') return reject(new Error('The thread has not signed.'))
        codes.push({ id, qr_code: codeOf(head, Buffer.from(signature, 'latin1')) })
        if (codes.length === count) resolve(codes)
      }
      return { asked: { private_key, public_key, head: head.toString('latin1') }, end }
    }
    add({ left: count, next })
  })
}

/** Holds the parts of a code, with the key that it must be signed by. */
export interface Claimed {
  code: TicketCode
  publicKey: string
}

/**
 * Verifies codes off the event loop, as `isSignedBy` does. That took 115 of the 285 µs that a check-in took of the loop. Where the
 * thread has ended, the loop verifies them itself.
 *
 * @throws Error if a key is not valid, as `isSignedBy` does
 */
export function verifyInThread(claimed: readonly Claimed[]): Promise<boolean[]> {
  const verified: boolean[] = []
  if (claimed.length === 0) return Promise.resolve(verified)
  return new Promise((resolve, reject) => {
    let begun = 0
    const next = (): Ticket => {
      const { code, publicKey } = claimed[begun++] as Claimed
      const { signed, signature } = code
      const end = (answer: Answer) => {
        try {
          verified.push(typeof answer === 'boolean' ? answer : isSignedBy(code, publicKey))
          if (verified.length === claimed.length) resolve(verified)
        } catch (error) {
          reject(error)
        }
      }
      return { asked: { public_key: publicKey, head: toText(signed), signature: toText(signature) }, end }
    }
    add({ left: claimed.length, next })
  })
}

function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

function add(batch: Batch): void {
  batches.push(batch)
  beginInThisTurn()
}

/** Begins once all requests of this turn have arrived. */
function beginInThisTurn(): void {
  if (isBusy || batches.length === 0) return
  isBusy = true
  setImmediate(begin)
}

function begin(): void {
  while (begun.length < AT_ONCE) {
    const batch = batches.shift()
    if (batch === undefined) break
    begun.push(batch.next())
    batch.left--
    if (batch.left > 0) batches.push(batch)
  }
  try {
    thread ??= startThread()
    thread.ref()
    thread.postMessage(begun.map(({ asked }) => asked))
  } catch {
    end([])
  }
}

function end(answers: readonly Answer[]): void {
  const ended = begun
  begun = []
  isBusy = false
  thread?.unref()
  // The thread has the next tickets while these are put together.
  beginInThisTurn()
  for (const [at, ticket] of ended.entries()) ticket.end(answers[at] ?? null)
}

/** Starts the thread, which keeps the process running only while it works. If it ends, the next ticket starts another. */
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
