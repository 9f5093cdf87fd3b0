import type { DoorClock } from './clock.ts'
import { issuedAt } from './codes.ts'
import type { First, ScanItem, ScanResult, ScansAnswer, Shown, TicketRow } from './contract.ts'
import type { Copy } from './copy.ts'
import { inTime, type Patience } from './decide.ts'
import type { Later } from './entries.ts'
import { itemOf, type ScanQueue } from './queue.ts'
import { Refusal, type Server } from './server.ts'
import type { StoredScan } from './store.ts'

/** The guest presents a code, or is found by name. */
export interface Presented {
  ticketId: string
  /** It is undefined for a ticket that was found by its name. */
  code: string | undefined
}

/** The guest is shown this result. */
export interface Verdict {
  scanId: string
  ticketId: string
  outcome: 'admitted' | 'refused' | 'held' | 'left'
  /** Whether the guest was leaving. */
  isExit: boolean
  /** How the admission is shown, if the ticket was in before. */
  later?: Later | undefined
  reason: string | null
  row: TicketRow | undefined
  first: First | null
  /** What the order of the ticket has beside it. Only the server knows that. */
  extras?: ScanResult['extras']
  /** Whether this phone has decided by itself. */
  isOwn: boolean
  /** Whether the ticket, which is not in the list, is newer than the list. */
  isNewer?: boolean
  /** The corrected time, in milliseconds. */
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
  /** Sends the scans that wait. */
  sendSoon(): void
  /** Takes an answer that came in time. */
  onAnswer(answer: ScansAnswer): void
  /** Takes an answer that came after the guest was shown a result. */
  onLate(scan: StoredScan, result: ScanResult): void
  onRefusal(code: string): void
  /** Reports whether the phone could keep a scan. */
  onStored(isKept: boolean): void
}

/** Decides about tickets, one at a time or several at once. */
export class Scanning {
  readonly #parts: ScanningParts

  constructor(parts: ScanningParts) {
    this.#parts = parts
  }

  async scan(presented: Presented): Promise<Verdict> {
    const { patience, copy, queue, server } = this.#parts
    const scan = this.#make(presented)
    // The server has asked to wait, so the copy decides meanwhile.
    if (server.busyFor > 0) return this.#decideHere(scan)
    // The phone does not ask about a ticket that it admitted itself, because the mark may still be on its way to the server.
    if (!patience.waits || copy().isMarkedHere(presented.ticketId)) return this.#decideHere(scan)
    queue().beginAsking(scan)
    const isKept = await this.#keep(scan)
    return this.#ask(scan, isKept)
  }

  #make({ ticketId, code }: Presented): StoredScan {
    const { clock, date, newId, queue, copy } = this.#parts
    clock.look()
    const item: ScanItem = {
      scan_id: newId(),
      kind: copy().device.way === 'out' ? 'exit' : 'scan',
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
    const request = server.send([itemOf(scan)], Math.max(0, queue().count - 1))
    request.then(onAnswer, (error: unknown) => {
      if (error instanceof Refusal) onRefusal(error.code)
    })
    const answer = await inTime(request, patience)
    const result = answer?.results.find(({ scan_id }) => scan_id === scan.scan_id)
    // The scan counts as asked until the shown result is kept. Otherwise it would be sent once more, as one whose result nobody
    // saw.
    if (result !== undefined)
      return this.#showAnswer(scan, result, isKept).finally(() => queue().endAsking(scan))
    const verdict = await this.#decideHere(scan, isKept)
    request
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

  /** The server already has this scan, so nothing is lost if a full storage cannot keep it. */
  async #showAnswer(scan: StoredScan, result: ScanResult, wasKept: boolean): Promise<Verdict> {
    const { copy, queue } = this.#parts
    const { outcome, reason, first } = result
    const verdict: Verdict = {
      ...this.#about(scan),
      outcome: outcome === 'admitted' || outcome === 'held' || outcome === 'left' ? outcome : 'refused',
      reason,
      row: result.ticket ?? copy().find(scan.ticketId),
      first,
      extras: result.extras,
      isOwn: false,
    }
    const kept = result.ticket ? copy().put(result.ticket) : undefined
    if (kept === undefined && (outcome === 'admitted' || outcome === 'left')) this.#mark(scan)
    if (outcome === 'admitted' && verdict.row !== undefined) verdict.later = copy().laterOf(verdict.row)
    const shown = { ...scan, outcome, answerReason: reason, first, shown: toShown(verdict) }
    const isKept = await this.#keep({ ...shown, acknowledged: 1 }, kept === undefined ? [] : [kept])
    // The storage still says that nobody saw a result. The phone sends the shown result, so that the server does not take it
    // back.
    if (!isKept && wasKept) queue().hold(shown)
    return verdict
  }

  async #decideHere(scan: StoredScan, wasKept = true): Promise<Verdict> {
    const { copy, sendSoon, queue } = this.#parts
    const about = this.#about(scan)
    const decision = about.isExit
      ? copy().decideExit(scan.ticketId, about.at)
      : copy().decide(scan.ticketId, about.at)
    const { outcome, reason } = decision
    const before = copy().find(scan.ticketId)
    const first = reason === 'already_checked_in' ? copy().firstOf(scan.ticketId, about.at) : null
    // The mark comes before the write to the disk, because somebody may show the ticket again meanwhile.
    if (outcome !== 'refused' || (about.isExit && before !== undefined)) this.#mark(scan)
    const shown = outcome === 'left' || about.isExit ? null : outcome
    const isKept = wasKept && (await this.#keep({ ...scan, shown, reason, first }))
    const row = isKept && outcome === 'admitted' ? (copy().find(scan.ticketId) ?? before) : before
    const later = outcome === 'admitted' && row !== undefined ? copy().laterOf(row) : undefined
    if (!isKept) {
      copy().unmark(scan.ticketId, scan.scan_id)
      return { ...about, outcome: 'refused', reason: 'storage_full', row, first: null, isOwn: true }
    }
    if (!queue().isAsking(scan)) sendSoon()
    const extras = copy().extrasOf(row)
    const isNewer = reason === 'not_found' && issuedAt(scan.ticketId) > (copy().head?.heardAt ?? about.at)
    return { ...about, outcome, reason, row, first, later, extras, isOwn: true, ...(isNewer && { isNewer }) }
  }

  #about({ scan_id, ticketId, at, offset, kind }: StoredScan) {
    return { scanId: scan_id, ticketId, at: Date.parse(at) + offset, isExit: kind === 'exit' }
  }

  #mark({ scan_id, ticketId, at, offset, kind }: StoredScan): void {
    const mark = { scanId: scan_id, at: new Date(Date.parse(at) + offset).toISOString() }
    this.#parts.copy().mark(ticketId, kind === 'exit' ? { ...mark, isExit: true } : mark)
  }

  /** Writes the scan to the disk before the guest is shown its result. */
  async #keep(scan: StoredScan, rows: readonly TicketRow[] = []): Promise<boolean> {
    try {
      const isFlushed = scan.shown !== null || scan.kind === 'exit'
      await this.#parts.queue().keep(scan, isFlushed, rows)
      this.#parts.onStored(true)
      return true
    } catch {
      this.#parts.onStored(false)
      return false
    }
  }
}

/** Nobody has to be told what a guest saw who was leaving. */
function toShown({ outcome, isExit }: Verdict): Shown | null {
  if (isExit) return null
  return outcome === 'admitted' ? 'admitted' : 'refused'
}
