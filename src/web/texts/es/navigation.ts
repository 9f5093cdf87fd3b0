import type { Texts } from '../texts.ts'

export const navigation: Texts['navigation'] = {
  account: 'Organización',
  event: 'Evento',
  toEvents: 'A tus eventos',
  allEvents: 'Todos los eventos',
  events: 'Eventos',
  team: 'Equipo',
  keys: 'Claves de API',
  webhooks: 'Webhooks',
  accountSettings: 'Ajustes',
  log: 'Registro de accesos',
  system: 'Sistema',
  overview: 'Resumen',
  guests: 'Asistentes',
  checkIn: 'Acreditación',
  tickets: 'Entradas',
  waitlist: 'Lista de espera',
  abstracts: 'Propuestas',
  messages: 'Mensajes',
  reports: 'Informes',
  eventSettings: 'Ajustes del evento',
}
