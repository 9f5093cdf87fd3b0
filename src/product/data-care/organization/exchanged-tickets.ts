import { type FaultAt, makeFault } from '#base/faults.ts'
import { quantityOf } from '#product/guests/registrations/placement.ts'
import type { OrganizationRegistration } from './schema.ts'

/** The positions of the tickets that were exchanged, from 0, by the reference of their registration. They are void. */
export type ExchangedTickets = ReadonlyMap<string, ReadonlySet<number>>

export function exchangedTickets(
  registrations: Iterable<Pick<OrganizationRegistration, 'exchanged_for'>>,
): ExchangedTickets {
  const exchanged = new Map<string, Set<number>>()
  for (const { exchanged_for: former } of registrations) {
    if (former === null) continue
    const positions = exchanged.get(former.registration) ?? new Set()
    exchanged.set(former.registration, positions.add(former.ticket - 1))
  }
  return exchanged
}

/** Returns how many places the tickets of a registration take that has some. */
export function placesOf(item: OrganizationRegistration, exchanged: ExchangedTickets): number {
  return quantityOf(item) - (exchanged.get(item.reference)?.size ?? 0)
}

/** A registration of an order, and where the file has it. */
export interface PlacedLine {
  item: OrganizationRegistration
  place: string
}

/** Finds registrations of an order that took the place of no ticket of it, of one that is exchanged already, or for money. */
export function* findExchangeFaults(
  lines: readonly PlacedLine[],
  faulty: ReadonlySet<string>,
): Generator<FaultAt> {
  const seen = new Set<string>()
  for (const { item, place } of lines) {
    const path = `${place}.exchanged_for`
    const former = item.exchanged_for ?? null
    if (former === null || faulty.has(path)) continue
    const of = lines.find(line => line.item.reference === former.registration)?.item
    const key = JSON.stringify(former)
    const isFree = item.amount_total === 0 && quantityOf(item) === 1
    const isThere = of !== undefined && of !== item && former.ticket <= quantityOf(of)
    if (!isThere || !isFree || seen.has(key)) yield { path, fault: makeFault('notExchanged') }
    seen.add(key)
  }
}
