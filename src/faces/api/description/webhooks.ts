import * as v from 'valibot'
import { field } from '#base/resource.ts'
import {
  allWebhookEventTypes,
  type WebhookEventType,
  webhookEventTypes,
} from '#product/administration/webhooks/event-types.ts'
import { webhookEndpointExample, webhookEndpointSchema } from '#product/administration/webhooks/schemas.ts'
import { checkInExample, checkInSchema, undoneCheckInExample } from '#product/entrance/check-ins/schemas.ts'
import {
  cancelledRegistrationExample,
  registrationExample,
  registrationSchema,
} from '#product/guests/registrations/schemas.ts'
import { abstractSchema, decidedAbstractExample } from '#product/programme/abstracts/schemas.ts'
import type { WebhookInfo } from './openapi.ts'

/** Each type of event has this in `data.object`, and comes at this moment. */
const payloads: Record<WebhookEventType, { when: string; schema: v.GenericSchema; example: object }> = {
  'registration.created': {
    when: 'Comes when a registration is confirmed: imported through the API or, where it was ordered on the page of the event, once the order is approved, and paid where it costs something. `data.object` is the registration, with its tickets.',
    schema: registrationSchema,
    example: registrationExample,
  },
  'registration.cancelled': {
    when: 'Comes when a registration is cancelled, by whomever, and when the last of its tickets is refunded: its status is then `refunded`, or `cancelled` where no money goes back. Its tickets are void from then on. `data.object` is the registration. An order that came to nothing before it was paid sends nothing, but for what is cancelled through the API.',
    schema: registrationSchema,
    example: cancelledRegistrationExample,
  },
  'payment.completed': {
    when: 'Comes when an order is paid, once for each of its registrations that costs something, beside `registration.created`: by Stripe, or when a transfer or cash is noted. `data.object` is the registration that was paid. What is free, and what is imported, sends none.',
    schema: registrationSchema,
    example: { ...registrationExample, source: 'checkout', amount_total: 5000 },
  },
  'checkin.created': {
    when: 'Comes when a ticket is admitted. `data.object` is the check-in.',
    schema: checkInSchema,
    example: checkInExample,
  },
  'checkin.undone': {
    when: 'Comes when the organizer takes a check-in back: the ticket admits again. `data.object` is the check-in that was undone, with its attendee as it is now.',
    schema: checkInSchema,
    example: undoneCheckInExample,
  },
  'abstract.decided': {
    when: 'Comes with every decision on an abstract, also one that changes an earlier decision. `data.object` is the abstract.',
    schema: abstractSchema,
    example: decidedAbstractExample,
  },
  ping: {
    when: 'Comes when an endpoint is added, and when somebody asks for it, whatever the endpoint subscribes to. It is sent once.',
    schema: webhookEndpointSchema,
    example: webhookEndpointExample,
  },
}

/** Returns an event as the service delivers it (specification section 2). */
export function exampleEnvelope<Resource extends object>(type: WebhookEventType, object: Resource) {
  return {
    id: 'evt_0197a0b47e317a558d04c6b7a8f9e0d1',
    object: 'event',
    type,
    created: 1_796_115_600,
    data: { object },
  }
}

function envelopeSchema(type: WebhookEventType, resource: v.GenericSchema) {
  return v.object({
    id: v.pipe(
      v.string(),
      v.metadata({
        pattern: '^evt_[0-9a-f]{32}$',
        description: 'The id of the event, as in `SVC-Event-Id`: the same at every attempt.',
      }),
    ),
    object: v.literal('event'),
    type: field(v.literal(type), 'The type of the event, as in `SVC-Event-Type`.'),
    created: field(v.pipe(v.number(), v.integer()), 'When it happened, in Unix seconds.'),
    data: field(v.object({ object: resource }), 'The resource as the API returned it at that moment.'),
  })
}

export function describeWebhooks(tag: string): WebhookInfo[] {
  return allWebhookEventTypes.map(type => {
    const { when, schema, example } = payloads[type]
    return {
      type,
      tag,
      summary: webhookEventTypes[type].replace(/\.$/, ''),
      description: when,
      schema: envelopeSchema(type, schema),
      example: exampleEnvelope(type, example),
    }
  })
}
