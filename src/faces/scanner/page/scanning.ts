import type { DoorClock } from './clock.ts'
import type { First, ScanItem, ScanResult, ScansAnswer, Shown, TicketRow } from './contract.ts'
import type { Copy } from './copy.ts'
import { inTime, type Patience } from './decide.ts'
import { itemOf, type ScanQueue } from './queue.ts'
import { Refusal, type Server } from './server.ts'
import type { StoredScan } from './store.ts'

/** What is scanned: a code, or a ticket that was found by its name. */
export interface Presented {
  ticketId: string
  /** Undefined where it was found by its name. */
  code: string | undefined
}

/** What the guest is shown. */
export interface Verdict {
  scanId: string
  ticketId: string
  outcome: 'admitted' | 'refused' | 'held'
  reason: string | null
  row: TicketRow | undefined
  first: First | null
  /** Whether this phone has decided by itself. */
  isOwn: boolean
  /** Corrected, in milliseconds. */
  at: number
}

export interface ScanningParts {
  clock: DoorClock
  date: () => number
  newId: () => string
  server: Server
  patience: Patience
  queue: () => ScanQueue
  copy: () => Copy
  /** Has what waits sent. */
  sendSoon(): void
  /** The server answered in time. */
  onAnswer(answer: ScansAnswer): void
  /** The server answered after the guest was shown something. */
  onLate(scan: StoredScan, result: ScanResult): void
  onRefusal(code: string): void
  /** Whether a scan could be kept. */
  onStored(isKept: boolean): void
}

/** Decides about tickets, one at a time or several at once. */
export class Scanning {
  readonly #parts: ScanningParts

  constructor(parts: ScanningParts) {
    this.#parts = parts
  }

  async scan(presented: Presented): Promise<Verdict> {
    const { patience, copy, queue } = this.#parts
    const scan = this.#make(presented)
    // What this phone itself has let in is not asked about: the mark may still be on its way to the server.
    if (!patience.waits || copy().isMarkedHere(presented.ticketId)) return this.#decideHere(scan)
    queue().beginAsking(scan)
    const isKept = await this.#keep(scan)
    return this.#ask(scan, isKept)
  }

  #make({ ticketId, code }: Presented): StoredScan {
    const { clock, date, newId, queue } = this.#parts
    clock.look()
    const item: ScanItem = {
      scan_id: newId(),
      kind: 'scan',
      ...(code === undefined ? { ticket: ticketId } : { code }),
      at: new Date(date()).toISOString(),
      offset: clock.offset,
      shown: null,
      reason: null,
    }
    return queue().make(item, ticketId)
  }

  async #ask(scan: StoredScan, isKept: boolean): Promise<Verdict> {
    const { server, queue, patience, onAnswer, onLate, onRefusal, sendSoon } = this.#parts
    const asked = server.send([itemOf(scan)], Math.max(0, queue().count - 1))
    asked.then(onAnswer, (error: unknown) => {
      if (error instanceof Refusal) onRefusal(error.code)
    })
    const answer = await inTime(asked, patience)
    const result = answer?.results.find(({ scan_id }) => scan_id === scan.scan_id)
    // It is asked until what was shown is kept, or it would be sent once more as nobody had seen it.
    if (result !== undefined)
      return this.#showAnswer(scan, result, isKept).finally(() => queue().endAsking(scan))
    const verdict = await this.#decideHere(scan, isKept)
    asked
      .then(({ results }) => {
        const late = results.find(({ scan_id }) => scan_id === scan.scan_id)
        if (late !== undefined) onLate({ ...scan, shown: toShown(verdict) }, late)
      })
      .catch(() => undefined)
      .finally(() => {
        queue().endAsking(scan)
        sendSoon()
      })
    return verdict
  }

  /** The server has it, so what a full storage cannot keep is not lost. */
  async #showAnswer(scan: StoredScan, result: ScanResult, wasKept: boolean): Promise<Verdict> {
    const { copy, queue } = this.#parts
    const { outcome, reason, first } = result
    const verdict: Verdict = {
      ...this.#about(scan),
      outcome: outcome === 'admitted' || outcome === 'held' ? outcome : 'refused',
      reason,
      row: result.ticket ?? copy().find(scan.ticketId),
      first,
      isOwn: false,
    }
    const kept = result.ticket ? copy().put(result.ticket) : undefined
    if (kept === undefined && outcome === 'admitted') this.#mark(scan)
    const shown = { ...scan, outcome, answerReason: reason, first, shown: toShown(verdict) }
    const isKept = await this.#keep({ ...shown, acknowledged: 1 }, kept === undefined ? [] : [kept])
    // The storage still says that nobody was shown anything: what was is told, so that it is not taken back.
    if (!isKept && wasKept) queue().hold(shown)
    return verdict
  }

  async #decideHere(scan: StoredScan, wasKept = true): Promise<Verdict> {
    const { copy, sendSoon, queue } = this.#parts
    const about = this.#about(scan)
    const { outcome, reason } = copy().decide(scan.ticketId, about.at)
    const row = copy().find(scan.ticketId)
    const first = reason === 'already_checked_in' ? copy().firstOf(scan.ticketId) : null
    // Before the disk has it: the ticket may be shown again meanwhile.
    if (outcome === 'admitted') this.#mark(scan)
    const isKept = wasKept && (await this.#keep({ ...scan, shown: outcome, reason, first }))
    if (!isKept) {
      copy().unmark(scan.ticketId, scan.scan_id)
      return { ...about, outcome: 'refused', reason: 'storage_full', row, first: null, isOwn: true }
    }
    if (!queue().isAsking(scan)) sendSoon()
    return { ...about, outcome, reason, row, first, isOwn: true }
  }

  #about({ scan_id, ticketId, at, offset }: StoredScan) {
    return { scanId: scan_id, ticketId, at: Date.parse(at) + offset }
  }

  #mark({ scan_id, ticketId, at, offset }: StoredScan): void {
    this.#parts
      .copy()
      .mark(ticketId, { scanId: scan_id, at: new Date(Date.parse(at) + offset).toISOString() })
  }

  /** Before the guest is shown what it says, the disk has it. */
  async #keep(scan: StoredScan, rows: readonly TicketRow[] = []): Promise<boolean> {
    try {
      await this.#parts.queue().keep(scan, scan.shown !== null, rows)
      this.#parts.onStored(true)
      return true
    } catch {
      this.#parts.onStored(false)
      return false
    }
  }
}

function toShown({ outcome }: Verdict): Shown {
  return outcome === 'admitted' ? 'admitted' : 'refused'
}
