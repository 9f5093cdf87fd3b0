import type { SentItem } from './door.ts'
import { EntryModel, type ModelRule } from './entry-model.ts'

/** A ticket as the model knows it. Instants are milliseconds. */
export interface ModelTicket {
  id: string
  /** Another reason why no door admits it. */
  refusal: string | undefined
  from: number
  until: number
  /** The scan that holds the check-in, or who else made it. */
  holder: string | undefined
  /** Whether anything but scans has touched it. */
  isTouched: boolean
  /** Its entries, if its type allows more than one. */
  entries?: EntryModel | undefined
}

export interface ModelScan {
  id: string
  kind: SentItem['kind']
  ticket: ModelTicket
  at: number
  shown: SentItem['shown']
  /** The reason why this door never admits it, whatever becomes of it. */
  never: string | undefined
  isHeld: boolean
  /** Somebody has dismissed it. A phone that then says that the guest was let in has it held once more, and it may count. */
  isDismissed: boolean
  /** The instant at which the server first had it. */
  receivedAt: number
}

/** Describes what takes a scan back. */
interface ModelUndo {
  id: string
  of: string
  at: number
  outcome: 'undone' | 'held' | 'refused'
}

/** So long a device takes back what it has let in. */
const UNDO_TIME = 10 * 60_000

/** Describes a scan with what came along, and its instant. */
export interface Arrival {
  item: SentItem
  ticket: ModelTicket | undefined
  never: string | undefined
  isRevoked: boolean
  pairedAt: number
  now: number
}

/**
 * The smallest form of the rules of the door: a ticket has one holder; who was shown admitted beside it is a conflict; a mark that
 * is given back goes to the oldest of those.
 */
export class DoorModel {
  readonly scans = new Map<string, ModelScan>()
  readonly undos = new Map<string, ModelUndo>()
  readonly #undone = new Set<string>()
  /** The instant since which the database is another one: what phones send again counts as new. */
  epochAt = Number.NEGATIVE_INFINITY

  /** Takes a scan, which may arrive again. */
  take({ item, ticket, never, isRevoked, pairedAt, now }: Arrival): void {
    const at = Math.min(Math.max(Date.parse(item.at) + item.offset, pairedAt), now)
    if (item.kind === 'undo') {
      this.#takeUndo({ id: item.scan_id, of: item.of as string, at }, isRevoked, now)
      return
    }
    const existing = this.scans.get(item.scan_id)
    if (existing === undefined) {
      const scan = {
        ...{
          id: item.scan_id,
          kind: item.kind,
          ticket: ticket as ModelTicket,
          at,
          never,
          isDismissed: false,
        },
        ...{ shown: item.kind === 'exit' ? null : item.shown, isHeld: isRevoked, receivedAt: now },
      }
      this.scans.set(scan.id, scan)
      this.#judgeEarlyUndos(scan)
      if (scan.shown !== 'refused') this.#claim(scan)
    } else if (item.kind === 'exit') {
      // Nobody is shown more of an exit.
    } else if (existing.shown === null && item.shown !== null && !isRevoked) {
      existing.shown = item.shown
      if (existing.shown === 'admitted') this.#claim(existing)
      else this.#release(existing)
    } else if (
      existing.shown === null &&
      item.shown === 'admitted' &&
      this.outcomeOf(existing.id) === 'refused'
    ) {
      existing.shown = item.shown
      existing.isHeld = true
      existing.isDismissed = false
    }
  }

  #takeUndo({ id, of, at }: Omit<ModelUndo, 'outcome'>, isRevoked: boolean, now: number): void {
    if (this.undos.has(id)) return
    const target = this.scans.get(of)
    const isOld =
      target !== undefined && target.receivedAt > this.epochAt && now - target.receivedAt >= UNDO_TIME
    const isLate = target !== undefined && (at - target.at >= UNDO_TIME || isOld)
    const isRefused = isLate && !this.#undone.has(of)
    const outcome = isRevoked ? 'held' : isRefused ? 'refused' : 'undone'
    this.undos.set(id, { id, of, at, outcome })
    if (outcome === 'undone') this.undo(of)
  }

  /** Judges the undos that came before their scan. Those that were made too late take nothing back. */
  #judgeEarlyUndos(scan: ModelScan): void {
    const early = [...this.undos.values()].filter(({ of, outcome }) => of === scan.id && outcome === 'undone')
    if (early.length === 0 || early.some(({ at }) => at - scan.at < UNDO_TIME)) return
    for (const undo of early) undo.outcome = 'refused'
    this.#undone.delete(scan.id)
  }

  /** Decides about the held scans, in the order in which they were made. @returns how many came to what */
  decide(decision: 'count' | 'dismiss', isMeant: (held: { id: string; at: number }) => boolean) {
    const all = [...this.scans.values(), ...this.undos.values()]
    const meant = all.filter(({ id }) => this.#isHeld(id)).filter(isMeant)
    meant.sort((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1))
    const counts: Record<string, number> = {}
    for (const { id } of meant) {
      // Another undo that counts has taken it back.
      if (!this.#isHeld(id)) continue
      const outcome = this.#decideOne(id, decision)
      counts[outcome] = (counts[outcome] ?? 0) + 1
    }
    return counts
  }

  #isHeld(id: string): boolean {
    return this.undos.get(id)?.outcome === 'held' || (this.scans.has(id) && this.outcomeOf(id) === 'held')
  }

  #decideOne(id: string, decision: 'count' | 'dismiss'): string {
    const undo = this.undos.get(id)
    if (undo !== undefined) {
      undo.outcome = decision === 'count' ? 'undone' : 'refused'
      if (decision === 'count') this.undo(undo.of)
      return decision === 'count' ? 'undone' : 'dismissed'
    }
    const scan = this.scans.get(id) as ModelScan
    scan.isHeld = false
    if (decision === 'dismiss') {
      scan.isDismissed = true
      return 'dismissed'
    }
    // It is judged by no door's types.
    if (scan.never === 'wrong_door') scan.never = undefined
    if (scan.shown !== 'refused') this.#claim(scan)
    return this.outcomeOf(id)
  }

  undo(id: string): void {
    if (this.#undone.has(id)) return
    this.#undone.add(id)
    const scan = this.scans.get(id)
    if (scan !== undefined) this.#release(scan)
  }

  /** Somebody takes a check-in back that no scan holds. */
  takeBack(ticket: ModelTicket): void {
    const { holder } = ticket
    if (holder !== undefined && this.scans.has(holder)) this.undo(holder)
    else if (holder !== undefined && ticket.entries !== undefined) this.#release({ id: holder, ticket })
    else {
      ticket.holder = undefined
      this.#next(ticket)
    }
  }

  /** Returns the reason why a ticket is not admitted. */
  refusalOf(ticket: ModelTicket, at: number): string | undefined {
    if (ticket.refusal !== undefined) return ticket.refusal
    if (ticket.holder !== undefined) return 'already_checked_in'
    return at >= ticket.from && at < ticket.until ? undefined : 'not_valid_today'
  }

  outcomeOf(id: string): string {
    const scan = this.scans.get(id)
    if (scan === undefined || this.#undone.has(id)) return 'undone'
    if (scan.isHeld) return 'held'
    if (scan.isDismissed) return 'refused'
    const { entries } = scan.ticket
    if (scan.kind === 'exit') return entries?.entries.some(({ exit }) => exit === id) ? 'left' : 'refused'
    const isHolder = entries?.entries.some(({ holder }) => holder === id) ?? scan.ticket.holder === id
    if (isHolder) return 'admitted'
    return scan.shown === 'admitted' ? 'conflict' : 'refused'
  }

  /** Returns whether a ticket is in, by what the guests saw alone: whatever was lost, came twice, or in another order. */
  isInByScans(ticket: ModelTicket): boolean {
    return [...this.scans.values()].some(
      scan =>
        scan.ticket === ticket &&
        scan.kind === 'scan' &&
        scan.shown === 'admitted' &&
        this.#stands(scan) &&
        scan.at >= ticket.from &&
        scan.at < ticket.until,
    )
  }

  #stands({ id, isHeld, isDismissed, never }: ModelScan): boolean {
    return !isHeld && !isDismissed && never === undefined && !this.#undone.has(id)
  }

  /** Returns the entries of a ticket whose type allows more than one. */
  entriesOf(ticket: ModelTicket, rule: ModelRule): EntryModel {
    const beside = (kind: SentItem['kind'], outcome: string) => () => {
      const isBeside = (scan: ModelScan) =>
        scan.ticket === ticket &&
        scan.kind === kind &&
        this.#stands(scan) &&
        this.outcomeOf(scan.id) === outcome
      const all = [...this.scans.values()].filter(isBeside)
      return all.sort((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1))
    }
    const doubles = beside('scan', 'conflict')
    const isGood = ({ at }: { at: number }) =>
      ticket.refusal === undefined && at >= ticket.from && at < ticket.until
    return new EntryModel(rule, () => doubles().filter(isGood), beside('exit', 'refused'))
  }

  #claim(scan: ModelScan): void {
    const { ticket, id, at } = scan
    const { entries } = ticket
    if (entries !== undefined) {
      if (!this.#stands(scan)) return
      if (scan.kind === 'exit') entries.leave(id, at)
      else if (!entries.isHeldAt(at) && this.refusalOf({ ...ticket, holder: undefined }, at) === undefined) {
        entries.enter(id, at)
        ticket.holder ??= id
      }
      return
    }
    if (scan.kind === 'exit') return
    if (this.#stands(scan) && this.refusalOf(scan.ticket, scan.at) === undefined) scan.ticket.holder = scan.id
  }

  #release({ id, ticket }: Pick<ModelScan, 'id' | 'ticket'>): void {
    if (ticket.entries !== undefined) {
      ticket.entries.takeBack(id)
      ticket.entries.takeBackExit(id, ticket.holder)
      const all = ticket.entries.entries
      if (all.every(({ holder }) => holder !== ticket.holder)) ticket.holder = all[0]?.holder
      return
    }
    if (ticket.holder !== id) return
    ticket.holder = undefined
    this.#next(ticket)
  }

  #next(ticket: ModelTicket): void {
    const standing = [...this.scans.values()].filter(
      scan => scan.ticket === ticket && scan.shown === 'admitted' && this.#stands(scan),
    )
    standing.sort((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1))
    for (const scan of standing) if (ticket.holder === undefined) this.#claim(scan)
  }
}
