import type { Texts } from '../texts.ts'

export const eventSettings: Texts['eventSettings'] = {
  title: 'Ajustes',
  topics: {
    general: 'General',
    page: 'Página',
    look: 'Aspecto',
    sale: 'Venta',
    waitlist: 'Lista de espera',
    mails: 'Correos',
  },
  approval: 'Aprobación',
  legal: 'Condiciones y desistimiento',
  whoSells: 'Quién vende',
  whoSellsAbout: 'Todos los eventos de tu organización tienen los mismos datos legales.',
  toLegal: 'Datos legales',
  toTexts: 'Textos de los correos',
}
