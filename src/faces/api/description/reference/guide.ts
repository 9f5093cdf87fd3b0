import { type ApiProblemCode, catalogue, Problem } from '#base/problem.ts'
import { HOUR, MINUTE, SECOND } from '#base/time.ts'
import { scopes } from '#product/administration/keys/scopes.ts'
import { RETRY_DELAYS } from '#product/administration/webhooks/delivery/schedule.ts'
import { signWebhook } from '#product/administration/webhooks/delivery/signature.ts'
import { webhookEventTypes } from '#product/administration/webhooks/event-types.ts'
import { readText } from './texts.ts'

/** The guide shows these ids in place of the reader's own, and an error as the API sends it. */
export interface GuideExamples {
  eventId: string
  registrationTypeId: string
  attendeeId: string
  error: (problem: Problem) => string
}

/** Returns the introduction of the API in Markdown, with the first requests and the rules that hold for all requests. */
export function describeGuide(base: string, examples: GuideExamples): string {
  return readText('guide.md', {
    base,
    event_id: examples.eventId,
    registration_type_id: examples.registrationTypeId,
    attendee_id: examples.attendeeId,
    scopes: table(
      ['scope', 'allows to'],
      Object.entries(scopes).map(([scope, allows]) => [`\`${scope}\``, allows]),
    ),
    error_example: examples.error(new Problem('sold_out')),
    errors: describeErrors(),
  }).trim()
}

/**
 * Explains in Markdown how to receive and verify webhooks.
 *
 * @param envelope the body that the test vector signs
 */
export function describeWebhookGuide(envelope: { created: number }): string {
  const { secret, t, v1, header, body } = makeTestVector(envelope)
  return readText('webhooks.md', {
    event_types: table(
      ['type', 'says'],
      Object.entries(webhookEventTypes).map(([type, meaning]) => [`\`${type}\``, meaning]),
    ),
    retries: listInWords(RETRY_DELAYS.map(delay => describeDelay(delay))),
    attempts: String(RETRY_DELAYS.length + 1),
    vector_secret: secret,
    vector_t: String(t),
    vector_v1: v1,
    vector_header: header,
    vector_body: body,
    'verify.mjs': readText('verify.mjs').trim(),
    'verify.py': readText('verify.py').trim(),
    'verify.php': readText('verify.php').trim(),
  }).trim()
}

const VECTOR_SECRET = 'whsec_A1b2C3d4E5f6G7h8J9k0L1m2N3p4Q5r6'

/** Returns a delivery of this body, on which a receiver can try its own code. */
export function makeTestVector(envelope: { created: number }) {
  const t = envelope.created + 2
  const body = JSON.stringify(envelope)
  const header = signWebhook([VECTOR_SECRET], t * SECOND, body)
  return { secret: VECTOR_SECRET, t, body, header, v1: header.slice(header.indexOf('v1=') + 3) }
}

/** Lists every code of the catalogue under the family that it belongs to. */
function describeErrors(): string {
  const codes = Object.keys(catalogue) as ApiProblemCode[]
  const families = [...new Set(codes.map(code => catalogue[code][1]))]
  return families
    .map(family => {
      const rows = codes
        .filter(code => catalogue[code][1] === family)
        .sort((one, other) => catalogue[one][0] - catalogue[other][0])
        .map(code => [String(catalogue[code][0]), `\`${code}\``, catalogue[code][2]])
      return `**\`${family}\`**\n\n${table(['status', 'code', 'meaning'], rows)}`
    })
    .join('\n\n')
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n')
}

function describeDelay(delay: number): string {
  return delay < HOUR ? `${delay / MINUTE} min` : `${delay / HOUR} h`
}

function listInWords(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}
