import type { ProblemCode } from '../../../problem.ts'
import { tellProblem } from '../tell-problem.ts'
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
  webhookAdded: ({ host }: { host: string }) => `The webhook to ${host} is added. A ping is on its way.`,
  webhookSaved: ({ host }: { host: string }) => `The webhook to ${host} is saved.`,
  webhookEnabled: ({ host }: { host: string }) => `The webhook to ${host} is enabled.`,
  webhookDisabled: ({ host }: { host: string }) => `The webhook to ${host} is disabled.`,
  webhookPinged: (_: Record<never, never>) => 'The ping is on its way. Its answer comes here.',
  webhookRotated: ({ until }: { until: string }) =>
    `There is a new secret. The one before also signs until ${until}.`,
  webhookRemoved: ({ host }: { host: string }) => `The webhook to ${host} is removed.`,
  webhookRemoving: ({ host }: { host: string }) =>
    `The webhook to ${host} gets nothing more. Much was sent to it: it takes a moment until all of it is gone.`,
  deliveryRetried: (_: Record<never, never>) => 'Another attempt is on its way. Its answer comes here.',
  systemBackup: (_: Record<never, never>) => 'The backup has begun.',
  systemBusy: (_: Record<never, never>) => 'That is under way already.',
  systemCheck: (_: Record<never, never>) => 'The check has begun.',
}

/** A Problem, as a cookie carries it. */
export interface Refusal {
  code: ProblemCode
  details: Record<string, unknown>
  message: string
}
