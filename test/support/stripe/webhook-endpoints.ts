import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import type Stripe from 'stripe'
import type { Books, Endpoint as Destination } from './books.ts'
import { type Endpoint, endpoint, listPage } from './endpoint.ts'
import { invalid, missing, refused } from './errors.ts'
import {
  absent,
  expand,
  flag,
  listOf,
  metadata,
  must,
  oneOf,
  page,
  type Read,
  text,
  webAddress,
} from './parameters.ts'
import { EVENT_TYPES, KNOWN_VERSIONS } from './versions.ts'

/** An account has at most so many. https://docs.stripe.com/webhooks#register-webhook */
const MOST = 16

/** Endpoints must be reachable from the internet, over TLS. */
const publicAddress: Read<string> = (value, name) => {
  const given = webAddress()(value, name)
  const { protocol, hostname } = new URL(given)
  if (protocol !== 'https:')
    throw invalid(
      'Invalid URL: An explicit scheme (such as https) must be provided; http is not allowed.',
      name,
      'url_invalid',
    )
  if (
    isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 ||
    /(^|\.)localhost$|\.(local|internal)$/.test(hostname) ||
    !hostname.includes('.')
  ) {
    throw invalid(
      'Invalid URL: URL must be publicly accessible. Consider using a tool like the Stripe CLI to test your webhook locally: https://github.com/stripe/stripe-cli',
      name,
      'url_invalid',
    )
  }
  return given
}

const events = listOf(oneOf([...EVENT_TYPES]), 500)

function destinationOf(books: Books, id: string): Destination {
  const found = books.endpoints.get(id)
  if (found?.registered) return found
  throw missing(
    'webhook endpoint',
    id,
    'webhook_endpoint',
    books.otherMode()?.endpoints.has(id) ?? false,
    books.live,
  )
}

const registered = (books: Books) => [...books.endpoints.values()].filter(each => each.registered)

export function newDestination(
  books: Books,
  shape: Partial<Stripe.WebhookEndpoint> & { url: string },
  {
    registered: isRegistered,
    secret = `whsec_${randomBytes(24).toString('base64url')}`,
  }: { registered: boolean; secret?: string },
): Destination {
  const destination: Destination = {
    shape: {
      id: books.id('we'),
      object: 'webhook_endpoint',
      api_version: null,
      application: null,
      created: books.now(),
      description: null,
      enabled_events: ['*'],
      livemode: books.live,
      metadata: {},
      status: 'enabled',
      ...shape,
    },
    secret,
    registered: isRegistered,
  }
  books.endpoints.set(destination.shape.id, destination)
  return destination
}

const CREATE = {
  ...expand,
  api_version: oneOf([...KNOWN_VERSIONS]),
  connect: absent,
  description: text(),
  enabled_events: must(events),
  metadata,
  url: must(publicAddress),
}
const UPDATE = {
  ...expand,
  description: text(),
  disabled: flag,
  enabled_events: events,
  metadata,
  url: publicAddress,
}

export const webhookEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/v1/webhook_endpoints',
    permission: 'webhook_write',
    expands: null,
    parameters: CREATE,
    run({ books, given }) {
      if (registered(books).length >= MOST) {
        throw refused(
          `You have reached the maximum of ${MOST} test webhook endpoints.`.replace(
            'test',
            books.live ? 'live' : 'test',
          ),
        )
      }
      const { shape, secret } = newDestination(
        books,
        {
          url: given.url,
          enabled_events: given.enabled_events,
          api_version: given.api_version ?? null,
          description: given.description ?? null,
          metadata: given.metadata ?? {},
        },
        { registered: true },
      )
      return { ...shape, secret }
    },
  }),
  endpoint({
    method: 'GET',
    path: '/v1/webhook_endpoints',
    permission: 'webhook_read',
    expands: null,
    parameters: page,
    run: ({ books, given }) =>
      listPage(
        '/v1/webhook_endpoints',
        registered(books).map(each => each.shape),
        given,
        () => true,
        (id, param) => missing('webhook endpoint', id, param, false, books.live),
      ),
  }),
  endpoint({
    method: 'GET',
    path: '/v1/webhook_endpoints/:id',
    permission: 'webhook_read',
    expands: null,
    parameters: expand,
    run: ({ books, id }) => destinationOf(books, id).shape,
  }),
  endpoint({
    method: 'POST',
    path: '/v1/webhook_endpoints/:id',
    permission: 'webhook_write',
    expands: null,
    parameters: UPDATE,
    run({ books, id, given }) {
      const { shape } = destinationOf(books, id)
      if (given.url !== undefined) shape.url = given.url
      if (given.enabled_events !== undefined) shape.enabled_events = given.enabled_events
      if (given.description !== undefined) shape.description = given.description
      if (given.metadata !== undefined) shape.metadata = { ...shape.metadata, ...given.metadata }
      if (given.disabled !== undefined) shape.status = given.disabled ? 'disabled' : 'enabled'
      return shape
    },
  }),
  endpoint({
    method: 'DELETE',
    path: '/v1/webhook_endpoints/:id',
    permission: 'webhook_write',
    expands: null,
    parameters: {},
    run({ books, id }) {
      destinationOf(books, id)
      books.endpoints.delete(id)
      return { id, object: 'webhook_endpoint', deleted: true }
    },
  }),
]
