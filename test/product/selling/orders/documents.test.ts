import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventDetails } from '#product/catalog/events/schemas.ts'
import { allTickets, documentOf, validTickets } from '#product/selling/orders/documents.ts'
import type { OrderDetails } from '#product/selling/orders/schemas.ts'

const account = {
  ...{ name: 'Elm Hall', email: 'office@example.org', legal_name: null, address: null, tax_id: null },
}
const order = {
  reference: 'K7PM-2QXA',
  confirmed_at: '2026-10-01T10:00:00Z',
  created_at: '2026-10-01T10:00:00Z',
}
const eventOf = (changes: Partial<EventDetails> = {}) =>
  ({
    ...{
      title: 'Spring Meeting',
      starts_at: null,
      ends_at: null,
      timezone: 'Europe/Madrid',
      currency: 'EUR',
    },
    ...{ venue: 'Main Hall', address: null, city: 'Madrid', online_url: null, contact_email: null },
    ...changes,
  }) as EventDetails
const printed = (event: EventDetails, of = account as Parameters<typeof documentOf>[2]['account']) =>
  documentOf(order, event, { account: of, look: { colour: null, logo: null }, language: 'en', tickets: [] })

test('tickets are on Letter where the event is in a country that prints on it, and on A4 everywhere else', () => {
  const papers = {
    LETTER: [
      'USD America/New_York',
      'USD America/Los_Angeles',
      'USD Pacific/Honolulu',
      'CAD America/Toronto',
    ],
    A4: ['EUR Europe/Madrid', 'USD Europe/Madrid', 'USD UTC', 'USD Asia/Singapore', 'BRL America/Sao_Paulo'],
  }
  for (const [paper, places] of [
    ['LETTER', [...papers.LETTER, 'MXN America/Mexico_City', 'PHP Asia/Manila', 'CAD UTC']],
    ['A4', [...papers.A4, 'GBP Europe/London', 'ARS America/Argentina/Buenos_Aires']],
  ] as const) {
    for (const place of places) {
      const [currency, timezone] = place.split(' ') as [string, string]
      assert.equal(printed(eventOf({ currency, timezone })).paper, paper, place)
    }
  }
})

test('a document names the contact of the event or else of the account, and the seller by its legal name', () => {
  assert.equal(printed(eventOf()).contact, 'office@example.org')
  assert.equal(printed(eventOf({ contact_email: 'desk@example.org' })).contact, 'desk@example.org')
  assert.deepEqual(printed(eventOf()).seller, { isSelling: false, lines: ['Elm Hall'] })
  const legal = {
    legal_name: 'Elm Hall Association',
    address: 'Calle Mayor 1\n28001 Madrid',
    tax_id: 'G12345678',
  }
  const { seller, event } = printed(eventOf(), { ...account, ...legal })
  assert.equal(seller.isSelling, true)
  assert.deepEqual(seller.lines.slice(0, 3), ['Elm Hall Association', 'Calle Mayor 1', '28001 Madrid'])
  assert.match(seller.lines[3] as string, /G12345678/)
  assert.equal(event.organizer, 'Elm Hall')
})

test('a ticket that is void or not confirmed has no code to print, and admits nobody', () => {
  const line = (status: string, ...voided: boolean[]) => ({
    ...{ status, registration_type_id: 'type', registration_type_name: 'Standard' },
    attendees: voided.map((isVoid, at) => ({
      ...{
        id: `${status}-${at}`,
        qr_code: `code ${at}`,
        name: 'Ada',
        email: null,
        seat: null,
        voided: isVoid,
      },
    })),
  })
  const lines = [
    line('confirmed', false, true),
    line('cancelled', true),
    line('refunded', true),
    line('pending', false),
  ]
  const registrations = lines as unknown as OrderDetails['registrations']
  assert.deepEqual(
    allTickets({ registrations }, []).map(({ id, code }) => [id, code]),
    [
      ['confirmed-0', 'code 0'],
      ...['confirmed-1', 'cancelled-0', 'refunded-0', 'pending-0'].map(id => [id, null]),
    ],
  )
  assert.deepEqual(
    validTickets({ registrations }, []).map(({ id }) => id),
    ['confirmed-0'],
  )
})
