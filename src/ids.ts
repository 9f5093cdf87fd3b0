import { randomUUID } from 'node:crypto'
import { v7 } from 'uuid'

/** UUIDv7: in one process each is greater than the one before, so that rows of one millisecond keep their order. */
export function newUuid(): string {
  return v7()
}

/** `chk_…` and `evt_…`: ordered like UUIDv7. */
export function newOrderedId(prefix: 'chk_' | 'evt_'): string {
  return prefix + v7().replaceAll('-', '')
}

export function newRequestId(): string {
  return `req_${randomUUID().replaceAll('-', '')}`
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** True for a UUID in its usual form, in either case. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}
