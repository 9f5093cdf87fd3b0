import { randomFillSync, randomUUID } from 'node:crypto'
import { v7 } from 'uuid'

/** Returns a UUIDv7. In one process each is greater than the one before, so rows of one millisecond keep their order. */
export function newUuid(): string {
  const now = Date.now()
  if (now > latest) {
    latest = now
    sequence = randomBytes(4).readUInt32BE() >>> 1
  } else {
    sequence++
  }
  return v7({ msecs: latest, seq: sequence, random: randomBytes(16) })
}

let latest = 0
/**
 * Counts within a millisecond from a random start, in the 32 bits that RFC 9562 gives it. At least half of the values are left to
 * count.
 */
let sequence = 0

/** Returns an id such as `chk_…` or `evt_…`, which is ordered like UUIDv7. */
export function newOrderedId(prefix: 'chk_' | 'evt_'): string {
  return prefix + newUuid().replaceAll('-', '')
}

export function newRequestId(): string {
  return `req_${randomUUID().replaceAll('-', '')}`
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Returns true for a UUID in its usual form, in either case. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** Random bytes for many ids. A call to the system costs more than making an id, so one call fetches bytes for many. */
const pool = Buffer.alloc(4096)
let used = pool.length

function randomBytes(count: number): Buffer {
  if (used + count > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += count
  return pool.subarray(used - count, used)
}
