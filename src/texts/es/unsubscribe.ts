import type { Texts } from '../texts.ts'

export const unsubscribe: Texts['unsubscribe'] = {
  title: '¿No quieres más anuncios?',
  about: organizer => `${organizer} no enviará más anuncios a esta dirección:`,
  submit: 'No me envíes más',
  done: 'Ya no recibirás anuncios',
  doneAbout: organizer => `${organizer} no envía más anuncios a esta dirección:`,
  others: 'Lo que se refiere a tus propias inscripciones te seguirá llegando.',
  unknown: 'Este enlace está incompleto',
  unknownAbout: 'Ábrelo desde el propio correo, o responde al correo y pídelo.',
}
