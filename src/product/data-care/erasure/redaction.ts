import { erasePeople } from '../abstracts/rules.ts'
import type { Abstract } from '../abstracts/schemas.ts'
import type { CheckIn } from '../checkins/schemas.ts'
import { emailKey } from '../fields.ts'
import { eraseCopy, type Known } from '../registrations/person.ts'
import type { Registration } from '../registrations/schemas.ts'
import { ERASED_NAME } from '../words.ts'

/** Finds, in a text of JSON, the registration that it is about. */
const REGISTRATION = /"(?:registration_id|id)":"([0-9a-f-]{36})"/

export function registrationOf(body: string): string | undefined {
  return REGISTRATION.exec(body)?.[1]
}

/** Whether a text may have an e-mail: the key of a domain may be written otherwise. */
export function mayHave(text: string, key: string): boolean {
  return text.toLowerCase().includes(key.slice(0, key.lastIndexOf('@') + 1))
}

/**
 * The JSON of a webhook event or of an answer without a person, whom the resource in it names, or who is anonymous by now.
 *
 * @returns undefined where it has nothing of the person
 */
export function redact(body: string, key: string, known: Known): string | undefined {
  const parsed = JSON.parse(body) as Resource | { object: 'event'; data: { object: Resource } }
  const redacted =
    parsed.object === 'event'
      ? { ...parsed, data: { ...parsed.data, object: redactResource(parsed.data.object, key, known) } }
      : redactResource(parsed, key, known)
  const text = JSON.stringify(redacted)
  return text === JSON.stringify(parsed) ? undefined : text
}

type Resource = Registration | CheckIn | Abstract | { object?: undefined }

function redactResource(resource: Resource, key: string, known: Known): Resource {
  if (resource.object === 'registration') return eraseCopy(resource, key, known)
  if (resource.object === 'abstract') return erasePeople(resource, key)
  if (resource.object !== 'check_in') return resource
  const { attendee } = resource
  const isOwn =
    (attendee.email !== null && emailKey(attendee.email) === key) || known.tickets.has(attendee.id)
  return isOwn ? { ...resource, attendee: { ...attendee, name: ERASED_NAME, email: null } } : resource
}

/** Whether any text in a JSON value is this e-mail. */
export function hasEmail(json: string, key: string): boolean {
  if (!mayHave(json, key)) return false
  return hasKey(JSON.parse(json), key)
}

function hasKey(value: unknown, key: string): boolean {
  if (typeof value === 'string') return emailKey(value.trim()) === key
  return typeof value === 'object' && value !== null && Object.values(value).some(each => hasKey(each, key))
}
