import { DateTime } from 'luxon'

/** An entry of a ticket in the model: who holds it, and which exit has ended it. Instants are milliseconds. */
export interface ModelEntry {
  holder: string
  at: number
  exit?: string | undefined
  leftAt?: number | undefined
}

/** A scan beside the entries: an admission or an exit that stands, and has none of them. */
interface Beside {
  id: string
  at: number
}

/** How often a ticket of the model admits. */
export interface ModelRule {
  isEachDay: boolean
  isReentry: boolean
  zone: string
}

/** The smallest form of the rule of entries: a day is a row of entries and exits, one after the other. */
export class EntryModel {
  entries: ModelEntry[] = []
  readonly #rule: ModelRule
  /** What stands beside the entries, oldest first. */
  readonly #doubles: () => Beside[]
  readonly #exits: () => Beside[]

  constructor(rule: ModelRule, doubles: () => Beside[], exits: () => Beside[]) {
    this.#rule = rule
    this.#doubles = doubles
    this.#exits = exits
  }

  #dayOf(at: number): string {
    const local = DateTime.fromMillis(at, { zone: this.#rule.zone })
    return this.#rule.isEachDay ? ((local.hour < 6 ? local.minus({ days: 1 }) : local).toISODate() ?? '') : ''
  }

  #sameDay(at: number): ModelEntry[] {
    return this.entries.filter(entry => this.#dayOf(entry.at) === this.#dayOf(at))
  }

  isHeldAt(at: number): boolean {
    const holder = this.#sameDay(at).find(({ leftAt }) => leftAt === undefined || at < leftAt)
    return holder !== undefined && this.#exitBetween(at, holder) === undefined
  }

  /** An exit that waits for an entry at an instant, where the next one is known. */
  #exitBetween(at: number, next: ModelEntry | undefined): Beside | undefined {
    if (!this.#rule.isReentry || next === undefined) return undefined
    return this.#exits().find(each => each.at > at && each.at <= next.at)
  }

  enter(holder: string, at: number): void {
    this.entries.push({ holder, at })
    this.entries.sort((one, other) => one.at - other.at)
    this.#settle(at)
  }

  leave(exit: string, at: number): void {
    if (!this.#rule.isReentry) return
    const inside =
      this.#sameDay(at).find(each => each.leftAt === undefined && each.at < at) ?? this.#beginBefore(at)
    if (inside === undefined) return
    Object.assign(inside, { exit, leftAt: at })
    this.#settle(at)
  }

  /** The entry that an exit ends whose next one is known. */
  #beginBefore(at: number): ModelEntry | undefined {
    const day = this.#sameDay(at)
    const next = day.findIndex(each => each.at >= at)
    if (next === -1) return undefined
    const taker = this.#takerOf(at, day[next - 1]?.leftAt ?? Number.NEGATIVE_INFINITY, at)
    if (taker === undefined) return undefined
    const entry = { holder: taker.id, at: taker.at }
    this.entries.push(entry)
    this.entries.sort((one, other) => one.at - other.at)
    return entry
  }

  takeBack(holder: string): void {
    const entry = this.entries.find(each => each.holder === holder)
    if (entry === undefined) return
    const day = this.#sameDay(entry.at)
    const from = day[day.indexOf(entry) - 1]?.leftAt ?? Number.NEGATIVE_INFINITY
    const taker = this.#takerOf(entry.at, from, entry.leftAt)
    if (taker !== undefined) Object.assign(entry, { holder: taker.id, at: taker.at })
    else this.entries.splice(this.entries.indexOf(entry), 1)
    this.#settle(entry.at)
  }

  /** @param checkIn who holds the check-in, and so keeps the next entry */
  takeBackExit(exit: string, checkIn: string | undefined): void {
    const entry = this.entries.find(each => each.exit === exit)
    if (entry === undefined) return
    const day = this.#sameDay(entry.at)
    const next = day[day.indexOf(entry) + 1]
    const gone = next !== undefined && next.holder === checkIn ? entry : next
    if (gone !== entry) Object.assign(entry, { exit: next?.exit, leftAt: next?.leftAt })
    if (gone !== undefined) this.entries.splice(this.entries.indexOf(gone), 1)
    this.#settle(entry.at)
  }

  /** An entry of a conflict before the one that begins after an instant, if an exit waits between the two. */
  #fillBefore(at: number): boolean {
    const day = this.#sameDay(at)
    const number = day.findIndex(each => each.at > at)
    const [before, next] = [day[number - 1], day[number]]
    if (!this.#rule.isReentry || next === undefined || (before && before.leftAt === undefined)) return false
    const taker = this.#takerOf(at, before?.leftAt ?? Number.NEGATIVE_INFINITY, next.at)
    if (taker === undefined || this.#exitBetween(taker.at, next) === undefined) return false
    this.entries.push({ holder: taker.id, at: taker.at })
    this.entries.sort((one, other) => one.at - other.at)
    return true
  }

  #takerOf(at: number, from: number, until = Number.POSITIVE_INFINITY): Beside | undefined {
    const isMeant = (each: Beside) =>
      each.at >= from && each.at < until && this.#dayOf(each.at) === this.#dayOf(at)
    return this.#doubles().find(isMeant)
  }

  #settle(at: number): void {
    const day = this.#sameDay(at)
    const last = day.at(-1)
    const open = day.findIndex(({ leftAt }) => leftAt === undefined)
    const between = open === -1 ? undefined : this.#exitBetween(day[open]?.at as number, day[open + 1])
    if (between !== undefined) {
      Object.assign(day[open] as ModelEntry, { exit: between.id, leftAt: between.at })
      this.#settle(at)
    } else if (this.#fillBefore(at)) {
      this.#settle(at)
    } else if (last === undefined || (last.leftAt !== undefined && this.#rule.isReentry)) {
      const taker = this.#takerOf(at, last?.leftAt ?? Number.NEGATIVE_INFINITY)
      if (taker !== undefined) this.enter(taker.id, taker.at)
    } else if (last.leftAt === undefined) {
      const isMeant = (each: Beside) => each.at > last.at && this.#dayOf(each.at) === this.#dayOf(at)
      const exit = this.#exits().find(isMeant)
      if (exit !== undefined) this.leave(exit.id, exit.at)
    }
  }
}
