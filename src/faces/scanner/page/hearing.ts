import type { CopyAnswer, Notice, ScanResult, ScansAnswer } from './contract.ts'
import type { Copy } from './copy.ts'
import type { ScanQueue } from './queue.ts'
import type { Alarm, StoredScan } from './store.ts'

export interface HearingParts {
  copy: () => Copy
  queue: () => ScanQueue
  tell(alarm: Alarm): Promise<void>
}

/** Applies the server's answers to the phone, and raises the alarms that follow from them. */
export class Hearing {
  readonly #parts: HearingParts

  constructor(parts: HearingParts) {
    this.#parts = parts
  }

  /** @returns how many of the scans the server has listed */
  async takeResults(sent: readonly StoredScan[], answer: ScansAnswer): Promise<number> {
    const { copy, queue } = this.#parts
    const rows = copy().isThere
      ? answer.results.flatMap(({ ticket }) => (ticket ? [copy().put(ticket)] : []))
      : []
    const byId = new Map(answer.results.map(result => [result.scan_id, result]))
    // The alarms come before the acknowledgement, after which nobody asks about these scans again.
    for (const scan of sent) {
      const result = byId.get(scan.scan_id)
      // A scan that is sent again to a restored server raised its alarm when it was new.
      const wasRaised = scan.outcome !== null && isAgainst(scan.outcome, scan.answerReason)
      if (result === undefined || wasRaised) continue
      if (scan.kind === 'scan') await this.takeLate(scan, result)
      else if (scan.kind === 'undo' && result.outcome === 'refused') await this.#takeRefusedUndo(scan, result)
    }
    const listed = await queue().acknowledge(sent, answer.results, rows)
    for (const [scan, result] of listed) {
      if (scan.kind !== 'undo' && result.ticket) copy().unmark(scan.ticketId, scan.scan_id)
    }
    return listed.length
  }

  /** Takes an answer that came after the guest was shown a result. */
  async takeLate(scan: StoredScan, result: ScanResult): Promise<void> {
    if (scan.kind === 'exit') return
    const { outcome, reason, first } = result
    const isContrary =
      scan.shown === 'admitted' ? isAgainst(outcome, reason) : this.#isRefusedWrongly(scan, result)
    if (!isContrary || (await this.#isUndone(scan.scan_id))) return
    const kind = scan.shown === 'admitted' ? 'double' : 'good'
    await this.#tell(kind, scan.scan_id, scan.ticketId, {
      reason,
      first,
      other: ownOf(scan),
      row: result.ticket,
    })
  }

  /** Somebody has taken the admission back, so nobody has to look for the guest. If that is refused, there is an alarm about it. */
  async #isUndone(scanId: string): Promise<boolean> {
    return (await this.#parts.queue().find(scanId))?.outcome === 'undone'
  }

  /** Takes the refusal of an undo that came too late. The scan still stands, and the guest is inside, or has left. */
  async #takeRefusedUndo(undo: StoredScan, { reason, ticket }: ScanResult): Promise<void> {
    const { queue } = this.#parts
    const scan = undo.of === undefined ? undefined : await queue().find(undo.of)
    const isExit = scan?.kind === 'exit'
    if (scan?.outcome === 'undone') await queue().keep({ ...scan, outcome: isExit ? 'left' : 'admitted' })
    const other = scan === undefined ? null : ownOf(scan)
    const about = { reason: isExit ? 'exit_stands' : reason, first: null, other, row: ticket }
    await this.#tell('undo', undo.scan_id, undo.ticketId, about)
  }

  /** The server repeats a refusal that the guest was shown. Only the ticket's row shows that the phone's list was old. */
  #isRefusedWrongly(scan: StoredScan, { outcome, ticket }: ScanResult): boolean {
    const copy = this.#parts.copy()
    // Either the page was closed before it showed a result, or this phone had admitted the guest itself, whatever came of that.
    const isOwn = scan.reason === 'already_checked_in' && copy.isHere(scan.first?.door ?? null)
    if (scan.reason === 'dismissed' || isOwn) return false
    if (outcome !== 'refused' || !ticket) return outcome === 'admitted'
    return copy.wasGood(ticket, Date.parse(scan.at) + scan.offset)
  }

  async takeNotices({ notices = [] }: Pick<CopyAnswer, 'notices'>): Promise<void> {
    for (const notice of notices) await this.#takeNotice(notice)
  }

  async #takeNotice(notice: Notice): Promise<void> {
    const { copy, queue } = this.#parts
    const { scan_id, outcome, reason = null, first = null, ticket, at, door } = notice
    const own = await queue().find(scan_id)
    if (own !== undefined) {
      if (own.acknowledged === 1) await queue().keep({ ...own, outcome, answerReason: reason, first })
      if (outcome === 'undone') copy().unmark(own.ticketId, scan_id)
      const isUndone = own.outcome === 'undone'
      if (own.shown === 'admitted' && !isUndone && isAgainst(outcome, reason)) {
        await this.#tell('double', scan_id, own.ticketId, { reason, first, other: ownOf(own) })
      }
    } else if (outcome === 'conflict' && ticket) {
      const other = at ? { at, door: door ?? null } : null
      // The scan came from the phone that had this door before.
      const kind = copy().isHere(door ?? null) ? 'double' : 'other'
      await this.#tell(kind, scan_id, ticket, { reason, first, other })
    }
  }

  async #tell(
    kind: Alarm['kind'],
    scanId: string,
    ticketId: string,
    { row, ...about }: Pick<Alarm, 'reason' | 'first' | 'other'> & { row?: Alarm['row'] | null },
  ): Promise<void> {
    const copy = this.#parts.copy()
    const found = row ?? copy.find(ticketId)
    const type = found && copy.typeOf(found)?.name
    await this.#parts.tell({ kind, scanId, row: found, type, ...about })
  }
}

/** Returns whether the server contradicts the admission of a guest. Scans that a revoked door holds are for a manager. */
function isAgainst(outcome: ScanResult['outcome'], reason: string | null): boolean {
  if (outcome === 'held') return reason !== 'device_revoked'
  return outcome === 'conflict' || outcome === 'refused' || outcome === 'invalid'
}

/** Returns when this phone admitted the guest. */
function ownOf({ at, offset }: StoredScan): Alarm['other'] {
  return { at: new Date(Date.parse(at) + offset).toISOString(), door: null }
}
