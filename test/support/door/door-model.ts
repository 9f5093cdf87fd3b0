import type { SentItem } from './door.ts'

/** A ticket as the model knows it. Instants are milliseconds. */
export interface ModelTicket {
  id: string
  /** Another reason that no door admits it. */
  refusal: string | undefined
  from: number
  until: number
  /** The scan that holds the check-in, or who else made it. */
  holder: string | undefined
  /** Whether anything but scans has touched it. */
  isTouched: boolean
}

export interface ModelScan {
  id: string
  ticket: ModelTicket
  at: number
  shown: SentItem['shown']
  /** Why this door never admits it, whatever becomes of it. */
  never: string | undefined
  isHeld: boolean
}

/** What a scan came with, and when. */
export interface Arrival {
  item: SentItem
  ticket: ModelTicket | undefined
  never: string | undefined
  isRevoked: boolean
  pairedAt: number
  now: number
}

/**
 * The rules of the door, as small as they can be told: a ticket has one holder; who was shown admitted beside it is a conflict; a
 * mark that is given back goes to the oldest of those.
 */
export class DoorModel {
  readonly scans = new Map<string, ModelScan>()
  readonly #undone = new Set<string>()

  /** A scan arrives, perhaps again. */
  take({ item, ticket, never, isRevoked, pairedAt, now }: Arrival): void {
    if (item.kind === 'undo') {
      if (!isRevoked) this.undo(item.of as string)
      return
    }
    const known = this.scans.get(item.scan_id)
    if (known === undefined) {
      const at = Math.min(Math.max(Date.parse(item.at) + item.offset, pairedAt), now)
      const scan = {
        ...{ id: item.scan_id, ticket: ticket as ModelTicket, at, never },
        ...{ shown: item.shown, isHeld: isRevoked },
      }
      this.scans.set(scan.id, scan)
      if (scan.shown !== 'refused') this.#claim(scan)
    } else if (known.shown === null && item.shown !== null && !isRevoked) {
      known.shown = item.shown
      if (known.shown === 'admitted') this.#claim(known)
      else this.#release(known)
    } else if (known.shown === null && item.shown === 'admitted' && this.outcomeOf(known.id) === 'refused') {
      known.shown = item.shown
      known.isHeld = true
    }
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
    else {
      ticket.holder = undefined
      this.#next(ticket)
    }
  }

  /** Why a ticket is not admitted. */
  refusalOf(ticket: ModelTicket, at: number): string | undefined {
    if (ticket.refusal !== undefined) return ticket.refusal
    if (ticket.holder !== undefined) return 'already_checked_in'
    return at >= ticket.from && at < ticket.until ? undefined : 'not_valid_today'
  }

  outcomeOf(id: string): string {
    const scan = this.scans.get(id)
    if (scan === undefined || this.#undone.has(id)) return 'undone'
    if (scan.isHeld) return 'held'
    if (scan.ticket.holder === id) return 'admitted'
    return scan.shown === 'admitted' ? 'conflict' : 'refused'
  }

  /** Which tickets are in, by what the guests saw alone: whatever was lost, came twice, or in another order. */
  isInByScans(ticket: ModelTicket): boolean {
    return [...this.scans.values()].some(
      scan =>
        scan.ticket === ticket &&
        scan.shown === 'admitted' &&
        this.#stands(scan) &&
        scan.at >= ticket.from &&
        scan.at < ticket.until,
    )
  }

  #stands({ id, isHeld, never }: ModelScan): boolean {
    return !isHeld && never === undefined && !this.#undone.has(id)
  }

  #claim(scan: ModelScan): void {
    if (this.#stands(scan) && this.refusalOf(scan.ticket, scan.at) === undefined) scan.ticket.holder = scan.id
  }

  #release({ id, ticket }: ModelScan): void {
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
