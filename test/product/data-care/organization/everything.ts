/** Makes an organization file with every field, every state, and texts that are easily lost. */
export function everything() {
  return {
    account: {
      name: 'Ada Événements 🎪',
      email: 'Ada@Example.org',
      timezone: 'Europe/Madrid',
      currency: 'EUR',
      slug: 'ada',
      legal_name: 'Ada Événements SL',
      address: 'Gran Vía 1\n28013 Madrid',
      tax_id: 'B-12345678',
      imprint_url: 'https://ada.example/imprint',
      terms_url: 'https://ada.example/terms',
      privacy_text: '# Privacy\n\nWe keep <b>names</b> 🎪.',
      receipt_prefix: 'ADA',
      receipt_years: 12,
      invoice_from: 400,
      accent: '#c0392b',
      embed_origins: ['https://ada.example', 'https://www.ada.example:8443'],
      forget_after_days: 365,
      tax_exemption: 'Kein Ausweis von Umsatzsteuer\nnach § 19 UStG',
      service_fee: { basis_points: 250, per_ticket: 30 },
    },
    series: [{ name: 'Meetings 🎪', slug: 'meetings' }],
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
        address: '5th Avenue 1\nNew York',
        online_url: 'https://meet.example/room',
        contact_email: 'hello@ada.example',
        terms: 'No dogs.',
        names_locked_at: '2026-11-20T09:00:00Z',
        cancel_until: '2026-11-14T09:00:00Z',
        cancel_refund_basis_points: 5000,
        payment_days: 14,
        withdrawal_excluded: false,
        waitlist_mode: 'offer',
        waitlist_hours: 48,
        reminder: 'all',
        approval_days: 12,
        payment_ways: 'set_up_and_door',
        decision_mails: false,
        give_on: true,
        accent: '#008800',
        series: 'meetings',
        takes_abstracts: true,
        badge_layout: {
          ...{ format: 'own', width: 620, height: 290, offset_x: -15, offset_y: 20 },
          ...{ question: 'company', qr: true },
        },
        call: {
          ...{ opens_at: '2026-08-01T08:00:00Z', closes_at: '2026-09-30T21:59:00Z', zone: 'Etc/GMT+12' },
          ...{ about: '**New** results', sections: ['Aim', 'Result'], max_words: 250, per_person: 2 },
          topics: ['Rooms', 'Ünïcode'],
          kinds: [
            { name: 'Talk', minutes: 20, poster: false },
            { name: 'Poster', minutes: null, poster: true },
          ],
          ...{ file: 'optional', max_file_mib: 3 },
        },
        review: {
          ...{ closes_at: '2026-10-20T21:59:00Z', blind: false, wanted: 2, about: 'Look *closely*' },
          criteria: [
            { name: 'Originality', weight: 3 },
            { name: 'Clarity', weight: 1 },
          ],
        },
        archived_at: '2026-10-05T10:00:00.000Z',
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
            min_per_order: 2,
            max_per_order: 6,
            hidden: true,
            tax_basis_points: 2100,
            open_price: true,
          },
          { name: 'Dinner', kind: 'extra', price: 100, capacity: 5, position: 8 },
          { name: '__proto__', price: 0, capacity: 5, position: 7, entries: 'each_day', reentry: true },
        ],
        questions: [
          {
            key: '__proto__',
            label: 'Talla de <b>camiseta</b>',
            help: 'Two\nlines',
            kind: 'several_of',
            choices: ['M', 'L'],
            required: true,
            asked_for: 'ticket',
            registration_types: ['__proto__'],
          },
          { key: 'old', label: 'Old', retired: true, position: 3 },
          { key: 'plain', label: 'Plain', registration_types: [] },
        ],
        codes: [
          {
            code: 'Early-Bird',
            percent: 25,
            registration_types: ['Standard'],
            valid_from: '2026-01-01T00:00:00Z',
            valid_until: '2026-02-01T00:00:00Z',
            max_tickets: 2,
            active: false,
            note: 'For members',
          },
          { code: 'off_500', amount: 500 },
          { code: 'Backstage' },
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
              {
                ...{ name: 'Ada', affiliation: 'Institute; Academy', orcid: '0000-0002-1825-0097' },
                affiliations: ['Institute', 'Academy'],
              },
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
          submitted(),
        ],
        reviewers: [
          {
            ...{ reference: 'rosa', name: 'Rosa', email: 'rosa@example.org', affiliation: 'Academy' },
            ...{ language: 'es', topics: ['Ünïcode'], conflicts: ['Dr. No', 'x@example.org'] },
            created_at: '2026-10-01T10:00:00Z',
          },
          {
            ...{ reference: 'rudi', name: 'Rudi', email: 'rudi@example.org' },
            ...{ left_at: '2026-10-03T10:00:00Z', created_at: '2026-10-02T10:00:00Z' },
          },
        ],
        submitters: [
          {
            ...{ reference: 'lin', name: 'Lin', email: 'lin@example.org', language: 'es' },
            ...{ confirmed_at: '2026-09-02T10:00:00Z', late_until: '2026-10-30T10:00:00Z' },
            created_at: '2026-09-01T10:00:00Z',
            submissions: [
              {
                ...{ reference: 's-1', abstract: 'A-3', confirmed_at: '2026-09-02T10:00:00Z' },
                created_at: '2026-09-01T10:00:00Z',
              },
              {
                reference: 's-2',
                draft: { typed: { title: ['On <b>'], topic: ['Rooms'] }, authors: 1, affiliations: 0 },
                created_at: '2026-09-03T10:00:00Z',
              },
            ],
          },
        ],
        programme: programme(),
      },
      { slug: 'empty', title: 'Empty' },
    ],
    webhooks: [
      { url: 'https://example.org/hook', types: ['checkin.created', 'registration.created'] },
      { url: 'https://example.org/quiet', types: ['ping'], enabled: false },
    ],
  }
}

/** A programme that was published, of which a room, a session and a slot were taken out since. */
function programme() {
  const at = { starts_at: '2026-11-21T09:00:00Z', ends_at: '2026-11-21T10:00:00Z' }
  return {
    ...{ texts_from: '2026-11-20T09:00:00Z', published: 1 },
    people: [{ one: 'a'.repeat(22), other: 'b'.repeat(22), same: false }],
    rooms: ['__proto__', 'Aula 🎪'],
    sessions: [
      {
        ...{ title: 'Opening <b>', room: '__proto__', ...at, about: 'Two\nlines' },
        chairs: [{ name: 'Chiara', email: 'chiara@example.org' }, { name: 'Karl' }],
        slots: [
          { minutes: 5, title: 'Welcome' },
          { minutes: 20, abstract: 'A-3' },
        ],
      },
      { title: 'Without a room', ...at },
    ],
    versions: [
      {
        ...{ created_at: '2026-10-08T10:00:00Z', published_by: 'user:ada' },
        sessions: [
          {
            ...{ session: 1, room: 1, ...at },
            slots: [
              { slot: 3, ...at },
              { slot: 2, ...at, abstract: 'A-3' },
            ],
          },
          { session: 3, room: 3, ...at, slots: [] },
          { session: 2, ...at, slots: [] },
        ],
        numbers: [
          { abstract: 'A-3', number: 'O-01' },
          { abstract: 'A-1', number: 'P-001' },
        ],
      },
    ],
  }
}

/** An abstract that was sent, changed, reviewed and accepted. */
function submitted() {
  const version = {
    ...{ title: 'On rooms', keywords: ['a', 'b'], topic: 'Rooms', kind: 'Poster', language: 'en' },
    sections: [
      { heading: 'Aim', text: 'We $x$.' },
      { heading: 'Result', text: 'Yes.' },
    ],
    contact: { name: 'Lin', phone: null },
    authors: [
      { given: 'Lin', family: null, email: null, orcid: null, affiliations: [0], presenting: true },
      {
        given: null,
        family: 'Max',
        email: 'max@example.org',
        orcid: null,
        affiliations: [],
        presenting: false,
      },
    ],
    affiliations: ['Institute'],
  }
  return {
    ...{ code: 'A-3', title: 'On rooms', abstract: 'Aim: We $x$.\n\nResult: Yes.', keywords: 'a, b' },
    ...{ language: 'en', topic: 'Rooms', kind: 'Poster', status: 'accepted' },
    authors: [
      { name: 'Lin', affiliation: 'Institute', presenting: true },
      { name: 'Max', email: 'max@example.org' },
    ],
    contact: { name: 'Lin', email: 'lin@example.org', phone: null },
    ...{ submitted_at: '2026-09-01T11:00:00Z', decided_at: '2026-10-06T10:00:00Z' },
    ...{ decision_number: 2, decided_kind: 'Talk', registration_code: 'off_500' },
    ...{ confirm_by: '2026-10-20T10:00:00Z', confirmed_at: '2026-10-07T10:00:00Z' },
    comments_told_at: '2026-10-06T10:00:00Z',
    unavailable: ['2026-11-21'],
    proposal: { decision: 'rejected', note: 'Too many.', proposed_by: 'user:ada' },
    revisions: [
      { ...version, created_at: '2026-09-01T11:00:00Z', title: 'On roms', topic: undefined },
      {
        ...{ ...version, created_at: '2026-09-02T11:00:00Z', changed_by: 'user:ada' },
        formulas: { $x$: ['mrow', {}, ['mi', {}, 'x']] },
      },
    ],
    reviews: [
      {
        ...{ reviewer: 'rosa', recommendation: 'accept', to_authors: 'Good', to_chairs: 'Yes', told: 'Bad' },
        scores: [
          { criterion: 'Originality', score: 5 },
          { criterion: 'Clarity', score: 1 },
        ],
        done_at: '2026-10-05T10:00:00Z',
      },
      { reviewer: 'rudi', returned: 'field' },
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
        {
          name: 'Grace',
          email: 'grace@example.org',
          seat: 'A1',
          answers: JSON.parse('{"__proto__": "kept", "shirt": "M, L"}'),
          code: 'EARLY-bird',
          checked_in_at: '2026-11-21T08:00:00Z',
        },
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
      attendees: [{ name: 'Grace', code: 'off_500', checked_in_at: '2026-11-21T08:30:00Z' }],
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
