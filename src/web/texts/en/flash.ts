import type { ProblemCode } from '../../../problem.ts'
import { tellProblem } from '../tell-problem.ts'
import { checkIn } from './check-in.ts'
import { events } from './events.ts'
import { problems } from './problems.ts'

/** What has just happened. Each takes one object, which goes through a cookie. */
export const flash = {
  refused: (refusal: Refusal) => tellProblem({ problems }, refusal),
  setUp: ({ name }: { name: string }) => `${name} is set up. Make your first event.`,
  joined: ({ name }: { name: string }) => `You are in: ${name}.`,
  passwordChosen: (_: Record<never, never>) => 'Your new password is saved. Sign in with it.',
  eventCreated: ({ title }: { title: string }) => `“${title}” is there as a draft.`,
  eventMoved: ({ title, status }: { title: string; status: keyof typeof events.status }) =>
    `“${title}” is now: ${events.status[status].toLowerCase()}.`,
  eventSaved: ({ title }: { title: string }) => `“${title}” is saved.`,
  admitted: ({ name }: AtDoor) => `${checkIn.admitted}: ${name}`,
  turnedAway: ({ name, ...refusal }: TurnedAway) =>
    [
      refusal.code === 'already_checked_in' ? checkIn.alreadyUsed : checkIn.notAdmitted,
      name || tellProblem({ problems }, refusal),
    ].join(': '),
  notInside: ({ name }: { name: string }) => checkIn.notInside(name),
  offWaitlist: ({ name }: { name: string }) => `${name} is off the waitlist.`,
}

/** Somebody with a ticket: texts are empty where nobody knows them. */
export interface AtDoor {
  name: string
  buyer: string
  type: string
  seat: string
}

export type TurnedAway = AtDoor & Refusal

/** A Problem, as a cookie carries it. */
export interface Refusal {
  code: ProblemCode
  details: Record<string, unknown>
  message: string
}
