import type { Holding } from './holding.ts'

/** Returns what the page shows of everything that the phone holds. */
export function shownOf({ copy, clock, patience, pairing, end, waiting, others, alarms }: Holding) {
  return {
    event: copy.head?.event,
    logo: copy.head?.logo ?? undefined,
    device: pairing && copy.device,
    tickets: copy.size,
    figures: copy.isThere ? copy.figuresAt(clock.now()) : undefined,
    heardAt: copy.head?.heardAt,
    waiting,
    others,
    alarms: alarms.standing,
    ended: end,
    wrongBy: clock.isWrong ? clock.offset : undefined,
    isAlone: !patience.waits,
  }
}
