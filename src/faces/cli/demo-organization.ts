import { DateTime } from 'luxon'
import { DAY, HOUR, toIso } from '#base/time.ts'
import type { OrganizationInput } from '#product/data-care/organization/schema.ts'

type DemoEvent = NonNullable<OrganizationInput['events']>[number]
type DemoRegistration = NonNullable<DemoEvent['registrations']>[number]

export const DEMO_EMAIL = 'sandbox@example.org'
export const DEMO_USER = { email: 'ada@example.org', name: 'Ada' }
export const DEMO_EVENT = 'open-door-days'
export const DEMO_COMING_EVENT = 'coming-summit'
export const DEMO_FREE_TYPE = 'Guest'
export const DEMO_SERIES = 'tower-tours'

const ZONE = 'Europe/Madrid'

const OPEN_DOORS = `Three days in which **every door of the house is open**: talks in the morning, workshops in the afternoon, and a
hall full of people who build things.

## What awaits you

- Twenty talks of twenty minutes, with time for questions
- Workshops in groups of twelve: bring your own laptop
- Lunch and coffee, vegetarian and vegan too

> Come with a question. You will leave with three better ones.`

const TOUR = `Up the **142 steps** of the old water tower, with whoever winds its clock each morning. It takes two hours.

Wear shoes that you would climb a ladder in.`

const SUMMIT = `Two days by the sea on running events of your own: from the first idea to the last guest who goes home.

Talks are in English, with Spanish subtitles.`

// The sandbox has texts of its own, since a link elsewhere would lead a newcomer to nothing.
const ADDRESS = 'Calle de la Puerta 1\n28013 Madrid'

const IMPRINT = `**Sandbox Events SL**
${ADDRESS}
Spain

E-mail: hello@example.org
Tax number: B00000000
Represented by Ada Lovelace

None of this exists: the sandbox shows how the pages of an organizer look.`

const PRIVACY = `This is a sandbox. It runs on the computer of whoever started it, and keeps what you type there.

# What is kept

Names, e-mail addresses and answers of the guests, who are made up, and of the orders that you try. Their mails can be read in
the dashboard. No payment moves money.

# For how long

Until the sandbox is stopped. If it was started with a folder for its data, until somebody deletes that folder.

An organizer writes here what they keep of their guests, what for, and for how long. The settings begin with a draft of it.`

const TERMS = `1. Nothing is for sale here. An order in the sandbox binds nobody, and no payment moves money.
2. A ticket of the sandbox admits to no house but the one that you imagine.
3. An organizer writes here what buyers accept. Each order keeps the terms as they were.`

export const PEOPLE = [
  'Grace Hopper',
  'Ada Lovelace',
  'Alan Turing',
  'Katherine Johnson',
  'Edsger Dijkstra',
  'Barbara Liskov',
  'Donald Knuth',
  'Margaret Hamilton',
  'Radia Perlman',
  'Dennis Ritchie',
  'Frances Allen',
  'John Backus',
  'Hedy Lamarr',
  'Tony Hoare',
  'Sofia Kovalevskaya',
  'José Muñoz',
  '山田 花子',
  'ليلى حداد',
]

/** Returns the organization that the sandbox shows. Its current event begins on the day of `now`, which is in milliseconds. */
export function demoOrganization(now: number): OrganizationInput {
  return {
    account: {
      name: 'Sandbox Events',
      email: DEMO_EMAIL,
      slug: 'sandbox',
      legal_name: 'Sandbox Events SL',
      address: `${ADDRESS}\nSpain`,
      tax_id: 'B00000000',
      imprint_text: IMPRINT,
      privacy_text: PRIVACY,
      terms_text: TERMS,
      timezone: ZONE,
      currency: 'EUR',
      service_fee: { basis_points: 250, per_ticket: 30 },
    },
    series: [{ slug: DEMO_SERIES, name: 'Tower tours' }],
    events: [pastEvent(now), currentEvent(now), comingEvent(now), ...tours(now)],
  }
}

function currentEvent(now: number): DemoEvent {
  return {
    slug: DEMO_EVENT,
    title: 'Open Door Days',
    starts_at: atHour(now, 0, 9),
    ends_at: atHour(now, 2, 18),
    venue: 'Main Hall',
    city: 'Madrid',
    address: ADDRESS,
    contact_email: 'hello@example.org',
    description: OPEN_DOORS,
    registration_types: [
      { name: 'Standard', price: 5000, capacity: 300 },
      { name: 'Student', description: 'With a student card.', price: 1500, capacity: 50 },
      { name: DEMO_FREE_TYPE, price: 0, capacity: 100 },
      { name: 'Workshop', description: 'Twelve seats.', price: 0, capacity: 12 },
    ],
    payment_ways: 'set_up_and_door',
    questions: [
      {
        ...{ key: 'diet', label: 'What do you eat?', kind: 'one_of', asked_for: 'ticket' },
        choices: ['none', 'vegetarian', 'vegan'],
      },
      { key: 'shirt', label: 'T-shirt', kind: 'one_of', choices: ['S', 'M', 'L'], asked_for: 'ticket' },
    ],
    waitlist: PEOPLE.slice(9, 12).map((person, at) => ({
      reference: `waiting-${at + 1}`,
      registration_type: 'Workshop',
      name: person,
      email: emailOf(9 + at),
      created_at: toIso(now - (3 - at) * HOUR),
    })),
    abstracts: [
      {
        code: 'A-1',
        title: 'One file is enough',
        abstract: 'What a small organizer gains when the whole service is one program and one file.',
        keywords: 'sqlite, operations',
        authors: [{ name: 'Grace Hopper', affiliation: 'Navy', presenting: true }, { name: 'Alan Turing' }],
        contact: { name: 'Grace Hopper', email: emailOf(0) },
        submitted_at: toIso(now - 20 * DAY),
      },
      {
        code: 'A-2',
        title: 'Queues at the door',
        abstract: 'Two scanners, one ticket, and why only one of them says yes.',
        authors: [{ name: 'Edsger Dijkstra', presenting: true }],
        contact: { name: 'Edsger Dijkstra', email: emailOf(4) },
        status: 'accepted',
        decision_note: 'We look forward to it.',
        submitted_at: toIso(now - 19 * DAY),
        decided_at: toIso(now - 5 * DAY),
      },
    ],
  }
}

function comingEvent(now: number): DemoEvent {
  return {
    slug: DEMO_COMING_EVENT,
    title: 'Coming Summit',
    starts_at: atHour(now, 60, 10),
    ends_at: atHour(now, 61, 17),
    venue: 'Harbour Centre',
    city: 'Valencia',
    contact_email: 'summit@example.org',
    description: SUMMIT,
    registration_types: [
      { name: 'Early bird', price: 9000, capacity: 50, sales_end: atHour(now, -1, 0) },
      { name: 'Standard', price: 12_000, capacity: 200, sales_start: atHour(now, -1, 0) },
      { name: 'Community', price: 0, capacity: 40 },
    ],
  }
}

/** Returns a tour on each of the next six Saturdays. A class has taken all places of the first one. */
function tours(now: number): DemoEvent[] {
  const { weekday } = DateTime.fromMillis(now, { zone: ZONE })
  const first = (13 - weekday) % 7 || 7
  return Array.from({ length: 6 }, (_, week) => ({
    slug: `tower-tour-${week + 1}`,
    series: DEMO_SERIES,
    title: 'Tower Tour',
    starts_at: atHour(now, first + 7 * week, 11),
    ends_at: atHour(now, first + 7 * week, 13),
    venue: 'Water Tower',
    city: 'Madrid',
    contact_email: 'tours@example.org',
    description: TOUR,
    registration_types: [
      { name: 'Adult', price: 1200, capacity: 12 },
      { name: 'Child', description: 'From 8 to 14 years.', price: 0, capacity: 8 },
    ],
    registrations: week > 0 ? [] : [...classOf('Adult', 12), ...classOf('Child', 8)],
  }))
}

function classOf(type: string, quantity: number): DemoRegistration[] {
  return [
    {
      reference: `class-${type.toLowerCase()}`,
      registration_type: type,
      buyer: { name: 'Escuela del Norte', email: 'class@example.org' },
      quantity,
    },
  ]
}

function pastEvent(now: number): DemoEvent {
  const day = now - 90 * DAY
  return {
    slug: 'past-workshop',
    title: 'Past Workshop',
    starts_at: atHour(now, -90, 15),
    ends_at: atHour(now, -90, 23),
    timezone: 'America/New_York',
    city: 'New York',
    currency: 'USD',
    status: 'completed',
    visibility: 'unlisted',
    registration_types: [{ name: 'Seat', price: 2000, capacity: 20 }],
    registrations: PEOPLE.slice(5, 10).map((person, at) => registration(day, person, at)),
  }
}

/** Returns the registration of a guest who was imported, as the past event did not sell here. */
function registration(day: number, person: string, at: number): DemoRegistration {
  return {
    reference: `demo-${at + 1}`,
    registration_type: 'Seat',
    buyer: { name: person, email: emailOf(at) },
    amount_total: 2000,
    processor_fee: 75,
    attendees: [{ name: person, seat: `B${at + 1}`, checked_in_at: toIso(day) }],
    language: at % 4 === 0 ? 'es' : 'en',
    created_at: toIso(day - 30 * DAY + at * 7 * HOUR),
  }
}

export function emailOf(at: number): string {
  return `guest-${at + 1}@example.org`
}

/** Returns this hour of the local day that is `days` days from today. */
function atHour(now: number, days: number, hour: number): string {
  return toIso(
    DateTime.fromMillis(now, { zone: ZONE }).startOf('day').plus({ days }).set({ hour }).toMillis(),
  )
}
