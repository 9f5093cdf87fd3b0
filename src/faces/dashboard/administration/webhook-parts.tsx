import type { ReadTx } from '../db/port.ts'
import { Pill } from '../web/components/parts.tsx'
import type { Voice } from '../web/voice.ts'
import { attemptErrorOf } from '../webhooks/delivery/attempt-errors.ts'
import type { DeliveryStatus } from '../webhooks/delivery/store.ts'
import * as webhooks from '../webhooks/rules.ts'
import type { Attempt, EndpointDetails } from '../webhooks/schemas.ts'
import type { OfAccount, Services } from './asked.ts'

/** Of every page about webhooks: what is sent has people of all events in it. */
export const OF_WEBHOOKS = { permission: 'webhooks', isOfAllEvents: true } as const

/** What is shown of a number that is counted no further. */
export const COUNTED_TO = 10_000

export function shownCount(count: number, { format }: Pick<Voice, 'format'>): string {
  return count > COUNTED_TO ? `${format.number(COUNTED_TO)}+` : format.number(count)
}

/** The webhook that a page is about. @throws Problem not_found */
export function loadEndpoint(
  tx: ReadTx,
  { account, params }: OfAccount,
  { clock }: Pick<Services, 'clock'>,
): Promise<EndpointDetails> {
  return webhooks.getEndpointDetails(tx, account.id, params.endpoint ?? '', clock())
}

/** A short name of a webhook, for sentences. */
export function hostOf({ url }: { url: string }): string {
  return new URL(url).host
}

/** The target of a write about a webhook, in the access log. */
export function entryOn(action: string, { params }: OfAccount) {
  return { action, targetType: 'webhook_endpoint', targetId: params.endpoint }
}

export function EndpointState({ endpoint, voice }: { endpoint: EndpointDetails; voice: Voice }) {
  const { texts, format } = voice
  const { enabled, failing_since: since, last_delivery: last } = endpoint
  if (!enabled) return <Pill tone="off">{texts.webhooks.disabled}</Pill>
  if (since !== null) {
    return <Pill tone="bad">{texts.webhooks.failingSince(format.dateTime(since))}</Pill>
  }
  if (last === null) return <Pill tone={undefined}>{texts.webhooks.nothingYet}</Pill>
  if (last.attempts > 0 && last.status !== 'succeeded') {
    return <Pill tone="warn">{texts.webhooks.lastFailed}</Pill>
  }
  return <Pill tone="good">{texts.webhooks.working}</Pill>
}

const tones = { pending: 'warn', succeeded: 'good', failed: 'bad' } as const

export function DeliveryState({ status, texts }: { status: DeliveryStatus } & Pick<Voice, 'texts'>) {
  return <Pill tone={tones[status]}>{texts.webhooks.status[status]}</Pill>
}

/** What came of an attempt, in words; one of another version is told as it was kept. */
export function tellAttempt(
  { status_code: status, error }: Pick<Attempt, 'status_code' | 'error'>,
  { texts }: Pick<Voice, 'texts'>,
): string {
  const key = error === null ? undefined : attemptErrorOf(error)
  const told = error === null ? undefined : key === undefined ? error : texts.webhooks.errors[key]
  const answer = status === null ? undefined : texts.webhooks.answered(status)
  return [answer, told].filter(Boolean).join(': ') || texts.webhooks.noAnswer
}

/** What an event is called; one of another version by its type. */
export function nameOfType(type: string, { texts }: Pick<Voice, 'texts'>): string {
  const names: Readonly<Record<string, string>> = texts.webhooks.type
  return names[type] ?? type
}
