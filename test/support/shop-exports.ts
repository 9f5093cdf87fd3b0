import { toCsv } from '#machinery/tables/csv.ts'
import { rowsOf, workbook } from './workbooks.ts'

/** Exports of other ticket shops, made by hand after the sources of their exporters. Each has one order of two people. */

type Rows = readonly (readonly string[])[]

/** Returns rows with these columns filled and the others empty. */
function rows(columns: readonly string[], lines: readonly Readonly<Record<string, string>>[]): Rows {
  return [columns, ...lines.map(line => columns.map(column => line[column] ?? ''))]
}

/** The order positions of pretix (`base/exporters/orderlist.py`), with an invoice address and two questions. */
export const PRETIX = rows(
  [
    ...[
      'Event slug',
      'Order code',
      'Position ID',
      'Status',
      'Email',
      'Phone number',
      'Order date',
      'Order time',
    ],
    ...['Product', 'Variation', 'Price', 'Tax rate', 'Tax rule', 'Tax value', 'Attendee name'],
    ...['Attendee name: Given name', 'Attendee name: Family name', 'Attendee email', 'Company', 'Address'],
    ...['ZIP code', 'City', 'Country', 'State', 'Voucher', 'Pseudonymization ID', 'Seat ID', 'Seat name'],
    ...['Seat zone', 'Seat row', 'Seat number', 'Order comment', 'Add-on to position ID', 'Follow-up date'],
    'What do you eat?',
    ...['Invoice address name', 'VAT ID', 'Sales channel', 'Order locale', 'E-mail address verified'],
    ...['Check-in lists', 'Payment providers'],
  ],
  [
    {
      ...{ 'Event slug': 'congress', 'Order code': 'K7QZ3', 'Position ID': '1', Status: 'paid' },
      ...{ Email: 'grace@example.org', 'Phone number': '+34600000001', 'Order date': '2026-05-01' },
      ...{ Product: 'Ticket', Variation: 'Student', Price: '20.00', 'Attendee name': 'Grace Hopper' },
      ...{ 'Attendee name: Given name': 'Grace', 'Attendee name: Family name': 'Hopper' },
      ...{ 'Attendee email': 'g.hopper@example.org', Country: 'ES', 'Pseudonymization ID': 'ABCDEFGHIJ' },
      ...{ 'Seat name': 'Row 1, Seat 2', 'Order comment': 'Comes late', 'What do you eat?': 'Vegan' },
      ...{ 'Invoice address name': 'Navy Ltd', 'Order locale': 'es', 'Check-in lists': 'Main door' },
    },
    {
      ...{ 'Event slug': 'congress', 'Order code': 'K7QZ3', 'Position ID': '2', Status: 'paid' },
      ...{ Email: 'grace@example.org', Product: 'Dinner', 'Order locale': 'de-informal' },
    },
    {
      ...{ 'Order code': 'XXXXX', 'Position ID': '1', Status: 'canceled', Email: 'gone@example.org' },
      ...{ Product: 'Ticket', Variation: 'Student', 'Attendee name': 'Gone Away' },
    },
    {
      ...{ 'Order code': 'YYYYY', 'Position ID': '1', Status: 'pending', Email: 'owes@example.org' },
      ...{ Product: 'Ticket', 'Attendee name': 'Owes Money' },
    },
  ],
)

/**
 * The order positions of pretix with add-ons, each of which names its position: a dinner and a shirt beside a ticket, a dinner
 * beside a ticket that was cancelled, and one whose ticket is not there.
 */
export const PRETIX_ADDONS = rows(
  [
    ...['Order code', 'Position ID', 'Status', 'Email', 'Product', 'Variation', 'Attendee name'],
    ...['Attendee email', 'Seat name', 'Order comment', 'Add-on to position ID', 'Check-in lists'],
  ],
  [
    {
      ...{ 'Order code': 'K7QZ3', 'Position ID': '1', Status: 'paid', Email: 'grace@example.org' },
      ...{ Product: 'Ticket', 'Attendee name': 'Grace Hopper', 'Attendee email': 'g.hopper@example.org' },
      'Check-in lists': 'Main door',
    },
    {
      ...{ 'Order code': 'K7QZ3', 'Position ID': '2', Status: 'paid', Email: 'grace@example.org' },
      ...{ Product: 'Dinner', Variation: 'Vegan', 'Add-on to position ID': '1' },
    },
    {
      ...{ 'Order code': 'K7QZ3', 'Position ID': '3', Status: 'paid', Email: 'grace@example.org' },
      ...{ Product: 'Shirt', 'Add-on to position ID': '1', 'Check-in lists': 'Desk' },
    },
    {
      ...{ 'Order code': 'XXXXX', 'Position ID': '1', Status: 'canceled', Email: 'gone@example.org' },
      ...{ Product: 'Ticket', 'Attendee name': 'Gone Away' },
    },
    {
      ...{ 'Order code': 'XXXXX', 'Position ID': '2', Status: 'paid', Email: 'gone@example.org' },
      ...{ Product: 'Dinner', Variation: 'Vegan', 'Add-on to position ID': '1' },
    },
    {
      ...{ 'Order code': 'NNNNN', 'Position ID': '2', Status: 'paid', Email: 'nobody@example.org' },
      ...{ Product: 'Shirt', 'Add-on to position ID': '1' },
    },
  ],
)

/** The same in German: the headers and states of the catalogue of pretix. */
export const PRETIX_GERMAN = rows(
  [
    ...[
      'Bestellnummer',
      'Position',
      'Status',
      'E-Mail',
      'Telefonnummer',
      'Bestelldatum',
      'Produkt',
      'Variante',
    ],
    ...['Preis', 'Name Teilnehmer*in', 'E-Mail Teilnehmer*in', 'Sitzbezeichnung', 'Bestellkommentar'],
    ...['Essen?', 'Rechnungsadresse: Name', 'Bestellsprache'],
  ],
  [
    {
      ...{ Bestellnummer: 'K7QZ3', Position: '1', Status: 'bezahlt', 'E-Mail': 'grace@example.org' },
      ...{ Produkt: 'Ticket', Variante: 'Student', 'Name Teilnehmer*in': 'Grace Hopper' },
      ...{ 'E-Mail Teilnehmer*in': 'g.hopper@example.org', 'Essen?': 'Vegan', Bestellsprache: 'de' },
    },
    {
      ...{ Bestellnummer: 'K7QZ3', Position: '2', Status: 'bezahlt', 'E-Mail': 'grace@example.org' },
      ...{ Produkt: 'Dinner' },
    },
    {
      Bestellnummer: 'XXXXX',
      Position: '1',
      Status: 'storniert',
      'E-Mail': 'g@example.org',
      Produkt: 'Ticket',
    },
    {
      Bestellnummer: 'YYYYY',
      Position: '1',
      Status: 'abgelaufen',
      'E-Mail': 'g@example.org',
      Produkt: 'Ticket',
    },
  ],
)

const position = (positionid: number, item: number, more: object = {}) => ({
  ...{ id: 100 + positionid, positionid, item, variation: null, subevent: null, seat: null, price: '20.00' },
  ...{ tax_rate: '0.00', tax_value: '0.00', attendee_name: null, attendee_email: null, company: null },
  ...{ street: null, zipcode: null, country: null, state: null, secret: 'not-ours', addon_to: null },
  ...{ answers: [], ...more },
})

const order = (code: string, status: string, email: string, positions: object[], more: object = {}) => ({
  ...{ code, status, customer: null, testmode: false, user: email, email, phone: 'None', locale: 'es' },
  ...{ comment: '', sales_channel: 'web', fees: [], total: '20.00', positions, ...more },
})

/** “Order data (JSON)” of pretix (`base/exporters/json.py`). */
export const PRETIX_JSON = {
  event: {
    name: 'Congress {2026} "[all]"',
    slug: 'congress',
    organizer: { name: 'Org', slug: 'org' },
    meta_data: {},
    categories: [],
    items: [
      {
        ...{ id: 1, name: 'Ticket (public)', internal_name: 'Ticket', admission: true },
        variations: [{ id: 11, name: 'Student' }],
      },
      { id: 2, name: 'Dinner', internal_name: 'None', admission: false, variations: [] },
    ],
    questions: [{ id: 5, identifier: 'DIET', question: 'What do you eat?', type: 'S' }],
    orders: [
      order(
        ...(['K7QZ3', 'p', 'grace@example.org'] as const),
        [
          position(1, 1, {
            ...{ variation: 11, seat: 'Row 1, Seat 2', attendee_name: 'Grace Hopper' },
            ...{ attendee_email: 'g.hopper@example.org', answers: [{ question: 5, answer: 'Vegan' }] },
          }),
          position(2, 2),
        ],
        { comment: 'Comes late' },
      ),
      order('XXXXX', 'c', 'gone@example.org', [position(1, 1, { attendee_name: 'Gone Away' })]),
      order('TTTTT', 'p', 'test@example.org', [position(1, 1)], { testmode: true }),
    ],
    quotas: [],
    subevents: [],
  },
}

/** The same add-ons. Here they name the id of their position, and a position that was cancelled is not there. */
export const PRETIX_ADDONS_JSON = {
  event: {
    ...PRETIX_JSON.event,
    items: [
      { id: 1, name: 'Ticket', internal_name: 'None', admission: true, variations: [] },
      { id: 2, name: 'Dinner', internal_name: 'None', variations: [{ id: 21, name: 'Vegan' }] },
      { id: 3, name: 'Shirt', internal_name: 'None', variations: [] },
    ],
    questions: [],
    orders: [
      order('K7QZ3', 'p', 'grace@example.org', [
        position(1, 1, { attendee_name: 'Grace Hopper', attendee_email: 'g.hopper@example.org' }),
        position(2, 2, { variation: 21, addon_to: 101 }),
        position(3, 3, { addon_to: 101 }),
      ]),
      order('XXXXX', 'p', 'gone@example.org', [position(2, 2, { variation: 21, addon_to: 1 })]),
    ],
  },
}

/** The attendee report of Eventbrite. */
export const EVENTBRITE = rows(
  [
    ...['Order #', 'Order Date', 'First Name', 'Last Name', 'Email', 'Quantity', 'Price Tier', 'Ticket Type'],
    ...['Attendee #', 'Group', 'Order Type', 'Currency', 'Total Paid', 'Fees Paid', 'Eventbrite Fees'],
    ...[
      'Eventbrite Payment Processing',
      'Attendee Status',
      'Home Address 1',
      'Home City',
      'What do you eat?',
    ],
  ],
  [
    {
      ...{ 'Order #': '11211912243', 'First Name': 'Grace', 'Last Name': 'Hopper', Quantity: '1' },
      ...{ Email: 'grace@example.org', 'Ticket Type': 'Standard', 'Attendee #': '20044187793' },
      ...{ 'Attendee Status': 'Checked In', 'Home City': 'Arlington', 'What do you eat?': 'Vegan' },
    },
    {
      ...{ 'Order #': '11211912243', 'First Name': 'Ada', 'Last Name': 'Lovelace', Quantity: '1' },
      ...{ Email: 'ada@example.org', 'Ticket Type': 'VIP', 'Attendee #': '20044187803' },
      'Attendee Status': 'Attending',
    },
    {
      ...{ 'Order #': '11211912999', 'First Name': 'Gone', 'Last Name': 'Away', Quantity: '1' },
      ...{ Email: 'gone@example.org', 'Ticket Type': 'Standard', 'Attendee #': '20044187999' },
      'Attendee Status': 'Refunded',
    },
    {
      ...{ 'Order #': '11211912888', 'First Name': 'Stays', 'Last Name': 'Home', Quantity: '1' },
      ...{ Email: 'home@example.org', 'Ticket Type': 'Standard', 'Attendee #': '20044187888' },
      'Attendee Status': 'Not Attending',
    },
  ],
)

/** The same in German, with the columns and the one state that published reports have, and an e-mail. */
export const EVENTBRITE_GERMAN = rows(
  [
    ...['Bestellnr.', 'Bestelldatum', 'Vorname', 'Nachname', 'E-Mail', 'Ticketart', 'Teilnehmernummer'],
    ...['Barcode-Nr.', 'Teilnehmerstatus'],
  ],
  [
    {
      ...{ 'Bestellnr.': '11211912243', Vorname: 'Grace', Nachname: 'Hopper', Ticketart: 'Standard' },
      ...{ 'E-Mail': 'grace@example.org', Teilnehmernummer: '20044187793', Teilnehmerstatus: 'Nimmt teil' },
      'Barcode-Nr.': '1121191224320044187793001',
    },
    {
      ...{ 'Bestellnr.': '11211912888', Vorname: 'Stays', Nachname: 'Home', Ticketart: 'Standard' },
      ...{ 'E-Mail': 'home@example.org', Teilnehmernummer: '20044187888' },
      Teilnehmerstatus: 'Nimmt nicht teil',
    },
  ],
)

const HI_EVENTS_LINES = [
  {
    ...{
      ID: '41',
      'First Name': 'Grace',
      'Last Name': 'Hopper',
      Email: 'grace@example.org',
      Status: 'ACTIVE',
    },
    ...{
      'Is Checked In': 'Yes',
      'Checked In At': '2026-05-01 10:15:00',
      'Check Ins': 'Door (2026-05-01 10:15:00)',
    },
    ...{ 'Product Name': 'Standard', 'Public ID': 'A-7KQ2ZXC', 'Short ID': 'a_x', Notes: 'Comes late' },
    'What do you eat?': 'Vegan',
  },
  {
    ...{ ID: '42', 'First Name': 'Ada', 'Last Name': 'Lovelace', Email: 'ada@example.org', Status: 'ACTIVE' },
    ...{ 'Is Checked In': 'No', 'Product Name': 'VIP', 'Public ID': 'A-8KQ2ZXC', 'Short ID': 'a_y' },
  },
  {
    ...{
      ID: '43',
      'First Name': 'Gone',
      'Last Name': 'Away',
      Email: 'gone@example.org',
      Status: 'CANCELLED',
    },
    ...{ 'Is Checked In': 'No', 'Product Name': 'VIP', 'Public ID': 'A-9KQ2ZXC' },
  },
]

const HI_EVENTS_BEGINNING = ['ID', 'First Name', 'Last Name', 'Email', 'Status']
const HI_EVENTS_END = [
  ...['Product ID', 'Product Name', 'Event ID', 'Public ID', 'Short ID', 'Created Date'],
  ...['Last Updated Date', 'Notes', 'What do you eat?'],
]

/** The attendees of Hi.Events (`AttendeesExport.php`) before its check-in lists, and since. */
export const HI_EVENTS = rows(
  [...HI_EVENTS_BEGINNING, 'Is Checked In', 'Checked In At', ...HI_EVENTS_END],
  HI_EVENTS_LINES,
)
export const HI_EVENTS_LISTS = rows([...HI_EVENTS_BEGINNING, 'Check Ins', ...HI_EVENTS_END], HI_EVENTS_LINES)

export function asCsv(table: Rows): Buffer {
  return Buffer.from(toCsv(table))
}

/** Returns a workbook with this sheet behind another, as pretix has its orders before their positions. */
export function behindAnotherSheet(table: Rows): Buffer {
  const orders = [
    ['Order code', 'Status', 'Email', 'Name'],
    ['K7QZ3', 'paid', 'grace@example.org', 'Grace'],
  ]
  return workbook({ sheets: [rowsOf(orders), rowsOf(table), rowsOf([['Order code', 'Fee type']])] })
}

/** Returns an export with this many lines, each as the first of them in an order of its own, of a person of their own. */
export function many(table: Rows, count: number): Rows {
  const [columns = [], first = []] = table
  const own = ['Order code', 'Order #', 'Attendee #', 'Public ID', 'Email', 'Attendee email']
  const lines = Array.from({ length: count }, (_, at) =>
    first.map((cell, column) => (own.includes(columns[column] ?? '') ? `${at}${cell}` : cell)),
  )
  return [columns, ...lines]
}

/** Returns the JSON of pretix with this many orders of the first one's kind. */
export function manyAsJson(count: number): Buffer {
  const [first] = PRETIX_JSON.event.orders as { code: string; email: string; positions: object[] }[]
  const orders = Array.from({ length: count }, (_, at) => ({
    ...first,
    ...{ code: `${at}K7QZ3`, email: `${at}grace@example.org`, positions: first?.positions.slice(0, 1) },
  }))
  return Buffer.from(JSON.stringify({ event: { ...PRETIX_JSON.event, orders } }))
}
