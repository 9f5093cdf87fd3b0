import { hasMarks, type SheetMarks, toPlainHeader } from '#machinery/tables/plain-header.ts'

/** Lists the ticket shops whose exports an import knows by the names of their columns. */
export const systems = ['pretix', 'eventbrite', 'hi_events'] as const
export type System = (typeof systems)[number]

/** The name of each shop, as it writes itself. */
export const systemNames: Readonly<Record<System, string>> = {
  pretix: 'pretix',
  eventbrite: 'Eventbrite',
  hi_events: 'Hi.Events',
}

/** Lists what a column of these exports may fill, beside the fields that any table has. */
export const systemFields = [
  ...(['type_variant', 'order', 'order_line', 'addon_to', 'status', 'checked_in', 'note'] as const),
] as const
export type SystemField = (typeof systemFields)[number]

/** What its columns fill, the likeliest name first, in the languages in which the shop exports them. */
type Names = Readonly<Record<string, readonly string[]>>

interface Export {
  /** An export has a column of each of these fields. */
  known: readonly string[]
  fields: Names
  /** What the shop needs and nobody was asked: money, times and keys of its own. */
  dropped: readonly string[]
  /** Columns whose names begin so are dropped as well. */
  droppedBeginnings: readonly string[]
}

/**
 * The exports as their sources write them: the order positions of pretix (`base/exporters/orderlist.py` and its German and Spanish
 * catalogues), the attendee report of Eventbrite in English and as it is known in German, and `AttendeesExport.php` of Hi.Events with its languages.
 */
const exported: Readonly<Record<System, Export>> = {
  pretix: {
    known: ['order', 'order_line', 'type', 'attendee_email'],
    fields: {
      order: [
        'order code',
        'bestellnummer',
        'codigo de la orden',
        'codigo de pedido',
        'codigo del pedido',
        'numero de pedido',
      ],
      order_line: ['position id', 'positions id', 'position', 'id de posicion', 'id de la posicion'],
      // The number of another ticket of the order: the line is an extra beside that.
      addon_to: ['add on to position id'],
      status: ['status', 'estado'],
      email: ['email', 'email adresse', 'correo electronico'],
      type: ['product', 'produkt', 'producto'],
      type_variant: ['variation', 'variante', 'variacion'],
      attendee_name: [
        'attendee name',
        'name teilnehmer in',
        'name der teilnehmenden person',
        'teilnehmername',
        'nombre del participante',
        'nombre del asistente',
      ],
      attendee_email: [
        'attendee email',
        'email teilnehmer in',
        'email der teilnehmenden person',
        'correo electronico del participante',
        'correo electronico del asistente',
        'email del participante',
        'email del asistente',
      ],
      name: [
        'invoice address name',
        'rechnungsadresse name',
        'direccion de facturacion',
        'nombre de la direccion de facturacion',
      ],
      seat: ['seat name', 'sitzbezeichnung', 'nombre del asiento'],
      language: ['order locale', 'bestellsprache', 'localizacion de la orden', 'idioma del pedido'],
      checked_in: ['check in lists', 'check in listen', 'eingecheckt auf listen', 'listas de check in'],
      note: ['order comment', 'bestellkommentar', 'comentario de la orden', 'comentario del pedido'],
    },
    dropped: [
      ...['event slug', 'order date', 'order time', 'date', 'start date', 'end date', 'product id'],
      ...['variation id', 'price', 'tax rate', 'tax rule', 'tax code', 'tax value', 'voucher'],
      ...['pseudonymization id', 'seat id', 'seat zone', 'seat row', 'seat number', 'follow up date'],
      ...['address', 'zip code', 'city', 'country', 'state', 'vat id', 'sales channel', 'valid from'],
      ...['valid until', 'email address verified', 'external customer id', 'payment providers'],
      ...['ticket secret', 'position order link', 'voucher budget usage'],
      ...['bestelldatum', 'bestelluhrzeit', 'termin', 'startdatum', 'enddatum', 'preis', 'steuersatz'],
      ...['steuerregel', 'steuerbetrag', 'gutschein', 'pseudonyme id', 'sitzplatz id', 'sitzbereich'],
      ...['sitzreihe', 'sitzplatz', 'datum zur wiedervorlage', 'adresse', 'postleitzahl', 'stadt', 'ort'],
      ...['land', 'bundesland', 'ust id', 'ust id nr', 'verkaufskanal', 'email adresse verifiziert'],
      ...['url semantica del evento', 'fecha de la orden', 'hora de la orden', 'precio', 'tasas'],
      ...['norma fiscal', 'impuestos', 'direccion', 'codigo postal', 'ciudad', 'pais', 'id producto'],
      ...['identificador iva', 'fecha de seguimiento', 'canal de ventas', 'correo electronico verificado'],
      ...['id variacion', 'id cliente externo', 'proveedores de pago'],
    ],
    // The parts of names stand beside the whole names.
    droppedBeginnings: [
      ...['attendee name ', 'invoice address name ', 'name teilnehmer in ', 'rechnungsadresse name '],
      ...['nombre del participante ', 'nombre del asistente ', 'direccion de facturacion '],
    ],
  },
  eventbrite: {
    known: ['order', 'order_line', 'type', 'status'],
    fields: {
      order: ['order number', 'bestellnr'],
      order_line: ['attendee number', 'teilnehmernummer'],
      type: ['ticket type', 'ticketart'],
      status: ['attendee status', 'teilnehmerstatus'],
      first_name: ['buyer first name', 'purchaser first name'],
      last_name: ['buyer last name', 'buyer surname', 'purchaser last name'],
      email: ['buyer email', 'purchaser email'],
      attendee_first_name: ['attendee first name', 'first name', 'vorname'],
      attendee_last_name: ['attendee last name', 'last name', 'surname', 'nachname'],
      attendee_email: ['attendee email', 'email', 'email address', 'email adresse'],
      quantity: ['quantity'],
      note: ['notes', 'order notes'],
    },
    dropped: [
      ...['order date', 'order time', 'price tier', 'group', 'order type', 'currency', 'total paid'],
      ...['fees paid', 'eventbrite fees', 'eventbrite payment processing', 'ticket price', 'discount'],
      ...['discount code', 'promo code', 'tax paid', 'prefix', 'suffix', 'event name', 'event id'],
      ...['barcode number', 'barcode', 'delivery method', 'check in time', 'affiliate', 'tracking link'],
      ...['bestelldatum', 'barcode nr'],
    ],
    droppedBeginnings: ['home ', 'billing ', 'shipping ', 'tax ', 'eventbrite '],
  },
  hi_events: {
    known: ['order_line', 'type', 'checked_in'],
    fields: {
      order_line: ['public id', 'offentliche id', 'id publico'],
      type: ['product name', 'produktname', 'nombre del producto'],
      status: ['status', 'estado'],
      first_name: ['first name', 'vorname', 'nombre'],
      last_name: ['last name', 'nachname', 'apellido'],
      email: ['email', 'correo electronico'],
      // The instant says more than whether there is one.
      checked_in: ['checked in at', 'check ins', 'is checked in', 'eingecheckt', 'registrado'],
      note: ['notes', 'notizen', 'notas'],
    },
    dropped: [
      ...['id', 'product id', 'event id', 'short id', 'created date', 'last updated date'],
      ...['is checked in', 'produkt id', 'veranstaltungs id', 'kurz id', 'erstellungsdatum'],
      ...['letztes aktualisierungsdatum', 'id del producto', 'id del evento', 'id corto'],
      ...['fecha de creacion', 'fecha de ultima actualizacion', 'eingecheckt', 'registrado'],
    ],
    droppedBeginnings: [],
  },
}

/** Tells the export of each shop: a list of the names that a column may have, for each column that it always has. */
const marks = systems.map(system => {
  const { known, fields } = exported[system]
  return known.map(field => fields[field] ?? [])
})

/** Tells the sheet of an export from the others of its workbook. */
export const sheetMarks: readonly SheetMarks[] = marks

/** Says which shop exported a table, by the names of its columns. It is undefined for any other table. */
export function findSystem(headers: readonly string[]): System | undefined {
  return systems.find((_, at) => hasMarks(headers, marks[at] as SheetMarks))
}

/** Returns for each column of an export the field that it fills, `none`, or undefined for what people were asked. */
export function columnsOf(system: System, headers: readonly string[]): (string | undefined)[] {
  const { fields, dropped, droppedBeginnings } = exported[system]
  const plain = headers.map(toPlainHeader)
  const found = new Map<number, string>()
  for (const [field, names] of Object.entries(fields)) {
    const at = names.map(name => plain.indexOf(name)).find(one => one !== -1 && !found.has(one))
    if (at !== undefined) found.set(at, field)
  }
  const isDropped = (name: string) =>
    dropped.includes(name) || droppedBeginnings.some(beginning => name.startsWith(beginning))
  return plain.map((name, at) => found.get(at) ?? (isDropped(name) ? 'none' : undefined))
}
