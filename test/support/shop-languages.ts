/**
 * The names of the columns of other shops in the languages in which they export them, by hand after their sources: of the
 * order positions of pretix all that its exporter writes, in its order, with the parts of a name and a question (“Menu?”).
 */
export const PRETIX_HEADERS = {
  English: [
    ...['Event slug', 'Event name', 'Order code', 'Position ID', 'Status', 'Email', 'Phone number'],
    ...['Order date', 'Order time', 'Date', 'Start date', 'End date', 'Product', 'Product ID'],
    ...['Variation', 'Variation ID', 'Price', 'Tax rate', 'Tax rule', 'Tax value', 'Attendee name'],
    ...['Attendee name: Given name', 'Attendee name: Family name', 'Attendee email'],
    ...['Attendee company', 'Address', 'ZIP code', 'City', 'Country', 'State', 'Voucher'],
    ...['Voucher budget usage', 'Voucher tag', 'Pseudonymization ID', 'Ticket secret', 'Seat ID'],
    ...['Seat name', 'Seat zone', 'Seat row', 'Seat number', 'Blocked', 'Valid from', 'Valid until'],
    ...['Order comment', 'Follow-up date', 'Add-on to position ID', 'Menu?'],
    ...['Invoice address company', 'Invoice address name', 'Invoice address name: Given name'],
    ...['Invoice address name: Family name', 'Invoice address street', 'Invoice address ZIP code'],
    ...['Invoice address city', 'Invoice address country', 'Invoice address state', 'VAT ID'],
    ...['Sales channel', 'Order locale', 'Email address verified', 'External customer ID'],
    ...['Check-in lists', 'Payment providers', 'Position order link'],
  ],
  German: [
    ...['Kurzname der Veranstaltung', 'Veranstaltungstitel', 'Bestellnummer', 'Position', 'Status'],
    ...['E-Mail', 'Telefonnummer', 'Bestelldatum', 'Bestelluhrzeit', 'Termin', 'Beginn', 'Ende'],
    ...['Produkt', 'Produkt-ID', 'Variante', 'Varianten-ID', 'Preis', 'Steuersatz', 'Steuerregel'],
    ...['Steuer', 'Name Teilnehmer*in', 'Name Teilnehmer*in: Vorname'],
    ...['Name Teilnehmer*in: Nachname', 'E-Mail Teilnehmer*in', 'Teilnehmer*innen-Firma', 'Adresse'],
    ...['Postleitzahl', 'Stadt', 'Land', 'Bundesstaat', 'Gutschein', 'Verwendetes Gutscheinbudget'],
    ...['Gutschein-Tag', 'Pseudonyme ID', 'Ticket-Code', 'Sitzplatz-ID', 'Sitzbezeichnung'],
    ...['Sitzbereich', 'Sitzreihe', 'Sitzplatz', 'Gesperrt', 'Gültig ab', 'Gültig bis'],
    ...['Bestellkommentar', 'Datum zur Wiedervorlage', 'Zusatzprodukt zu Position', 'Menu?'],
    ...['Rechnungsadresse: Firma', 'Rechnungsadresse: Name', 'Rechnungsadresse: Name: Vorname'],
    ...['Rechnungsadresse: Name: Nachname', 'Rechnungsadresse: Straße', 'Rechnungsadresse: PLZ'],
    ...['Rechnungsadresse: Stadt', 'Rechnungsadresse: Land', 'Rechnungsadresse: Bundesstaat'],
    ...['USt-ID-Nr.', 'Verkaufskanal', 'Bestellsprache', 'E-Mail-Adresse verifiziert'],
    ...['Externe Kundennummer', 'Check-in-Listen', 'Zahlungsmethoden', 'Link zur Bestellposition'],
  ],
  Spanish: [
    ...['Slug del evento', 'Nombre del evento', 'Código del pedido', 'ID de posición', 'Estado'],
    ...['Correo electrónico', 'Número de teléfono', 'Fecha del pedido', 'Hora del pedido', 'Fecha'],
    ...['Fecha de inicio', 'Fecha final', 'Producto', 'ID Producto', 'Variacion', 'ID Variación'],
    ...['Precio', 'Tasas', 'Norma fiscal', 'Impuestos', 'Nombre del asistente'],
    ...['Nombre del asistente: Nombre', 'Nombre del asistente: Apellido'],
    ...['Correo electrónico del participante', 'Empresa asistente', 'Dirección', 'Código postal'],
    ...['Ciudad', 'País', 'Estado', 'Vale de compra', 'Uso del presupuesto del vale'],
    ...['Código de cupón', 'ID Seudónimo', 'Secreto de la entrada', 'ID asiento'],
    ...['Nombre del asiento', 'Zona de la butaca', 'Fila de la butaca', 'Número de la butaca'],
    ...['Bloqueado', 'Válido desde', 'Válido hasta', 'Comentario del pedido', 'Fecha de seguimiento'],
    ...['Add-on al ID de posición', 'Menu?', 'Dirección de facturación de la empresa'],
    ...['Dirección de facturación', 'Dirección de facturación: Nombre'],
    ...['Dirección de facturación: Apellido', 'Calle de la dirección de facturación'],
    ...['Dirección de facturación Códigos postales', 'Ciudad de Facturación', 'Pais'],
    ...['Estado o provincia para la dirección de la factura', 'Identificador IVA', 'Canal de venta'],
    ...['Idioma del pedido', 'Correo electrónico verificado', 'ID Cliente externo'],
    ...['Lista de asistentes', 'Proveedores de pago', 'Enlace al pedido'],
  ],
  French: [
    ...["Titre de l'événement", "Nom de l'événement", 'Code de commande', 'ID de la position'],
    ...['Statut', 'E-Mail', 'Numéro de téléphone', 'Date de commande', 'Heure de commande', 'Date'],
    ...['Date de début', 'Date de fin', 'Produit', 'ID produit', 'Variante', 'ID variant', 'Prix'],
    ...["Taux d'imposition", 'Règle fiscale', 'Valeur fiscale', 'Nom du participant'],
    ...['Nom du participant: Prénom', 'Nom du participant: Nom de famille', 'E-mail du participant'],
    ...['Entreprise du participant', 'Adresse', 'Code postal', 'Ville', 'Pays', 'État', 'Bon'],
    ...['Utilisation du budget des bons', 'Code du bon', 'ID pseudonyme', 'Secret du billet'],
    ...['ID du siège', 'Nom du siège', 'Zone du siège', 'Rangée de sièges', 'Nom du siège', 'Bloqué'],
    ...['Valable depuis', "Valable jusqu'au", 'Commentaire de commande', 'Date de suivi'],
    ...['Add-on à la position ID', 'Menu?', "Adresse de facturation de l'entreprise"],
    ...["Nom de l'adresse de facturation", "Nom de l'adresse de facturation: Prénom"],
    ...["Nom de l'adresse de facturation: Nom de famille", 'Adresse de facturation (rue)'],
    ...['Adresse de facturation (Code postal)', 'Adresse de facturation (ville)'],
    ...['Adresse de facturation (pays)', "Région de l'adresse de facturation", 'Identifiant de TVA'],
    ...['Canal de vente', 'Langue de la commande', 'Adresse e-mail vérifiée'],
    ...['Identifiant de commerçant externe', "Listes d'enregistrement", 'Fournisseurs de paiement'],
    ...['Lien vers la commande'],
  ],
} as const satisfies Record<string, readonly string[]>

/** What each of these columns fills, by its English name. Nobody was asked for the others. */
export const PRETIX_FIELDS: Readonly<Record<string, string>> = {
  'Order code': 'order',
  'Position ID': 'order_line',
  Status: 'status',
  Email: 'email',
  Product: 'type',
  Variation: 'type_variant',
  'Attendee name': 'attendee_name',
  'Attendee email': 'attendee_email',
  'Seat name': 'seat',
  'Order comment': 'note',
  'Add-on to position ID': 'addon_to',
  'Invoice address name': 'name',
  'Order locale': 'language',
  'Check-in lists': 'checked_in',
}
/** Those that become answers under their own name. */
export const PRETIX_ASKED: readonly string[] = [
  'Phone number',
  'Attendee company',
  'Menu?',
  'Invoice address company',
]

/** The names that pretix has changed since 2024, by those of today. “” is a column that it did not have. */
export const PRETIX_BEFORE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  German: {
    Stadt: 'Ort',
    'Verwendetes Gutscheinbudget': '',
    'Gutschein-Tag': '',
    'Zusatzprodukt zu Position': '',
    'Link zur Bestellposition': '',
  },
  Spanish: {
    'Slug del evento': 'URL semántica del evento',
    'Código del pedido': 'Código de la orden',
    'Fecha del pedido': 'Fecha de la orden',
    'Hora del pedido': 'Hora de la orden',
    'Nombre del asistente': 'Nombre del participante',
    'Nombre del asistente: Nombre': 'Nombre del participante: Nombre',
    'Nombre del asistente: Apellido': 'Nombre del participante: Apellido',
    'Vale de compra': 'Recibo',
    'Uso del presupuesto del vale': '',
    'Código de cupón': '',
    'Secreto de la entrada': 'Secreto del ticket',
    'ID asiento': 'ID Asiento',
    'Zona de la butaca': 'Zona del asiento',
    'Fila de la butaca': 'Fila del asiento',
    'Número de la butaca': 'Número del asiento',
    'Comentario del pedido': 'Comentario de la orden',
    'Add-on al ID de posición': '',
    'Dirección de facturación de la empresa': 'Dirección de facturación empresa',
    'Canal de venta': 'Canal de ventas',
    'Idioma del pedido': 'Localización de la orden',
    'Lista de asistentes': 'Listas de registro',
    'Enlace al pedido': '',
  },
  French: {
    "Titre de l'événement": "Nom court de l'évènement",
    Prix: 'Tarif',
    'E-mail du participant': 'Adresse mail du participant',
    'Entreprise du participant': 'Entreprise participante',
    'Code postal': 'Code Postal',
    État: 'État/Province/Région',
    'Utilisation du budget des bons': '',
    'Code du bon': '',
    'ID du siège': 'Numéro de siège',
    'Rangée de sièges': 'Rangée de la place',
    'Add-on à la position ID': '',
    "Adresse de facturation de l'entreprise": 'Adresse de facturation de la société',
    "Nom de l'adresse de facturation": "Nom sur l'adresse de facturation",
    "Nom de l'adresse de facturation: Prénom": "Nom sur l'adresse de facturation: Prénom",
    "Nom de l'adresse de facturation: Nom de famille": "Nom sur l'adresse de facturation: Nom de famille",
    'Adresse de facturation (rue)': 'Adresse de facturation : rue',
    'Adresse de facturation (Code postal)': 'Adresse de facturation : code postal',
    'Adresse de facturation (ville)': 'Adresse de facturation : ville',
    'Adresse de facturation (pays)': 'Adresse de facturation : pays',
    'Lien vers la commande': '',
  },
}

/** The columns of Hi.Events before its check-in lists. With them “Check Ins” stands for two of them, in every language. */
export const HI_EVENTS_HEADERS = {
  English: [
    ...['ID', 'First Name', 'Last Name', 'Email', 'Status', 'Is Checked In', 'Checked In At'],
    ...['Product ID', 'Product Name', 'Event ID', 'Public ID', 'Short ID', 'Created Date'],
    ...['Last Updated Date', 'Notes'],
  ],
  German: [
    ...['ID', 'Vorname', 'Nachname', 'E-Mail', 'Status', 'Eingecheckt', 'Eingecheckt am'],
    ...['Produkt-ID', 'Produktname', 'Veranstaltungs-ID', 'Öffentliche ID', 'Kurz-ID'],
    ...['Erstellungsdatum', 'Letztes Aktualisierungsdatum', 'Notizen'],
  ],
  Spanish: [
    ...['ID', 'Nombre', 'Apellido', 'Correo electrónico', 'Estado', 'Registrado', 'Registrado en'],
    ...['ID del producto', 'Nombre del producto', 'ID del evento', 'ID público', 'ID corto'],
    ...['Fecha de creación', 'Fecha de última actualización', 'Notas'],
  ],
  French: [
    ...['ID', 'Prénom', 'Nom', 'E-mail', 'Statut', 'Enregistré', 'Enregistré à', 'ID du produit'],
    ...['Nom du produit', "ID de l'événement", 'ID public', 'ID court', 'Date de création'],
    ...['Date de dernière mise à jour', 'Notes'],
  ],
  Portuguese: [
    ...['ID', 'Nome', 'Sobrenome', 'E-mail', 'Status', 'Check-in realizado', 'Check-in em'],
    ...['ID do produto', 'Nome do produto', 'ID do evento', 'ID público', 'ID curto'],
    ...['Data de criação', 'Última atualização', 'Notas'],
  ],
} as const satisfies Record<string, readonly string[]>

/** The words of pretix for the states of an order, in the order of the English ones. */
export const PRETIX_STATES = {
  English: ['paid', 'canceled', 'pending', 'expired', 'approval pending', 'pending (confirmed)'],
  German: [
    'bezahlt',
    'storniert',
    'ausstehend',
    'abgelaufen',
    'Freigabe ausstehend',
    'ausstehend (bestätigt)',
  ],
  Spanish: ['pagado', 'cancelado', 'pendiente', 'expirado', 'Aprobación pendiente', 'pendiente (confirmado)'],
  French: ['Payé', 'annulé', 'en attente', 'expiré', 'approbation en attente', 'en attente (confirmé)'],
} as const satisfies Record<string, readonly string[]>

type Language = keyof typeof PRETIX_HEADERS

/** Returns a table of pretix as it writes that in another language. */
export function inLanguage(
  [columns = [], ...lines]: readonly (readonly string[])[],
  language: Language,
): readonly (readonly string[])[] {
  const names = PRETIX_HEADERS.English as readonly string[]
  const states = PRETIX_STATES.English as readonly string[]
  const status = columns.indexOf('Status')
  const toState = (cell: string) => PRETIX_STATES[language][states.indexOf(cell)] ?? cell
  return [
    columns.map(name => PRETIX_HEADERS[language][names.indexOf(name)] ?? name),
    ...lines.map(cells => cells.map((cell, at) => (at === status ? toState(cell) : cell))),
  ]
}
