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
  /** Columns that are kept, though their names begin as one that is dropped. */
  asked?: readonly string[]
}

/**
 * The exports as their sources write them: the order positions of pretix (`base/exporters/orderlist.py`) with its German, Spanish and
 * French catalogues of 2024 and 2026, the attendee report of Eventbrite in English and as it is known in German, and
 * `AttendeesExport.php` of Hi.Events with its languages.
 */
const exported: Readonly<Record<System, Export>> = {
  pretix: {
    known: ['order', 'order_line', 'type', 'attendee_email'],
    fields: {
      order: [
        ...['order code', 'bestellnummer', 'codigo de la orden', 'codigo de pedido', 'codigo del pedido'],
        ...['numero de pedido', 'code de commande'],
      ],
      order_line: [
        ...['position id', 'positions id', 'position', 'id de posicion', 'id de la posicion'],
        'id de la position',
      ],
      // The number of another ticket of the order: the line is an extra beside that.
      addon_to: [
        ...['add on to position id', 'zusatzprodukt zu position', 'add on al id de posicion'],
        'add on a la position id',
      ],
      status: ['status', 'estado', 'statut'],
      email: ['email', 'email adresse', 'correo electronico'],
      type: ['product', 'produkt', 'producto', 'produit'],
      type_variant: ['variation', 'variante', 'variacion'],
      attendee_name: [
        ...['attendee name', 'name teilnehmer in', 'name der teilnehmenden person', 'teilnehmername'],
        ...['nombre del participante', 'nombre del asistente', 'nom du participant'],
      ],
      attendee_email: [
        ...['attendee email', 'email teilnehmer in', 'email der teilnehmenden person'],
        ...['correo electronico del participante', 'correo electronico del asistente'],
        ...['email del participante', 'email del asistente', 'adresse mail du participant'],
        'email du participant',
      ],
      name: [
        ...['invoice address name', 'rechnungsadresse name', 'direccion de facturacion'],
        ...['nombre de la direccion de facturacion', 'nom sur l adresse de facturation'],
        'nom de l adresse de facturation',
      ],
      seat: ['seat name', 'sitzbezeichnung', 'nombre del asiento', 'nom du siege'],
      language: [
        ...['order locale', 'bestellsprache', 'localizacion de la orden', 'idioma del pedido'],
        'langue de la commande',
      ],
      checked_in: [
        ...['check in lists', 'check in listen', 'eingecheckt auf listen', 'listas de check in'],
        ...['listas de registro', 'lista de asistentes', 'listes d enregistrement'],
      ],
      note: [
        ...['order comment', 'bestellkommentar', 'comentario de la orden', 'comentario del pedido'],
        'commentaire de commande',
      ],
    },
    dropped: [
      ...['event slug', 'event name', 'order date', 'order time', 'date', 'start date', 'end date'],
      ...['product id', 'variation id', 'price', 'tax rate', 'tax rule', 'tax code', 'tax value', 'voucher'],
      ...['pseudonymization id', 'seat id', 'seat zone', 'seat row', 'seat number', 'follow up date'],
      ...['address', 'zip code', 'city', 'country', 'state', 'vat id', 'sales channel', 'valid from'],
      ...['valid until', 'email address verified', 'external customer id', 'payment providers'],
      ...['ticket secret', 'position order link', 'voucher budget usage', 'voucher tag', 'blocked'],
      ...['kurzname der veranstaltung', 'veranstaltungstitel', 'bestelldatum', 'bestelluhrzeit', 'termin'],
      ...['startdatum', 'enddatum', 'beginn', 'ende', 'produkt id', 'varianten id', 'preis', 'steuersatz'],
      ...['steuerregel', 'steuerkodierung', 'steuer', 'steuerbetrag', 'gutschein', 'gutschein tag'],
      ...['verwendetes gutscheinbudget', 'pseudonyme id', 'ticket code', 'sitzplatz id', 'sitzbereich'],
      ...['sitzreihe', 'sitzplatz', 'gesperrt', 'gultig ab', 'gultig bis', 'datum zur wiedervorlage'],
      ...['adresse', 'postleitzahl', 'stadt', 'ort', 'land', 'bundesland', 'bundesstaat', 'ust id'],
      ...['ust id nr', 'verkaufskanal', 'email adresse verifiziert', 'externe kundennummer'],
      ...['zahlungsmethoden', 'link zur bestellposition'],
      // The state of an address has the name of the state of an order, which stands before it.
      ...['url semantica del evento', 'slug del evento', 'nombre del evento', 'fecha', 'fecha de inicio'],
      ...['fecha final', 'fecha de la orden', 'fecha del pedido', 'hora de la orden', 'hora del pedido'],
      ...['id producto', 'id variacion', 'precio', 'tasas', 'norma fiscal', 'codigo fiscal', 'impuestos'],
      ...['direccion', 'codigo postal', 'ciudad', 'pais', 'estado', 'recibo', 'vale de compra'],
      ...['uso del presupuesto del vale', 'codigo de cupon', 'id seudonimo', 'secreto del ticket'],
      ...['secreto de la entrada', 'id asiento', 'zona del asiento', 'fila del asiento'],
      ...['numero del asiento', 'zona de la butaca', 'fila de la butaca', 'numero de la butaca'],
      ...['bloqueado', 'valido desde', 'valido hasta', 'fecha de seguimiento'],
      ...['calle de la direccion de facturacion', 'ciudad de facturacion'],
      ...['estado o provincia para la direccion de la factura', 'identificador iva', 'canal de ventas'],
      ...['canal de venta', 'correo electronico verificado', 'id cliente externo', 'proveedores de pago'],
      'enlace al pedido',
      // The number of a seat has its name in French.
      ...['nom court de l evenement', 'titre de l evenement', 'nom de l evenement', 'date de commande'],
      ...['heure de commande', 'date de debut', 'date de fin', 'id produit', 'id variant', 'prix', 'tarif'],
      ...['taux d imposition', 'regle fiscale', 'regime fiscal', 'valeur fiscale', 'code postal', 'ville'],
      ...['pays', 'etat', 'etat province region', 'bon', 'utilisation du budget des bons', 'code du bon'],
      ...['id pseudonyme', 'secret du billet', 'numero de siege', 'id du siege', 'zone du siege'],
      ...['rangee de la place', 'rangee de sieges', 'nom du siege', 'bloque', 'valable depuis'],
      ...['valable jusqu au', 'date de suivi', 'region de l adresse de facturation', 'identifiant de tva'],
      ...['canal de vente', 'adresse email verifiee', 'identifiant de commercant externe'],
      ...['fournisseurs de paiement', 'lien vers la commande'],
    ],
    // The parts of names stand beside the whole names, and those of the address of an invoice are nothing to an event.
    droppedBeginnings: [
      ...['attendee name ', 'invoice address ', 'name teilnehmer in ', 'rechnungsadresse '],
      ...['nombre del participante ', 'nombre del asistente ', 'direccion de facturacion '],
      ...['nom du participant ', 'nom sur l adresse de facturation ', 'nom de l adresse de facturation '],
      'adresse de facturation ',
    ],
    asked: [
      ...['invoice address company', 'rechnungsadresse firma', 'direccion de facturacion empresa'],
      ...['direccion de facturacion de la empresa', 'adresse de facturation de la societe'],
      'adresse de facturation de l entreprise',
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
      order_line: ['public id', 'offentliche id', 'id publico', 'id public'],
      type: ['product name', 'produktname', 'nombre del producto', 'nom du produit', 'nome do produto'],
      status: ['status', 'estado', 'statut'],
      first_name: ['first name', 'vorname', 'nombre', 'prenom', 'nome'],
      last_name: ['last name', 'nachname', 'apellido', 'nom', 'sobrenome'],
      email: ['email', 'correo electronico'],
      // The instant says more than whether there is one. The lists of check-ins have their English name everywhere.
      checked_in: [
        ...['checked in at', 'eingecheckt am', 'registrado en', 'enregistre a', 'check in em', 'check ins'],
        ...['is checked in', 'eingecheckt', 'registrado', 'enregistre', 'check in realizado'],
      ],
      note: ['notes', 'notizen', 'notas'],
    },
    dropped: [
      ...['id', 'product id', 'event id', 'short id', 'created date', 'last updated date'],
      ...['is checked in', 'produkt id', 'veranstaltungs id', 'kurz id', 'erstellungsdatum'],
      ...['letztes aktualisierungsdatum', 'id del producto', 'id del evento', 'id corto'],
      ...['fecha de creacion', 'fecha de ultima actualizacion', 'eingecheckt', 'registrado'],
      ...['id du produit', 'id de l evenement', 'id court', 'date de creation', 'enregistre'],
      ...['date de derniere mise a jour', 'id do produto', 'id do evento', 'id curto', 'data de criacao'],
      ...['ultima atualizacao', 'check in realizado'],
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
  const { fields, dropped, droppedBeginnings, asked = [] } = exported[system]
  const plain = headers.map(toPlainHeader)
  const found = new Map<number, string>()
  for (const [field, names] of Object.entries(fields)) {
    const at = names.map(name => plain.indexOf(name)).find(one => one !== -1 && !found.has(one))
    if (at !== undefined) found.set(at, field)
  }
  const isDropped = (name: string) =>
    dropped.includes(name) ||
    (!asked.includes(name) && droppedBeginnings.some(beginning => name.startsWith(beginning)))
  return plain.map((name, at) => found.get(at) ?? (isDropped(name) ? 'none' : undefined))
}
