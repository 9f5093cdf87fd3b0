import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { CopyAnswer, DeviceRow, First, Outcome, ScanItem, TicketRow } from './contract.ts'
import { partsOf, withoutOldNames } from './parts.ts'
import type { Language } from './texts/texts.ts'

/** This is the copy without its tickets. */
export interface CopyHead extends Omit<CopyAnswer, 'tickets' | 'device'> {
  /** When the server last answered, by the corrected clock, in milliseconds. */
  heardAt: number
}

export interface Pairing {
  token: string
  device: DeviceRow
  epoch: string
  /** All names that the door has had since this phone was paired. */
  names?: readonly string[]
}

/** This pairing is no longer known to the server, which may be an older one that lacks scans it had listed. */
export interface Before {
  epoch: string
  eventId: string
  /** In milliseconds. */
  endedAt: number
}

export interface Settings {
  language?: Language
  camera?: string
  isMuted?: boolean
  /** The offset of the clock when the page was last open. */
  offset?: number
}

/** The phone keeps a scan or an undo in this form. */
export interface StoredScan extends ScanItem {
  /** The number of the scan, in the order of the scans. */
  seq: number
  /** The id of the event for whose list it was scanned. No other event may get it. */
  event?: string
  ticketId: string
  /** It is 0 until the server has listed the present state of the scan, and then 1. An index knows no booleans. */
  acknowledged: 0 | 1
  /** The server's outcome. It is null before the server has answered. */
  outcome: Outcome | null
  answerReason: string | null
  /** The server's value. Before it answers, this phone's own value. */
  first: First | null
}

export interface Alarm {
  /**
   * `double`: admitted here without the check-in. `other`: also admitted at another door. `good`: refused here, although it was
   * good. `undo`: not taken back.
   */
  kind: 'double' | 'other' | 'good' | 'undo'
  scanId: string
  row: TicketRow | undefined
  type: string | undefined
  reason: string | null
  first: First | null
  /** For `other`, the other door and when it admitted the ticket. For the other kinds, the scan at this door. */
  other: First | null
}

/** This part of the alarms outlives the page. */
export interface KeptAlarms {
  /** These have no names. The list has the names if the phone may know them. */
  standing: readonly Alarm[]
  told: readonly string[]
}

interface Schema extends DBSchema {
  meta: { key: string; value: unknown }
  /** The fetched tickets, in parts. Thousands of single rows would take seconds. */
  parts: { key: number; value: readonly TicketRow[] }
  /** The rows that have changed since. They replace those of the parts. */
  changed: { key: string; value: TicketRow }
  scans: { key: string; value: StoredScan; indexes: { acknowledged: number; seq: number } }
}

export interface Kept {
  pairing: Pairing | undefined
  before: Before | undefined
  settings: Settings
  head: CopyHead | undefined
  tickets: Map<string, TicketRow>
  alarms?: KeptAlarms
}

const NAME = 'turnout-door'
/** Keeps in IndexedDB what outlives the page. Every method rejects if the storage is full or gone. */
export class Store {
  readonly #db: IDBPDatabase<Schema>
  /** The stored parts of the list as it was fetched. */
  #parts = new Map<number, readonly TicketRow[]>()

  private constructor(db: IDBPDatabase<Schema>) {
    this.#db = db
  }

  static async open(onGone: () => void): Promise<Store> {
    const db = await openDB<Schema>(NAME, 1, {
      upgrade(made) {
        made.createObjectStore('meta')
        made.createObjectStore('parts')
        made.createObjectStore('changed')
        const scans = made.createObjectStore('scans', { keyPath: 'scan_id' })
        scans.createIndex('acknowledged', 'acknowledged')
        scans.createIndex('seq', 'seq')
      },
      blocking: (_from, _to, event) => (event.target as IDBDatabase).close(),
      terminated: onGone,
    })
    return new Store(db)
  }

  async load(): Promise<Kept> {
    const tx = this.#db.transaction(['meta', 'parts', 'changed'])
    const meta = tx.objectStore('meta')
    const [pairing, before, settings, head, alarms, keys, parts, changed] = await Promise.all([
      meta.get('pairing'),
      meta.get('before'),
      meta.get('settings'),
      meta.get('head'),
      meta.get('alarms'),
      tx.objectStore('parts').getAllKeys(),
      tx.objectStore('parts').getAll(),
      tx.objectStore('changed').getAll(),
    ])
    this.#parts = new Map(keys.map((key, at) => [key, parts[at] ?? []]))
    const tickets = new Map<string, TicketRow>()
    for (const part of [...parts, changed]) for (const row of part) tickets.set(row[0], row)
    return {
      pairing: pairing as Pairing | undefined,
      before: before as Before | undefined,
      settings: (settings ?? {}) as Settings,
      head: head as CopyHead | undefined,
      tickets,
      ...(alarms !== undefined && { alarms: alarms as KeptAlarms }),
    }
  }

  async savePairing(pairing: Pairing): Promise<void> {
    await this.#db.put('meta', pairing, 'pairing')
  }

  /** Resolves once the alarms are on the disk, and not only with the system. */
  async saveAlarms(alarms: KeptAlarms): Promise<void> {
    const tx = this.#db.transaction('meta', 'readwrite', { durability: 'strict' })
    await Promise.all([tx.store.put(alarms, 'alarms'), tx.done])
  }

  async saveSettings(settings: Settings): Promise<void> {
    await this.#db.put('meta', settings, 'settings')
  }

  /** Replaces the copy. */
  async saveCopy(head: CopyHead, tickets: readonly TicketRow[]): Promise<void> {
    const tx = this.#db.transaction(['meta', 'parts', 'changed'], 'readwrite')
    const parts = tx.objectStore('parts')
    const made = partsOf(tickets)
    await Promise.all([
      parts.clear(),
      tx.objectStore('changed').clear(),
      tx.objectStore('meta').put(head, 'head'),
      ...made.map(([key, rows]) => parts.put(rows, key)),
      tx.done,
    ])
    this.#parts = new Map(made)
  }

  async saveChanges(head: CopyHead, rows: readonly TicketRow[]): Promise<void> {
    const tx = this.#db.transaction(['meta', 'changed', 'parts'], 'readwrite')
    const changed = tx.objectStore('changed')
    const named = withoutOldNames(this.#parts, rows)
    await Promise.all([
      tx.objectStore('meta').put(head, 'head'),
      ...rows.map(row => changed.put(row, row[0])),
      ...named.map(([key, part]) => tx.objectStore('parts').put(part, key)),
      tx.done,
    ])
    for (const [key, part] of named) this.#parts.set(key, part)
  }

  /**
   * Writes scans with their changes of tickets.
   *
   * @param isFlushed whether the scans have to reach the disk, and not only the system, which outlives the page
   */
  async saveScans(
    scans: readonly StoredScan[],
    { rows = [], isFlushed = false }: { rows?: readonly TicketRow[]; isFlushed?: boolean } = {},
  ): Promise<void> {
    const durability = isFlushed ? 'strict' : 'relaxed'
    const named = withoutOldNames(this.#parts, rows)
    const tx = this.#db.transaction(['scans', 'changed', 'parts'], 'readwrite', { durability })
    await Promise.all([
      ...scans.map(scan => tx.objectStore('scans').put(scan)),
      ...rows.map(row => tx.objectStore('changed').put(row, row[0])),
      ...named.map(([key, part]) => tx.objectStore('parts').put(part, key)),
      tx.done,
    ])
    for (const [key, part] of named) this.#parts.set(key, part)
  }

  waitingScans(): Promise<StoredScan[]> {
    return this.#db.getAllFromIndex('scans', 'acknowledged', 0)
  }

  /**
   * Makes all listed scans wait again, and returns them in their order. One transaction does it, so that any other write comes
   * before or after.
   */
  async reopenScans(): Promise<StoredScan[]> {
    const tx = this.#db.transaction('scans', 'readwrite')
    const listed = await tx.store.index('acknowledged').getAll(1)
    const scans = listed.map((scan): StoredScan => ({ ...scan, acknowledged: 0 }))
    await Promise.all([...scans.map(scan => tx.store.put(scan)), tx.done])
    return scans.sort((one, other) => one.seq - other.seq)
  }

  findScan(id: string): Promise<StoredScan | undefined> {
    return this.#db.get('scans', id)
  }

  /** Returns the last scans, the newest first. */
  async lastScans(most: number): Promise<StoredScan[]> {
    const found: StoredScan[] = []
    let cursor = await this.#db.transaction('scans').store.index('seq').openCursor(null, 'prev')
    while (cursor !== null && found.length < most) {
      found.push(cursor.value)
      cursor = await cursor.continue()
    }
    return found
  }

  /**
   * Wipes only the copy. Scans that were not sent yet stay.
   *
   * @param before keeps all scans of that pairing too, because they may have to be sent again
   */
  async wipeCopy(before?: Before): Promise<void> {
    const tx = this.#db.transaction(['meta', 'parts', 'changed', 'scans'], 'readwrite')
    const meta = tx.objectStore('meta')
    const scans = tx.objectStore('scans')
    const kept = before ? await scans.getAll() : await scans.index('acknowledged').getAll(0)
    await Promise.all([
      meta.delete('head'),
      before ? meta.put(before, 'before') : meta.delete('before'),
      tx.objectStore('parts').clear(),
      tx.objectStore('changed').clear(),
      scans.clear(),
      ...kept.map(scan => scans.put(scan)),
      tx.done,
    ])
    this.#parts.clear()
  }

  async forgetPairing(): Promise<void> {
    await this.#db.delete('meta', 'pairing')
  }

  /** Wipes everything except the settings and the scans of another event. */
  async wipe(others: readonly StoredScan[]): Promise<void> {
    const tx = this.#db.transaction(['meta', 'parts', 'changed', 'scans'], 'readwrite')
    await Promise.all([
      tx.objectStore('meta').delete('pairing'),
      tx.objectStore('meta').delete('before'),
      tx.objectStore('meta').delete('head'),
      tx.objectStore('meta').delete('alarms'),
      tx.objectStore('parts').clear(),
      tx.objectStore('changed').clear(),
      tx.objectStore('scans').clear(),
      ...others.map(scan => tx.objectStore('scans').put(scan)),
      tx.done,
    ])
    this.#parts.clear()
  }

  close(): void {
    this.#db.close()
  }
}

/**
 * Returns whether the error comes from a full storage. A write that shared a transaction with the failed write has this error
 * too.
 */
export function isFull(error: unknown): boolean {
  return error instanceof DOMException && /^(QuotaExceeded|Abort)Error$/.test(error.name)
}
