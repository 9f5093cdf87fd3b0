import type { AccountRequest, Services } from '#faces/dashboard/frame/page-request.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { Pill } from '#machinery/web/components/parts.tsx'
import type { Voice } from '#machinery/web/voice.ts'
import { attemptErrorOf } from '#product/administration/webhooks/delivery/attempt-errors.ts'
import * as webhooks from '#product/administration/webhooks/rules.ts'
import type { Attempt, EndpointDetails } from '#product/administration/webhooks/schemas.ts'
import type { DeliveryStatus } from '#product/administration/webhooks/states.ts'

/** The permission of every page about webhooks. It needs all events, because deliveries name people of all events. */
export const OF_WEBHOOKS = { permission: 'webhooks', isOfAllEvents: true } as const

/** Counts stop here, and the page shows this number with a plus. */
export const COUNTED_TO = 10_000

export function shownCount(count: number, { format }: Pick<Voice, 'format'>): string {
  return count > COUNTED_TO ? `${format.number(COUNTED_TO)}+` : format.number(count)
}

/** Reads the webhook that a page is about. @throws Problem not_found */
export function loadEndpoint(
  tx: ReadTx,
  { params }: AccountRequest,
  { clock }: Pick<Services, 'clock'>,
): Promise<EndpointDetails> {
  return webhooks.getEndpointDetails(tx, params.endpoint ?? '', clock())
}

/** Returns a short name of a webhook, for sentences. */
export function hostOf({ url }: { url: string }): string {
  return new URL(url).host
}

/** Returns the target of a write about a webhook, for the access log. */
export function entryOn(action: string, { params }: AccountRequest) {
  return { action, targetType: 'webhook_endpoint', targetId: params.endpoint }
}

export function EndpointState({ endpoint, voice }: { endpoint: EndpointDetails; voice: Voice }) {
  const { texts, format } = voice
  const { enabled, failing_since: since, last_delivery: last } = endpoint
  if (!enabled) return <Pill tone="off">{texts.webhooks.disabled}</Pill>
  if (since !== null) {
    // A pill does not break, so that one with a date in it would lie over what stands beside it.
    return (
      <>
        <Pill tone="bad">{texts.webhooks.failing}</Pill>{' '}
        <span class="small quiet">{texts.webhooks.failingSince(format.dateTime(since))}</span>
      </>
    )
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

/** Says in words what came of an attempt. An error of another version appears as it was kept. */
export function describeAttempt(
  { status_code: status, error }: Pick<Attempt, 'status_code' | 'error'>,
  { texts }: Pick<Voice, 'texts'>,
): string {
  const key = error === null ? undefined : attemptErrorOf(error)
  const reason = error === null ? undefined : key === undefined ? error : texts.webhooks.errors[key]
  const answer = status === null ? undefined : texts.webhooks.answered(status)
  return [answer, reason].filter(Boolean).join(': ') || texts.webhooks.noAnswer
}

/** Returns what an event is called. An event of another version is called by its type. */
export function nameOfType(type: string, { texts }: Pick<Voice, 'texts'>): string {
  const names: Readonly<Record<string, string>> = texts.webhooks.type
  return names[type] ?? type
}
