import * as v from 'valibot'
import { field, id } from '../resource.ts'
import { SECOND, toIso, toIsoOrNull } from '../time.ts'
import { headersOf } from './delivery/headers.ts'
import type { AttemptRow, DeliveryStatus } from './delivery/store.ts'
import type { EndpointRow } from './endpoint-store.ts'
import { allWebhookEventTypes, type WebhookEventType } from './event-types.ts'
import type { DeliveryRow } from './store.ts'

/** The endpoint, as a ping shows it. */
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

/** An endpoint, and how it stands with it. */
export interface EndpointDetails extends WebhookEndpoint {
  /** Since when every attempt has failed; null once one has succeeded. */
  failing_since: string | null
  /** Until when the secret before the last rotation signs too; null where none does. */
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
  /** Where the last attempt was sent; before the first, where that goes. */
  url: string
  status: DeliveryStatus
  /** Attempts of the schedule: manual ones do not count. */
  attempts: number
  next_attempt_at: string | null
  /** Where the next attempt of the schedule goes: to the endpoint, wherever it was before. */
  next_url: string | null
  /** Whether an attempt by hand was asked for, and is still to come. */
  manual_pending: boolean
  /** Whether the last attempt was by hand: its failure takes no success back. Null before the first. */
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

/** What is sent: each attempt sends the same, but for its signature. */
export interface DeliveryRequest {
  headers: Record<string, string>
  body: string
}

/**
 * @param signedAt of the last attempt, in milliseconds; undefined before the first. Its signature is shown without the HMAC,
 *   which nobody keeps
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
