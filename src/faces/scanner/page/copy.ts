import { dayOf } from '#product/entrance/check-ins/entry-rule.ts'
import { judge } from '#product/entrance/check-ins/validity.ts'
import { Beside } from './beside.ts'
import type {
  ChangesAnswer,
  CopyAnswer,
  DeviceRow,
  First,
  ScanResult,
  TicketRow,
  TypeRow,
} from './contract.ts'
import { headOf } from './copy-head.ts'
import {
  clearedOf,
  entered,
  exited,
  insideOn,
  type Later,
  laterOf,
  type Rule,
  ruleOf,
  usedFirst,
  whyNotLeft,
} from './entries.ts'
import { type Figures, HeadCount } from './head-count.ts'
import { endOf } from './list-end.ts'
import { type OwnMark, OwnMarks } from './own-marks.ts'
import type { CopyHead, StoredScan } from './store.ts'
import { withoutName, withUse } from './ticket-rows.ts'
import { TicketTypes } from './ticket-types.ts'

/** The copy decides this about a ticket. */
export interface Decision {
  outcome: 'admitted' | 'refused' | 'left'
  /** A code if the ticket is refused, or `unlisted` if it is admitted without being in the copy. */
  reason: string | null
}

const NOBODY: DeviceRow = { id: '', name: '', search: false, unlisted: false }

/** Holds the list of an event on the phone. */
export class Copy {
  head: CopyHead | undefined
  device: DeviceRow
  #tickets: Map<string, TicketRow>
  readonly #types = new TicketTypes()
  readonly #own = new OwnMarks()
  /** A door that was renamed is still named as before in what it did before. */
  readonly #names: Set<string>
  readonly #count = new HeadCount({
    isHere: door => this.isHere(door),
    isCounted: typeId => this.#types.isCounted(typeId),
    insideOn: row => insideOn(row, this.#ruleOf(row)),
  })

  readonly #beside = new Beside({ find: id => this.find(id), types: () => this.#types.all() })

  /** @param names what the door was called before */
  constructor(
    device = NOBODY,
    head?: CopyHead,
    tickets: Map<string, TicketRow> = new Map(),
    names: readonly string[] = [],
  ) {
    this.device = device
    this.#names = new Set([...names, device.name])
    this.#tickets = tickets
    if (head !== undefined) this.#take(head)
    this.#count.begin(tickets.values())
    this.#beside.begin(tickets.values())
  }

  get isThere(): boolean {
    return this.head !== undefined
  }

  get size(): number {
    return this.#tickets.size
  }

  /** Returns the names of the ticket types that this door admits. */
  get admitted(): string[] {
    return this.#types.here.map(({ name }) => name)
  }

  /** Returns all names that the door has had. */
  get names(): string[] {
    return [...this.#names]
  }

  /** Returns whether a door of that name is this one. */
  isHere(door: string | null): boolean {
    return door !== null && this.#names.has(door)
  }

  /** Counts who is in at an instant, in milliseconds, with those of whom only this phone knows. */
  figuresAt(now: number): Figures {
    const timezone = this.head?.event.timezone
    const today = timezone === undefined ? '' : dayOf({ entries: 'each_day' }, now, timezone)
    const own = [...this.#own.ids()].map(id => ({ row: this.#tickets.get(id), after: this.find(id) }))
    return this.#count.figures(today, own)
  }

  #ruleOf(row: TicketRow): Rule | undefined {
    return ruleOf(this.typeOf(row), this.head?.event.timezone)
  }

  /** Returns the tickets that somebody can look for here, without extras that other doors hand out. */
  *rows(): Iterable<TicketRow> {
    for (const row of this.#tickets.values()) if (!this.#types.isOfOthers(row[1])) yield row
  }

  replace(answer: CopyAnswer, heardAt: number): CopyHead {
    this.#tickets = new Map(answer.tickets.map(row => [row[0], row]))
    const head = this.#hear(answer, heardAt)
    this.#count.begin(this.#tickets.values())
    this.#beside.begin(this.#tickets.values())
    return head
  }

  change(answer: ChangesAnswer, heardAt: number): CopyHead {
    for (const row of answer.tickets) this.#set(row)
    return this.#hear(answer, heardAt)
  }

  /**
   * Takes a row that came with an answer to a scan.
   *
   * @returns the row to keep, which has no name if the door may not search
   */
  put(row: TicketRow): TicketRow {
    const kept: TicketRow = this.device.search ? row : withoutName(row)
    this.#set(kept)
    return kept
  }

  isMarkedHere(id: string): boolean {
    return this.#own.has(id)
  }

  /** Returns where and when the ticket was used, as far as the phone knows. @param now the corrected time, in milliseconds */
  firstOf(id: string, now: number): First | null {
    const [own] = this.#own.of(id)
    const row = this.find(id)
    const rule = row && this.#ruleOf(row)
    if (row !== undefined && rule !== undefined) return usedFirst(row, rule, now)
    if (row !== undefined && row[6] !== null) return { at: row[6], door: row[7] }
    return own === undefined ? null : { at: own.at, door: this.device.name }
  }

  /** Returns how the last entry of a ticket is shown, if it is a later one. */
  laterOf(row: TicketRow): Later | undefined {
    const rule = this.#ruleOf(row)
    return rule && laterOf(row, rule)
  }

  /** Returns the ticket with this phone's own marks. */
  find(id: string): TicketRow | undefined {
    const row = this.#tickets.get(id)
    return row && this.#withOwn(row)
  }

  #withOwn(row: TicketRow): TicketRow {
    const marks = this.#own.of(row[0])
    const [own] = marks
    const rule = own && this.#ruleOf(row)
    const door = this.device.name
    if (rule !== undefined) {
      const after = (last: TicketRow, { at, isExit }: OwnMark) =>
        isExit ? exited(last, rule, at) : entered(last, rule, { at, door })
      return marks.reduce(after, row)
    }
    if (own === undefined || own.isExit || row[6] !== null) return row
    return withUse(row, own.at, door)
  }

  /** Returns what the order of a ticket has beside it, and was not handed out yet. */
  extrasOf(row: TicketRow | undefined): ScanResult['extras'] {
    return this.#beside.of(row)
  }

  typeOf(row: TicketRow): TypeRow | undefined {
    return this.#types.get(row[1])
  }

  mark(ticketId: string, mark: OwnMark): void {
    const row = this.#tickets.get(ticketId)
    this.#own.add(ticketId, mark, row !== undefined && this.#ruleOf(row) !== undefined)
  }

  /** Marks the ticket of a kept scan again, as when the page starts. */
  markAgain({ kind, shown, ticketId, scan_id, at, offset, of }: StoredScan): void {
    if (kind === 'undo' && of !== undefined) this.unmark(ticketId, of)
    else if (shown === 'admitted' || kind === 'exit') {
      const mark = { scanId: scan_id, at: new Date(Date.parse(at) + offset).toISOString() }
      this.mark(ticketId, kind === 'exit' ? { ...mark, isExit: true } : mark)
    }
  }

  unmark(ticketId: string, scanId: string): void {
    this.#own.remove(ticketId, scanId)
  }

  /** Clears the use of a ticket for good after an undo. @param leftAt the instant of an exit that is taken back */
  clearUse(ticketId: string, scanId: string, leftAt?: string): TicketRow | undefined {
    this.unmark(ticketId, scanId)
    const row = this.#tickets.get(ticketId)
    const cleared = row && clearedOf(row, { leftAt, isMore: this.#ruleOf(row) !== undefined, parts: this })
    if (cleared !== undefined) this.#set(cleared)
    return cleared
  }

  /** Returns whether the door admits only some types. */
  get isRestricted(): boolean {
    const isLimited = (this.device.registration_type_ids ?? null) !== null
    return isLimited || this.#types.areOthers
  }

  /** Decides without the server, by the server's own rules. @param now the corrected time, in milliseconds */
  decide(ticketId: string, now: number): Decision {
    const row = this.find(ticketId)
    if (row === undefined) {
      if (this.#own.has(ticketId)) return { outcome: 'refused', reason: 'already_checked_in' }
      if (!this.device.unlisted) return { outcome: 'refused', reason: 'not_found' }
      // The type of an unlisted ticket is not known, and may belong to another door.
      if (this.isRestricted) return { outcome: 'refused', reason: 'wrong_door' }
      return { outcome: 'admitted', reason: 'unlisted' }
    }
    const reason = this.#judge(row, now)
    return reason === undefined ? { outcome: 'admitted', reason: null } : { outcome: 'refused', reason }
  }

  /** Decides about a guest who leaves, as `decide` does about one who comes. */
  decideExit(ticketId: string, now: number): Decision {
    const row = this.find(ticketId)
    const why = row === undefined ? 'not_found' : whyNotLeft(row, this.#ruleOf(row), now)
    return why === undefined ? { outcome: 'left', reason: null } : { outcome: 'refused', reason: why }
  }

  /**
   * Returns whether a ticket of the server's was good here at an instant, in milliseconds. A ticket that this phone admitted was
   * used.
   */
  wasGood(row: TicketRow, at: number): boolean {
    return this.isThere && !this.#own.has(row[0]) && this.#judge(row, at) === undefined
  }

  #judge(row: TicketRow, now: number): string | undefined {
    const type = this.typeOf(row)
    if (type === undefined ? this.isRestricted : !type.admitted_here) return 'wrong_door'
    const rule = this.#ruleOf(row)
    const used = rule === undefined ? row[6] : (usedFirst(row, rule, now)?.at ?? null)
    return judge(
      {
        state: row[2],
        usedAt: instant(used),
        from: instant(type?.valid_from ?? null),
        until: instant(type?.valid_until ?? null),
      },
      now,
    )
  }

  /** Returns when the phone has to wipe the copy, in milliseconds: a day after the copy can no longer admit anybody. */
  get endsAt(): number {
    return endOf(this.head)
  }

  #set(row: TicketRow): void {
    this.#count.change(this.#tickets.get(row[0]), row)
    this.#tickets.set(row[0], row)
    this.#beside.note(row)
  }

  #hear(answer: CopyAnswer, heardAt: number): CopyHead {
    if (answer.device !== undefined) this.#rename({ ...this.device, ...answer.device })
    const head = headOf(answer, this.head, heardAt)
    this.#take(head)
    return head
  }

  #rename(device: DeviceRow): void {
    this.device = device
    if (this.#names.has(device.name)) return
    this.#names.add(device.name)
    this.#count.begin(this.#tickets.values())
  }

  #take(head: CopyHead): void {
    this.head = head
    if (this.#types.take(head.types)) this.#count.begin(this.#tickets.values())
  }
}

function instant(text: string | null): number | null {
  return text === null ? null : Date.parse(text)
}
