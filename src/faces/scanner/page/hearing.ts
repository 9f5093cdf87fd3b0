import type { CopyAnswer, Notice, ScanResult, ScansAnswer } from './contract.ts'
import type { Copy } from './copy.ts'
import type { ScanQueue } from './queue.ts'
import type { Alarm, StoredScan } from './store.ts'

export interface HearingParts {
  copy: () => Copy
  queue: () => ScanQueue
  tell(alarm: Alarm): Promise<void>
}

/** What answers of the server change on the phone, and what somebody must be told of them. */
export class Hearing {
  readonly #parts: HearingParts

  constructor(parts: HearingParts) {
    this.#parts = parts
  }

  /** @returns how many of them the server has listed */
  async takeResults(sent: readonly StoredScan[], answer: ScansAnswer): Promise<number> {
    const { copy, queue } = this.#parts
    const rows = copy().isThere
      ? answer.results.flatMap(({ ticket }) => (ticket ? [copy().put(ticket)] : []))
      : []
    const byId = new Map(answer.results.map(result => [result.scan_id, result]))
    // Before they are listed, after which nobody asks about them again.
    for (const scan of sent) {
      const result = byId.get(scan.scan_id)
      // What is sent again, as the server was restored, was told when it was new.
      const wasTold = scan.outcome !== null && isAgainst(scan.outcome, scan.answerReason)
      if (result !== undefined && scan.kind === 'scan' && !wasTold) await this.takeLate(scan, result)
    }
    const listed = await queue().acknowledge(sent, answer.results, rows)
    for (const [scan, result] of listed) {
      if (scan.kind === 'scan' && result.ticket) copy().unmark(scan.ticketId, scan.scan_id)
    }
    return listed.length
  }

  /** An answer that came after the guest was shown something. */
  async takeLate(scan: StoredScan, result: ScanResult): Promise<void> {
    const { outcome, reason, first } = result
    const isContrary =
      scan.shown === 'admitted' ? isAgainst(outcome, reason) : this.#isRefusedWrongly(scan, result)
    if (!isContrary) return
    const kind = scan.shown === 'admitted' ? 'double' : 'good'
    await this.#tell(kind, scan.scan_id, scan.ticketId, {
      reason,
      first,
      other: ownOf(scan),
      row: result.ticket,
    })
  }

  /** To what a guest was refused for there is no other answer: only the ticket shows that the list was an old one. */
  #isRefusedWrongly(scan: StoredScan, { outcome, ticket }: ScanResult): boolean {
    const copy = this.#parts.copy()
    // The page was closed before anything was shown, or this phone had let the guest in itself, whatever came of that.
    const isOwn = scan.reason === 'already_checked_in' && scan.first?.door === copy.device.name
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
      if (own.shown === 'admitted' && isAgainst(outcome, reason)) {
        await this.#tell('double', scan_id, own.ticketId, { reason, first, other: ownOf(own) })
      }
    } else if (outcome === 'conflict' && ticket) {
      const other = at ? { at, door: door ?? null } : null
      // Of the phone that had this door before.
      const kind = door === copy().device.name ? 'double' : 'other'
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
    const known = row ?? copy.find(ticketId)
    const type = known && copy.typeOf(known)?.name
    await this.#parts.tell({ kind, scanId, row: known, type, ...about })
  }
}

/** Whether the server says otherwise of a guest who was let in. What a revoked door holds is for a manager. */
function isAgainst(outcome: ScanResult['outcome'], reason: string | null): boolean {
  if (outcome === 'held') return reason !== 'device_revoked'
  return outcome === 'conflict' || outcome === 'refused' || outcome === 'invalid'
}

/** When this phone let in. */
function ownOf({ at, offset }: StoredScan): Alarm['other'] {
  return { at: new Date(Date.parse(at) + offset).toISOString(), door: null }
}
