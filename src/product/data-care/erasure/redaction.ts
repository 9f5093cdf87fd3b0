import { emailKey } from '#base/fields.ts'
import { ERASED_NAME } from '#base/words.ts'
import type { CheckIn } from '#product/entrance/check-ins/schemas.ts'
import { type ErasedIds, eraseCopy } from '#product/guests/registrations/person.ts'
import type { Registration } from '#product/guests/registrations/schemas.ts'
import { erasePeople } from '#product/programme/abstracts/person.ts'
import type { Abstract } from '#product/programme/abstracts/schemas.ts'

/** Finds the registration that a JSON text is about. */
const REGISTRATION = /"(?:registration_id|id)":"([0-9a-f-]{36})"/

export function registrationOf(body: string): string | undefined {
  return REGISTRATION.exec(body)?.[1]
}

/**
 * Returns whether a text may contain an e-mail. It ignores the domain, because the text may write it differently than the key.
 */
export function mayHave(text: string, key: string): boolean {
  return text.toLowerCase().includes(key.slice(0, key.lastIndexOf('@') + 1))
}

/**
 * Removes a person from the JSON of a webhook event or of an answer, if its resource names that person or somebody who is
 * anonymous by now.
 *
 * @returns undefined if the text contains nothing about the person
 */
export function redact(body: string, key: string, erased: ErasedIds): string | undefined {
  const parsed = JSON.parse(body) as Resource | { object: 'event'; data: { object: Resource } }
  const redacted =
    parsed.object === 'event'
      ? { ...parsed, data: { ...parsed.data, object: redactResource(parsed.data.object, key, erased) } }
      : redactResource(parsed, key, erased)
  const text = JSON.stringify(redacted)
  return text === JSON.stringify(parsed) ? undefined : text
}

type Resource = Registration | CheckIn | Abstract | { object?: undefined }

function redactResource(resource: Resource, key: string, erased: ErasedIds): Resource {
  if (resource.object === 'registration') return eraseCopy(resource, key, erased)
  if (resource.object === 'abstract') return erasePeople(resource, key)
  if (resource.object !== 'check_in') return resource
  const { attendee } = resource
  const isOwn =
    (attendee.email !== null && emailKey(attendee.email) === key) || erased.tickets.has(attendee.id)
  return isOwn ? { ...resource, attendee: { ...attendee, name: ERASED_NAME, email: null } } : resource
}

/** Returns whether any text in a JSON value is this e-mail. */
export function hasEmail(json: string, key: string): boolean {
  if (!mayHave(json, key)) return false
  return hasKey(JSON.parse(json), key)
}

function hasKey(value: unknown, key: string): boolean {
  if (typeof value === 'string') return emailKey(value.trim()) === key
  return typeof value === 'object' && value !== null && Object.values(value).some(each => hasKey(each, key))
}
