import type { Texts } from '../texts.ts'

export const accountSettings: Texts['accountSettings'] = {
  title: 'Ajustes',
  topics: {
    general: 'General',
    legal: 'Datos legales',
    look: 'Aspecto',
    site: 'Tu propio sitio',
    'personal-data': 'Datos personales',
  },
  organization: 'Organización',
  name: 'Nombre',
  nameHelp: 'El nombre que conocen tus asistentes.',
  email: 'Correo electrónico',
  emailHelp: 'Donde se escribe a tu organización.',
  slug: 'Nombre de enlace',
  slugHelp:
    'Con él empiezan las direcciones de las páginas de tus eventos: de la a a la z, del 0 al 9 y guiones, por ejemplo ada-eventos. Todo evento publicado lo necesita.',
  receipts: 'Recibos',
  invoiceFrom: 'Pedir la dirección de quien compra desde este importe',
  invoiceFromHelp:
    'En unidades enteras de tu moneda, como 250. Por debajo, una factura sin dirección es una factura simplificada. Vacío: nunca. Sin número fiscal no hay facturas y no se le pide a nadie.',
  receiptPrefix: 'Cómo empiezan sus números',
  receiptPrefixHelp:
    'Por ejemplo FEST, para FEST-R-000001. Lo necesitas si también haces recibos en otro sitio, para que ningún número se repita.',
  taxExemption: 'Por qué no hay impuesto',
  taxExemptionHelp:
    'Se imprime en los recibos sin impuesto, por ejemplo «Exento de IVA según el art. 20 LIVA».',
  forgetting: 'Asistentes de eventos pasados',
  forgetAfter: 'Olvidar a los asistentes tantos días después del final de un evento',
  forgetAfterHelp:
    'De 30 a 3650. Déjalo vacío para conservarlos. Cada noche desaparecen los nombres, correos, respuestas y notas de estos asistentes, y nada los recupera; el dinero, los recuentos y los recibos se quedan, y también quien tenga dinero pendiente. A los propietarios se les avisa por correo una semana antes de la primera vez.',
  forgetDue: 'Qué significa hoy',
  forgetBefore: date => `Les toca a los asistentes de los eventos que terminaron antes del ${date}.`,
  forgetUntold:
    'Todavía no se olvida a nadie: primero se avisa por correo a los propietarios y empieza una semana después.',
  forgetTold: (told, begins) =>
    `Los propietarios recibieron el aviso el ${told} y empieza el ${begins}. Hasta entonces puedes cambiarlo aquí o dejarlo vacío.`,
  forgetNightly: 'Se les olvida cada noche.',
  pastEvents: 'Ver los eventos pasados',
  receiptYears: 'Años que se guardan con nombres',
  receiptYearsHelp:
    'Desde el final de su año natural: de 6 a 12, según tu ley fiscal. Después ya no nombran a nadie.',
  defaults: 'Hora y dinero',
  timezone: 'Zona horaria',
  timezoneHelp: 'La de los meses de tus informes y la de los eventos nuevos.',
  currency: 'Moneda',
  currencyHelp: 'La de los eventos nuevos y la de la comisión de abajo.',
  fee: 'Comisión de servicio',
  feeHelp:
    'Lo que te cuesta vender una entrada, aparte de la pasarela de pago: el informe mensual lo descuenta. 0 si no hay.',
  feePercent: 'Porcentaje de lo pagado',
  feePerTicket: 'Por cada entrada',
}
