import * as attendees from '../attendees/rules.ts'
import { quantityOf } from '../registrations/placement.ts'
import { SECOND } from '../time.ts'
import type { Plan } from './plan.ts'

/** How many registrations a plan brings or completes. */
export function countBrought(plan: Plan): number {
  return plan.events.reduce((sum, { brought, completed }) => sum + brought.length + completed.length, 0)
}

/** Tickets that are signed to see how fast this machine is. */
const SAMPLE = 200
/** How many times as long as its signature a ticket takes, with its share of all that is done for a registration. */
const SIGNATURES_A_TICKET = 3

/** How long it takes to bring the registrations of a plan, in milliseconds: from how long some signatures take here. */
export function estimateDuration(plan: Plan): number {
  const holder = { name: null, email: null, seat: null, voided: false }
  const key = attendees.newTicketKey()
  const began = performance.now()
  attendees.sign(key, Array(SAMPLE).fill(holder))
  const ofOne = (performance.now() - began) / SAMPLE
  const brought = plan.events.flatMap(event => event.brought)
  const tickets = brought.reduce((sum, { item }) => sum + quantityOf(item), 0)
  return tickets * ofOne * SIGNATURES_A_TICKET
}

/** About how long: whole seconds, or whole minutes past two. */
export function describeDuration(duration: number): string {
  const seconds = Math.max(1, Math.round(duration / SECOND))
  if (seconds === 1) return '1 second'
  return seconds < 120 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`
}
