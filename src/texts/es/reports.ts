import type { Texts } from '../texts.ts'
import { count } from './page.ts'

export const reports: Texts['reports'] = {
  title: 'Informes',
  registrations: 'Inscripciones',
  registrationsAbout: sold =>
    `Todo lo que se sabe de quién ha reservado, entrada por entrada, desde la inscripción más antigua. Ahora hay ${count(sold, { one: '# entrada vendida', many: '# de entradas vendidas', other: '# entradas vendidas' })}; las de inscripciones canceladas también están.`,
  downloadXlsx: 'Descargar para Excel',
  downloadCsv: 'Descargar CSV',
  downloadJson: 'Descargar JSON',
  formats:
    'El archivo para Excel también se abre con LibreOffice y Numbers: respuestas bajo su pregunta, importes como números y horas del evento; a partir de 50.000 entradas es CSV. CSV y JSON son para programas: importes en céntimos y horas en UTC. Ninguna celda actúa como fórmula.',
  columns: 'Qué contienen el CSV y el JSON',
  column: 'Columna',
  meaning: 'Qué dice',
  ofColumns: {
    registration_id: 'El identificador de la inscripción.',
    status:
      'pending (pendiente), confirmed (confirmada), failed (fallida), refunded (reembolsada) o cancelled (cancelada).',
    source: 'De dónde ha venido.',
    event_id: 'El identificador del evento.',
    'registration_type_id, registration_type_name': 'El tipo de sus entradas.',
    'buyer_name, buyer_email': 'Quién ha reservado.',
    quantity: 'Cuántas entradas se han reservado juntas.',
    'amount_subtotal, amount_total, currency': 'Lo que cuestan juntas, lo que se ha cobrado y en qué moneda.',
    'created_at, confirmed_at, cancelled_at':
      'Cuándo ha llegado la inscripción, se ha confirmado, se ha cancelado.',
    attendee_id: 'El identificador de la entrada.',
    'attendee_name, attendee_email': 'Quién viene con ella.',
    seat: 'El asiento.',
    'checked_in, checked_in_at': 'Si ha entrado, y cuándo.',
    voided: 'Si la entrada está anulada.',
  },
  answer: 'La respuesta a esta pregunta.',
  monthly: 'Mes a mes',
  monthlyAbout:
    'Lo que todos los eventos de la organización han ingresado, pagado en comisiones y reembolsado en un mes.',
  toMonthly: 'Informe mensual',

  monthTitle: month => `Informe de ${month}`,
  month: 'Mes',
  show: 'Ver',
  underWay: 'Mes en curso',
  complete: 'Completo',
  incomplete: 'No se sabe todo',
  summingUp: 'Se está sumando',
  summingUpAbout: 'Este mes tiene tanto que tarda un rato. La página vuelve a mirar por sí sola.',
  nothing: 'Nada en este mes',
  nothingAbout: 'Ningún evento tiene en él inscripciones, reembolsos ni acreditaciones.',
  asOf: 'A fecha de',
  currenciesApart: 'Los importes en monedas distintas no se suman.',
  allEvents: (n, currency) => `${count(n, { one: '# evento', other: 'Los # eventos' })} en ${currency}`,
  figuresOf: title => `Cifras de ${title}`,
  moreEvents: n =>
    count(n, { one: '# evento más está en el archivo.', other: '# eventos más están en el archivo.' }),
  ofRegistrations: 'Inscripciones',
  gross: 'Ingresado',
  serviceFee: 'Comisión del servicio',
  processorFee: 'Comisiones de pago',
  refunds: 'Reembolsado',
  refundsAbout: 'Con lo que se han llevado las disputas, menos lo que has recuperado.',
  net: 'Queda',
  checkIns: 'Acreditaciones',
  byType: 'Entradas por tipo',
  unknown: 'No se sabe',
  reasons: {
    not_reported: 'De una inscripción pagada o más, nadie ha dicho lo que ha costado el pago.',
    depends_on_unknown: 'Necesita las comisiones de pago, que no se saben.',
  },
}
