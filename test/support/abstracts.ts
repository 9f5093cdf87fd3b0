import { organization } from './organization.ts'

/** Returns the least that an abstract of an organization file has. */
export function abstract(code: string, changes: object = {}) {
  return {
    code,
    title: `Title of ${code}`,
    abstract: 'We count, and then we count again.',
    authors: [{ name: 'Lin' }],
    contact: { name: 'Lin', email: 'lin@example.org' },
    ...changes,
  }
}

/** Makes an organization with these abstracts at its spring meeting. */
export function organizationWith(abstracts: object[], changes: Parameters<typeof organization>[0] = {}) {
  return organization({ ...changes, event: { ...changes.event, abstracts } })
}
