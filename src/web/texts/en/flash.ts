import type { ProblemCode } from '../../../problem.ts'
import { tellProblem } from '../tell-problem.ts'
import { abstracts } from './abstracts.ts'
import { events } from './events.ts'
import { count } from './page.ts'
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
  abstractDecided: ({ title, decision }: { title: string; decision: Decided }) =>
    `“${title}” is now: ${abstracts.status[decision].toLowerCase()}.`,
  abstractsDecided: ({ decision, count: n }: { decision: Decided; count: number }) =>
    `${count(n, { one: '# abstract is', other: '# abstracts are' })} now: ${abstracts.status[decision].toLowerCase()}.`,
}

type Decided = keyof typeof abstracts.decide

/** A Problem, as a cookie carries it. */
export interface Refusal {
  code: ProblemCode
  details: Record<string, unknown>
  message: string
}
