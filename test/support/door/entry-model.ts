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
    return this.#sameDay(at).some(({ leftAt }) => leftAt === undefined || at < leftAt)
  }

  enter(holder: string, at: number): void {
    this.entries.push({ holder, at })
    this.entries.sort((one, other) => one.at - other.at)
    this.#settle(at)
  }

  leave(exit: string, at: number): void {
    const inside =
      this.#rule.isReentry && this.#sameDay(at).find(each => each.leftAt === undefined && each.at < at)
    if (!inside) return
    Object.assign(inside, { exit, leftAt: at })
    this.#settle(at)
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

  takeBackExit(exit: string): void {
    const entry = this.entries.find(each => each.exit === exit)
    if (entry === undefined) return
    const day = this.#sameDay(entry.at)
    const next = day[day.indexOf(entry) + 1]
    Object.assign(entry, { exit: next?.exit, leftAt: next?.leftAt })
    if (next !== undefined) this.entries.splice(this.entries.indexOf(next), 1)
    this.#settle(entry.at)
  }

  #takerOf(at: number, from: number, until = Number.POSITIVE_INFINITY): Beside | undefined {
    const isMeant = (each: Beside) =>
      each.at >= from && each.at < until && this.#dayOf(each.at) === this.#dayOf(at)
    return this.#doubles().find(isMeant)
  }

  #settle(at: number): void {
    const last = this.#sameDay(at).at(-1)
    if (last === undefined || (last.leftAt !== undefined && this.#rule.isReentry)) {
      const taker = this.#takerOf(at, last?.leftAt ?? Number.NEGATIVE_INFINITY)
      if (taker !== undefined) this.enter(taker.id, taker.at)
    } else if (last.leftAt === undefined) {
      const isMeant = (each: Beside) => each.at > last.at && this.#dayOf(each.at) === this.#dayOf(at)
      const exit = this.#exits().find(isMeant)
      if (exit !== undefined) this.leave(exit.id, exit.at)
    }
  }
}
