import { randomUUID } from 'node:crypto'
import type { Clock } from '#base/time.ts'
import type { Database } from '#machinery/db/port.ts'
import * as doors from '#product/entrance/doors/rules.ts'
import type { NewDevice } from '#product/entrance/doors/schemas.ts'

export interface DoorAnswer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look at what they expect
  body: any
}

/** A scan as a scanner sends it, with what a test says of it. */
export interface SentItem {
  scan_id: string
  kind: 'scan' | 'undo' | 'exit'
  at: string
  offset: number
  shown: 'admitted' | 'refused' | null
  [field: string]: unknown
}

/** A scanner without a page: it speaks the protocol over a real socket. */
export class DoorClient {
  readonly #origin: string
  readonly #clock: Clock
  token: string | undefined

  constructor(origin: string, clock: Clock) {
    this.#origin = origin
    this.#clock = clock
  }

  async ask(method: 'GET' | 'POST', path: string, body?: unknown): Promise<DoorAnswer> {
    const response = await fetch(`${this.#origin}/door${path}`, {
      method,
      headers: {
        ...(this.token === undefined ? {} : { authorization: `Bearer ${this.token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: JSON.parse(text) }
  }

  async pair(secret: string): Promise<DoorAnswer> {
    const answer = await this.ask('POST', '/pair', { secret })
    if (answer.status === 201) this.token = answer.body.token
    return answer
  }

  copy(): Promise<DoorAnswer> {
    return this.ask('GET', '/copy')
  }

  changes(cursor: string): Promise<DoorAnswer> {
    return this.ask('GET', `/changes?cursor=${cursor}`)
  }

  send(scans: readonly unknown[], waiting = 0): Promise<DoorAnswer> {
    return this.ask('POST', '/scans', { waiting, scans })
  }

  /** Makes a scan of this instant. */
  scan(of: { code: string } | { ticket: string }, changes: Partial<SentItem> = {}): SentItem {
    return {
      scan_id: randomUUID(),
      kind: 'scan',
      at: new Date(this.#clock()).toISOString(),
      offset: 0,
      shown: null,
      ...of,
      ...changes,
    }
  }

  undo(of: string, changes: Partial<SentItem> = {}): SentItem {
    return this.scan({ ticket: '' }, { kind: 'undo', ticket: undefined, of, ...changes })
  }

  /** Makes the scan of a guest who leaves at this instant. */
  exit(of: { code: string } | { ticket: string }, changes: Partial<SentItem> = {}): SentItem {
    return this.scan(of, { kind: 'exit', ...changes })
  }

  /** Sends one scan. @returns its result */
  async one(item: SentItem): Promise<DoorAnswer['body']> {
    const { body } = await this.send([item])
    return body.results[0]
  }
}

export const DOOR: Omit<NewDevice, 'event_id'> = {
  name: 'Main door',
  registration_type_ids: null,
  search: true,
  unlisted: true,
}

/** Makes a door and pairs a scanner with it. */
export async function pairDoor(
  { app, db, clock }: { app: { siteUrl: string }; db: Database; clock: Clock },
  accountId: string,
  input: Partial<NewDevice> & { event_id: string },
): Promise<{ door: DoorClient; id: string; secret: string }> {
  const made = await db.write(accountId, tx => doors.add(tx, { ...DOOR, ...input }, app.siteUrl))
  const secret = secretOf(made.pairing_url)
  const door = new DoorClient(app.siteUrl, clock)
  await door.pair(secret)
  return { door, id: made.id, secret }
}

export function secretOf(pairingUrl: string): string {
  return pairingUrl.split('#pair=')[1] as string
}
