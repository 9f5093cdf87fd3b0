import { UNDO_TIME } from '#product/entrance/check-ins/undo-time.ts'
import type { Holding } from './holding.ts'
import { newId } from './ids.ts'
import type { State } from './state.ts'
import type { StoredScan } from './store.ts'
import { textsIn } from './texts/texts.ts'

const SHOWN = 100

export interface ScanListParts {
  holding: Holding
  date: () => number
  state: () => State
  set(part: Partial<State>): void
  onChange(): void
}

/** Lists what this phone has scanned, and takes scans back. */
export class ScanList {
  readonly #parts: ScanListParts

  constructor(parts: ScanListParts) {
    this.#parts = parts
  }

  async list(): Promise<void> {
    const { state, set, holding } = this.#parts
    if (state().screen === 'scans') set({ scans: await holding.queue.last(SHOWN) })
  }

  /** Whether it let a guest in or out, a short while ago. */
  mayUndo({ at, offset, shown, kind, outcome, reason }: StoredScan): boolean {
    const age = this.#parts.holding.clock.now() - Date.parse(at) - offset
    const isIn = kind === 'scan' && shown === 'admitted' && (outcome ?? shown) === 'admitted'
    const isOut = kind === 'exit' && (outcome === null ? reason === null : outcome === 'left')
    return (isIn || isOut) && age < UNDO_TIME
  }

  /** @returns the ticket, or undefined if the phone cannot keep that it was taken back */
  async undo(scanId: string): Promise<string | undefined> {
    const { holding, date, state, set, onChange } = this.#parts
    const { queue, copy, clock, sync } = holding
    set({ asks: undefined })
    const scan = await queue.find(scanId)
    if (scan === undefined) return undefined
    const about = { at: new Date(date()).toISOString(), offset: clock.offset, shown: null }
    const { reason } = textsIn(state().language).undo
    const item = { scan_id: newId(), kind: 'undo', of: scanId, ...about, reason } as const
    const undo = queue.make(item, scan.ticketId, scan.event)
    try {
      await queue.keep(undo, true)
    } catch {
      set({ isStorageFull: true })
      return undefined
    }
    const leftAt =
      scan.kind === 'exit' ? new Date(Date.parse(scan.at) + scan.offset).toISOString() : undefined
    const cleared = copy.clearUse(scan.ticketId, scanId, leftAt)
    const undone: StoredScan = { ...((await queue.find(scanId)) ?? scan), outcome: 'undone' }
    await queue.keep(undone, false, cleared === undefined ? [] : [cleared]).catch(() => undefined)
    const { result } = state()
    if (result?.scanId === scanId) set({ result: { ...result, outcome: 'undone' } })
    onChange()
    void this.list()
      .then(() => sync.send())
      .then(() => this.list())
    return scan.ticketId
  }

  async sendNow(): Promise<void> {
    this.#parts.holding.sync.hurry()
    await this.#parts.holding.sync.send()
    await this.list()
  }
}
