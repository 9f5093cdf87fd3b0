import { SECOND } from '#base/time.ts'
import * as attendees from '#product/guests/attendees/rules.ts'
import { quantityOf } from '#product/guests/registrations/placement.ts'
import type { Plan } from './plan.ts'

/** Returns how many registrations a plan imports or completes. */
export function countImported(plan: Plan): number {
  return plan.events.reduce((sum, { imported, completed }) => sum + imported.length + completed.length, 0)
}

/** This many tickets are signed to see how fast this machine is. */
const SAMPLE = 200
/** Gives the time that a ticket takes, with its share of its registration, as a multiple of its signature. */
const SIGNATURES_PER_TICKET = 3

/**
 * Returns how long the import of a plan's registrations takes, in milliseconds. It estimates this from some signatures on this
 * machine.
 */
export function estimateDuration(plan: Plan): number {
  const holder = { name: null, email: null, seat: null, voided: false }
  const key = attendees.newTicketKey()
  const began = performance.now()
  attendees.sign(key, Array(SAMPLE).fill(holder))
  const ofOne = (performance.now() - began) / SAMPLE
  const imported = plan.events.flatMap(event => event.imported)
  const tickets = imported.reduce((sum, { item }) => sum + quantityOf(item), 0)
  return tickets * ofOne * SIGNATURES_PER_TICKET
}

/** Returns a rounded duration in whole seconds, or in whole minutes from two minutes on. */
export function describeDuration(duration: number): string {
  const seconds = Math.max(1, Math.round(duration / SECOND))
  if (seconds === 1) return '1 second'
  return seconds < 120 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`
}
