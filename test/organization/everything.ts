/** An organization file with every field, every state, and texts that are easily lost. */
export function everything() {
  return {
    account: {
      name: 'Ada Événements 🎪',
      email: 'Ada@Example.org',
      timezone: 'Europe/Madrid',
      currency: 'EUR',
      slug: 'ada',
      service_fee: { basis_points: 250, per_ticket: 30 },
    },
    events: [
      {
        slug: 'spring-meeting',
        title: 'Spring Meeting',
        starts_at: '2026-11-21T09:00:00Z',
        ends_at: '2026-11-22T18:00:00+01:00',
        timezone: 'America/New_York',
        venue: 'Main Hall',
        city: 'New York',
        currency: 'USD',
        status: 'completed',
        visibility: null,
        requires_approval: true,
        description: '# Welcome\n\n<b>& more</b>',
        registration_types: [
          {
            name: 'Standard',
            description: 'With lunch',
            price: 5000,
            capacity: 10,
            active: false,
            sales_start: '2026-01-01T00:00:00Z',
            sales_end: '2026-02-01T00:00:00Z',
            valid_from: '2026-11-21T00:00:00Z',
            valid_until: '2026-11-22T00:00:00Z',
          },
          { name: '__proto__', price: 0, capacity: 5, position: 7 },
        ],
        registrations: [...registrationsOfEveryState()],
        waitlist: [
          {
            reference: 'w-2',
            registration_type: 'Standard',
            name: 'Wes',
            email: 'wes@example.org',
            quantity: 3,
          },
          {
            reference: 'w-1',
            registration_type: '__proto__',
            name: 'Win',
            email: 'win@example.org',
            created_at: '2026-10-01T10:00:00Z',
            notified_at: '2026-10-02T10:00:00Z',
          },
        ],
        abstracts: [
          {
            code: 'A-2',
            title: 'Ünïcode',
            abstract: 'Two\nlines, and \u202eturned\u202c',
            keywords: 'a, b',
            authors: [
              { name: 'Lin', email: 'lin@example.org', affiliation: 'Institute', presenting: true },
              { name: 'Max' },
            ],
            contact: { name: 'Lin', email: 'lin@example.org', phone: '+34 600 000 000' },
            file_name: 'a.pdf',
            status: 'rejected',
            decision_note: 'Not this time.',
            decided_at: '2026-10-05T10:00:00Z',
            submitted_at: '2026-10-01T10:00:00Z',
          },
          {
            code: 'A-1',
            title: 'Plain',
            abstract: '',
            authors: [{ name: 'Lin' }],
            contact: { name: 'Lin', email: 'lin@example.org' },
          },
        ],
      },
      { slug: 'empty', title: 'Empty' },
    ],
    webhooks: [
      { url: 'https://example.org/hook', types: ['checkin.created', 'registration.created'] },
      { url: 'https://example.org/quiet', types: ['ping'], enabled: false },
    ],
  }
}

function registrationsOfEveryState() {
  const paid = { registration_type: 'Standard', amount_total: 5000, processor_fee: 175 }
  const buyer = { name: 'Grace', email: 'Grace@Example.org' }
  return [
    {
      ...paid,
      reference: 'confirmed',
      buyer,
      quantity: 2,
      amount_subtotal: 9000,
      language: 'es',
      created_at: '2026-10-03T10:00:00.123Z',
      confirmed_at: '2026-10-03T11:00:00Z',
      // JSON.parse makes `__proto__` an own key, which a literal does not.
      answers: JSON.parse('{"__proto__": "kept", "constructor": "", "日本": "ליל 🎈", "10": "b", "2": "a"}'),
      attendees: [
        { name: 'Grace', email: 'grace@example.org', seat: 'A1', checked_in_at: '2026-11-21T08:00:00Z' },
        { name: 'Гость' },
      ],
    },
    { ...paid, reference: '__proto__', buyer, status: 'pending', created_at: '2026-10-02T10:00:00Z' },
    { ...paid, reference: 'failed', buyer, status: 'failed', created_at: '2026-10-01T10:00:00Z' },
    {
      ...paid,
      reference: 'refunded in part',
      buyer,
      status: 'refunded',
      refunded_amount: 2500,
      refunded_at: '2026-10-09T10:00:00Z',
      cancelled_at: '2026-10-08T10:00:00Z',
      attendees: [{ name: 'Grace', checked_in_at: '2026-11-21T08:30:00Z' }],
    },
    { registration_type: '__proto__', reference: 'cancelled', buyer, status: 'cancelled', quantity: 3 },
    {
      registration_type: '__proto__',
      reference: 'given up',
      buyer,
      status: 'cancelled',
      cancelled_at: '2026-10-09T10:00:00Z',
      never_confirmed: true,
    },
  ]
}
