import * as v from 'valibot'
import { field, id } from '#base/resource.ts'
import { SECOND, toIso, toIsoOrNull } from '#base/time.ts'
import { headersOf } from './delivery/headers.ts'
import type { AttemptRow } from './delivery/store.ts'
import type { EndpointRow } from './endpoint-store.ts'
import { allWebhookEventTypes, type WebhookEventType } from './event-types.ts'
import type { DeliveryStatus } from './states.ts'
import type { DeliveryRow } from './store.ts'

/** An endpoint, as a ping shows it. */
export const webhookEndpointSchema = v.object({
  id: field(id, 'The id of the endpoint.'),
  object: v.literal('webhook_endpoint'),
  url: field(v.string(), 'Where deliveries go.'),
  types: field(v.array(v.picklist(allWebhookEventTypes)), 'The types of event that the endpoint gets.'),
})

export const webhookEndpointExample = {
  id: '0197a0b4-7e30-7c11-b2f3-04152637485a',
  object: 'webhook_endpoint',
  url: 'https://example.org/hook',
  types: ['registration.created', 'checkin.created'],
}

/** An endpoint as its owner sees it. */
export interface WebhookEndpoint extends v.InferOutput<typeof webhookEndpointSchema> {
  enabled: boolean
  created_at: string
}

/** An endpoint and its state. */
export interface EndpointDetails extends WebhookEndpoint {
  /** Since when every attempt has failed. It is null after a success. */
  failing_since: string | null
  /** Until when the previous secret also signs. It is null if there is none. */
  previous_secret_expires_at: string | null
  last_delivery: Delivery | null
}

export function presentEndpoint(
  row: Pick<EndpointRow, 'id' | 'url' | 'types' | 'enabled' | 'created_at'>,
): WebhookEndpoint {
  return {
    id: row.id,
    object: 'webhook_endpoint',
    url: row.url,
    types: JSON.parse(row.types) as WebhookEventType[],
    enabled: row.enabled === 1,
    created_at: toIso(row.created_at),
  }
}

/** One event on its way to one endpoint. */
export interface Delivery {
  id: string
  event_id: string
  type: string
  endpoint_id: string
  /** The URL of the last attempt. Before the first attempt, it is the URL that the attempt will use. */
  url: string
  status: DeliveryStatus
  /** Counts the attempts of the schedule, without manual ones. */
  attempts: number
  next_attempt_at: string | null
  /** The current URL of the endpoint, where the next scheduled attempt goes. It is null if none follows. */
  next_url: string | null
  /** Whether somebody has asked for a manual attempt that is still to come. */
  manual_pending: boolean
  /** Whether the last attempt was manual. Its failure does not undo a success. It is null before the first attempt. */
  last_manual: boolean | null
  last_status_code: number | null
  last_error: string | null
  created_at: string
}

export interface Attempt {
  /** Null for a manual attempt. */
  number: number | null
  manual: boolean
  at: string
  url: string
  duration_ms: number
  status_code: number | null
  error: string | null
  response: string | null
}

/** The request that every attempt sends, except for its signature. */
export interface DeliveryRequest {
  headers: Record<string, string>
  body: string
}

/**
 * @param signedAt when the last attempt was signed, in milliseconds; undefined before the first. The signature is shown without
 *   the HMAC, which nobody keeps
 */
export function presentRequest(
  { type, event_id }: Pick<DeliveryRow, 'type' | 'event_id'>,
  body: string,
  signedAt: number | undefined,
): DeliveryRequest {
  const signature =
    signedAt === undefined ? {} : { 'svc-signature': `t=${Math.floor(signedAt / SECOND)},v1=…` }
  return { headers: { ...headersOf(type, event_id), ...signature }, body }
}

export function presentDelivery(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    event_id: row.event_id,
    type: row.type,
    endpoint_id: row.endpoint_id,
    url: row.last_url ?? row.url,
    status: row.status,
    attempts: row.attempts,
    next_attempt_at: toIsoOrNull(row.next_attempt_at),
    next_url: row.next_attempt_at === null ? null : row.url,
    manual_pending: row.manual_attempt_at !== null,
    last_manual: row.last_url === null ? null : row.last_number === null,
    last_status_code: row.last_status_code,
    last_error: row.last_error,
    created_at: toIso(row.created_at),
  }
}

export function presentAttempt(row: AttemptRow): Attempt {
  return {
    number: row.number,
    manual: row.number === null,
    at: toIso(row.created_at),
    url: row.url,
    duration_ms: row.duration_ms,
    status_code: row.status_code,
    error: row.error,
    response: row.response,
  }
}
