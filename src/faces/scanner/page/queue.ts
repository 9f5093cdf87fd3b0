import { MAX_BATCH, type ScanItem, type ScanResult, type TicketRow } from './contract.ts'
import type { StoredScan } from './store.ts'

/** The scans are kept in this store, which is `Store` with IndexedDB. */
export interface ScanStore {
  saveScans(
    scans: readonly StoredScan[],
    options?: { rows?: readonly TicketRow[]; isFlushed?: boolean },
  ): Promise<void>
  waitingScans(): Promise<StoredScan[]>
  reopenScans(): Promise<StoredScan[]>
  findScan(id: string): Promise<StoredScan | undefined>
  lastScans(most: number): Promise<StoredScan[]>
}

/** Holds the scans of this phone. Scans that the server has listed stay, because a restored server asks for them again. */
export class ScanQueue {
  readonly #store: ScanStore
  readonly #waiting = new Map<string, StoredScan>()
  /** The phone is asking the server about these scans at this moment. */
  readonly #asking = new Set<string>()
  #seq = 1
  /** The event of the pairing, or undefined without one. A scan for another event waits for that event. */
  event: string | undefined

  constructor(store: ScanStore) {
    this.#store = store
  }

  /** Returns how many scans the server has not listed yet, without those of another event. */
  get count(): number {
    return this.#waiting.size - this.others().length
  }

  /** Returns the waiting scans of another event. */
  others(): StoredScan[] {
    return this.event === undefined ? [] : [...this.#waiting.values()].filter(scan => !this.#isHere(scan))
  }

  #isHere({ event }: StoredScan): boolean {
    return event === undefined || event === this.event
  }

  waiting(): Iterable<StoredScan> {
    return this.#waiting.values()
  }

  async load(): Promise<void> {
    const [last] = await this.#store.lastScans(1)
    this.#seq = (last?.seq ?? 0) + 1
    const waiting = (await this.#store.waitingScans()).sort((one, other) => one.seq - other.seq)
    this.#waiting.clear()
    // The page ended before it had shown a result, so it did not admit the guest.
    const dismissed = waiting
      .filter(({ kind, shown }) => kind === 'scan' && shown === null)
      .map((scan): StoredScan => ({ ...scan, shown: 'refused', reason: 'dismissed' }))
    for (const scan of [...waiting, ...dismissed]) this.#waiting.set(scan.scan_id, scan)
    if (dismissed.length > 0) await this.#store.saveScans(dismissed)
  }

  /** @param event for an undo, it is the event of its scan */
  make(item: ScanItem, ticketId: string, event = this.event): StoredScan {
    const own = {
      seq: this.#seq++,
      ...(event !== undefined && { event }),
      ticketId,
      acknowledged: 0,
      outcome: null,
      answerReason: null,
      first: null,
    }
    return { ...item, ...own } as StoredScan
  }

  /** Keeps a scan that waits. From then on, the scan outlives the page. */
  async keep(scan: StoredScan, isFlushed = false, rows: readonly TicketRow[] = []): Promise<void> {
    await this.#store.saveScans([scan], { isFlushed, rows })
    if (scan.acknowledged === 0) this.#waiting.set(scan.scan_id, scan)
    else this.#waiting.delete(scan.scan_id)
  }

  /** Makes a scan wait that could not be kept. The server may receive it while the page lives. */
  hold(scan: StoredScan): void {
    this.#waiting.set(scan.scan_id, scan)
  }

  beginAsking(scan: StoredScan): void {
    this.#asking.add(scan.scan_id)
  }

  endAsking(scan: StoredScan): void {
    this.#asking.delete(scan.scan_id)
  }

  isAsking(scan: StoredScan): boolean {
    return this.#asking.has(scan.scan_id)
  }

  /** Returns the next scans to send, the oldest first. */
  batch(most = MAX_BATCH): StoredScan[] {
    const found: StoredScan[] = []
    for (const scan of this.#waiting.values()) {
      if (found.length >= most) break
      if (!this.#asking.has(scan.scan_id) && this.#isHere(scan)) found.push(scan)
    }
    return found
  }

  /**
   * Notes which of the sent scans the server has listed.
   *
   * @returns the scans with their results; a scan that has changed since it was sent still waits
   */
  async acknowledge(
    sent: readonly StoredScan[],
    results: readonly ScanResult[],
    rows: readonly TicketRow[] = [],
  ): Promise<[StoredScan, ScanResult][]> {
    const byId = new Map(results.map(result => [result.scan_id, result]))
    const listed: [StoredScan, ScanResult][] = []
    for (const scan of sent) {
      const result = byId.get(scan.scan_id)
      if (result === undefined || this.#waiting.get(scan.scan_id) !== scan) continue
      const { outcome, reason, first } = result
      listed.push([{ ...scan, acknowledged: 1, outcome, answerReason: reason, first }, result])
    }
    await this.#store.saveScans(
      listed.map(([scan]) => scan),
      { rows },
    )
    const bySentId = new Map(sent.map(scan => [scan.scan_id, scan]))
    for (const [{ scan_id }] of listed) {
      if (this.#waiting.get(scan_id) === bySentId.get(scan_id)) this.#waiting.delete(scan_id)
    }
    return listed
  }

  /** Sends everything on the phone again, because the server may have lost it. */
  async resendAll(): Promise<void> {
    for (const scan of await this.#store.reopenScans()) {
      if (!this.#asking.has(scan.scan_id)) this.#waiting.set(scan.scan_id, scan)
    }
  }

  find(id: string): Promise<StoredScan | undefined> {
    return this.#store.findScan(id)
  }

  last(most: number): Promise<StoredScan[]> {
    return this.#store.lastScans(most)
  }

  /** @param others the scans that stay */
  forgetAll(others: readonly StoredScan[]): void {
    this.#waiting.clear()
    for (const scan of others) this.hold(scan)
  }
}

/** Returns the scan as the server receives it. */
export function itemOf(scan: StoredScan): ScanItem {
  const { scan_id, kind, of, code, ticket, at, offset, shown, reason } = scan
  return {
    scan_id,
    kind,
    ...(of !== undefined && { of }),
    ...(code !== undefined && { code }),
    ...(ticket !== undefined && { ticket }),
    at,
    offset,
    shown,
    reason,
  }
}
