import type { ChangesAnswer, Notice, ScanResult, ScansAnswer } from './contract.ts'
import type { Copy } from './copy.ts'
import type { ScanQueue } from './queue.ts'
import type { Alarm } from './state.ts'
import type { StoredScan } from './store.ts'

export interface HearingParts {
  copy: () => Copy
  queue: () => ScanQueue
  onAlarm(alarm: Alarm): void
}

/** What answers of the server change on the phone, and what somebody must be told of them. */
export class Hearing {
  readonly #parts: HearingParts
  /** What was told once is not told again. */
  readonly #told = new Set<string>()

  constructor(parts: HearingParts) {
    this.#parts = parts
  }

  /** @returns how many of them the server has listed */
  async takeResults(sent: readonly StoredScan[], answer: ScansAnswer): Promise<number> {
    const { copy, queue } = this.#parts
    const rows = copy().isThere
      ? answer.results.flatMap(({ ticket }) => (ticket ? [copy().put(ticket)] : []))
      : []
    const listed = await queue().acknowledge(sent, answer.results, rows)
    const before = new Map(sent.map(scan => [scan.scan_id, scan]))
    for (const [scan, result] of listed) {
      if (scan.kind !== 'scan') continue
      if (result.ticket) copy().unmark(scan.ticketId, scan.scan_id)
      // What is sent again, as the server was restored, was told when it was new.
      const { outcome = null, answerReason = null } = before.get(scan.scan_id) ?? {}
      if (outcome === null || !isAgainst(outcome, answerReason)) this.takeLate(scan, result)
    }
    return listed.length
  }

  /** An answer that came after the guest was shown something. */
  takeLate(scan: StoredScan, result: ScanResult): void {
    const { outcome, reason, first } = result
    const isContrary =
      scan.shown === 'admitted'
        ? isAgainst(outcome, reason)
        : scan.reason !== 'dismissed' && outcome === 'admitted'
    if (!isContrary) return
    const kind = scan.shown === 'admitted' ? 'double' : 'good'
    this.#tell(kind, scan.scan_id, scan.ticketId, { reason, first, other: ownOf(scan), row: result.ticket })
  }

  async takeNotices({ notices }: ChangesAnswer): Promise<void> {
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
        this.#tell('double', scan_id, own.ticketId, { reason, first, other: ownOf(own) })
      }
    } else if (outcome === 'conflict' && ticket) {
      const other = at ? { at, door: door ?? null } : null
      this.#tell('other', scan_id, ticket, { reason, first, other })
    }
  }

  #tell(
    kind: Alarm['kind'],
    scanId: string,
    ticketId: string,
    { row, ...about }: Pick<Alarm, 'reason' | 'first' | 'other'> & { row?: Alarm['row'] | null },
  ): void {
    if (this.#told.has(scanId)) return
    this.#told.add(scanId)
    const copy = this.#parts.copy()
    const known = row ?? copy.find(ticketId)
    const type = known && copy.typeOf(known)?.name
    this.#parts.onAlarm({ kind, scanId, row: known, type, ...about })
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
