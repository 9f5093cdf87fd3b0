import { organization, registration } from './organization.ts'

/** Returns a registration whose buyer is called like its reference. */
export const guest = (name: string, changes: object = {}) =>
  registration(name, { buyer: { name, email: `${name}@example.org` }, ...changes })

const date = (slug: string, starts_at: string, guests: string[], changes: object = {}) => ({
  ...{ slug, title: `Tour ${slug}`, starts_at, series: 'tours', status: 'published' },
  registration_types: [{ name: 'Standard', price: 0, capacity: 100 }],
  registrations: guests.map(name =>
    guest(`${name}-${slug}`, { buyer: { name, email: `${name}@example.org` } }),
  ),
  ...changes,
})

/**
 * Returns an organization with a series of dates in all states, beside a second series and an event of none. The spring meeting is
 * the date from which others are written to.
 */
export function organizationOfDates() {
  const file = organization({
    event: {
      series: 'tours',
      contact_email: 'desk@example.org',
      registrations: [guest('ada'), guest('bob')],
    },
    events: [
      date('earlier', '2026-11-10T09:00:00Z', ['eve'], {
        registration_types: [{ name: 'Child', price: 0, capacity: 100 }],
        registrations: [guest('eve', { registration_type: 'Child' })],
      }),
      date('january', '2027-01-09T09:00:00Z', ['ada', 'cyd'], { contact_email: 'january@example.org' }),
      date('march', '2027-03-09T09:00:00Z', ['bob', 'ada']),
      date('off', '2027-04-09T09:00:00Z', ['can'], { status: 'cancelled' }),
      date('draft', '2027-05-09T09:00:00Z', ['dra'], { status: 'draft' }),
      date('empty', '2027-06-09T09:00:00Z', []),
      date('walk', '2027-01-09T09:00:00Z', ['wal'], { series: 'walks' }),
      date('lone', '2027-01-09T09:00:00Z', ['lon'], { series: null }),
    ],
  })
  return {
    ...file,
    series: [
      { slug: 'tours', name: 'Tours' },
      { slug: 'walks', name: 'Walks' },
    ],
  }
}
