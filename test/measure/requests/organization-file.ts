import { organization, registration } from '#test/support/organization.ts'

const file = organization({
  event: {
    starts_at: '2031-05-12T09:00:00Z',
    ends_at: '2031-05-13T18:00:00Z',
    description: 'Two days of talks.\n\nWith lunch.',
    terms: 'No refunds.',
    contact_email: 'ada@example.org',
    cancel_until: '2031-05-01T00:00:00Z',
    waitlist_mode: 'offer',
    payment_ways: 'set_up_and_door',
    registration_types: [
      { name: 'Standard', description: 'With lunch', price: 5000, capacity: 100, tax_basis_points: 2100 },
      { name: 'Free', price: 0, capacity: 100 },
      { name: 'Full', price: 0, capacity: 1 },
      { name: 'Hidden', price: 1000, capacity: 10, hidden: true },
    ],
    questions: [
      {
        key: 'diet',
        label: 'What do you eat?',
        kind: 'one_of',
        choices: ['All', 'Vegan'],
        asked_for: 'ticket',
      },
      { key: 'why', label: 'Why do you come?', kind: 'long_text', asked_for: 'order' },
    ],
    codes: [
      { code: 'HALF', percent: 50, registration_types: ['Standard'] },
      { code: 'HIDDEN', percent: 100, registration_types: ['Hidden'] },
    ],
    registrations: [
      registration('first'),
      registration('second', { registration_type: 'Free', quantity: 2 }),
      registration('full', { registration_type: 'Full' }),
      registration('gone', { status: 'cancelled' }),
    ],
    abstracts: [
      {
        ...{ code: 'A-1', title: 'On engines', abstract: 'They compute.', keywords: 'engines' },
        authors: [{ name: 'Ada Lovelace', affiliation: 'London' }],
        contact: { name: 'Ada Lovelace', email: 'lovelace@example.org' },
      },
      {
        ...{ code: 'A-2', title: 'On compilers', abstract: 'They translate.' },
        authors: [{ name: 'Grace Hopper', affiliation: null }],
        contact: { name: 'Grace Hopper', email: 'hopper@example.org' },
      },
    ],
  },
  events: [
    {
      ...{ slug: 'private', title: 'Private Dinner', visibility: 'private', status: 'draft' },
      ...{ starts_at: '2031-06-01T18:00:00Z', ends_at: '2031-06-01T22:00:00Z' },
    },
  ],
})
/** What is sold, so far from any run that its times are not taken for those of the run. */
export const organizationFile = {
  ...file,
  account: {
    ...file.account,
    ...{ slug: 'ada', legal_name: 'Ada Events S. L.', address: 'Calle Mayor 1\n28013 Madrid' },
    ...{
      tax_id: 'B12345678',
      imprint_url: 'https://example.org/imprint',
      privacy_url: 'https://example.org/privacy',
    },
  },
}
